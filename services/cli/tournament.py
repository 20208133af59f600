"""`signalbox tournament`: simulated events, and events in files and logs."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer

from services.cli.tournament_desk import add_desk_commands
from services.cli.tournament_file import read_event, recomputed, write_event
from services.cli.tournament_log import (
    check_in_log,
    check_tournament_file,
    export_from_log,
    is_tournament_file,
    show_lines,
)
from services.cli.tournament_players import add_player_commands
from services.cli.tournament_series import add_series_commands
from services.common.shown import counted
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Format,
    Groups,
    Heats,
    KnockOut,
    Stage,
    Swiss,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.scoring.exporting import exported
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import EventRecord
from services.lobby.domain.tournaments.scoring.standings import Line, standings_digest, standings_of
from services.lobby.domain.tournaments.simulation import SimulatedRound, Simulation
from services.lobby.presets.loading import DESIGNS, SYSTEMS

EventPath = Annotated[
    Path,
    typer.Argument(
        metavar="EVENT", help="A file, as simulate --output or export writes it, or the id of a tournament."
    ),
]
Log = Annotated[
    str,
    typer.Option(
        "--log",
        metavar="LOCATION",
        help="For an id: sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX; the file of the settings by default.",
    ),
]

REJECTED = 2
ADVANCING = 2


class FormatName(StrEnum):
    """Formats that can be simulated."""

    SWISS = "swiss"
    HEATS = "heats"
    DUPLICATE = "duplicate"
    GROUPS = "groups"
    KNOCK_OUT = "knock-out"


FORMATS: dict[FormatName, Callable[[int, int], Format]] = {
    FormatName.SWISS: lambda rounds, group: Swiss(rounds),
    FormatName.HEATS: lambda rounds, group: Heats(rounds),
    FormatName.DUPLICATE: lambda rounds, group: DuplicateRounds(rounds),
    FormatName.GROUPS: lambda rounds, group: Groups(group, 4, rounds),
    FormatName.KNOCK_OUT: lambda rounds, group: KnockOut(ADVANCING, has_consolation=True),
}


def register(app: typer.Typer) -> None:
    """Add the commands under `tournament` to `app`."""
    tournament = typer.Typer(
        no_args_is_help=True, help="Tournaments: pairing, standings (docs/tournaments.md)."
    )
    _add_simulate(tournament)
    _add_check(tournament)
    _add_export(tournament)
    add_desk_commands(tournament)
    add_player_commands(tournament)
    add_series_commands(tournament)
    app.add_typer(tournament, name="tournament")


def _add_simulate(tournament: typer.Typer) -> None:
    @tournament.command("simulate")
    def simulate_command(
        players: Annotated[int, typer.Option(min=3, max=5000, help="Number of players.")],
        rounds: Annotated[int, typer.Option(min=1, max=50, help="Number of rounds.")] = 5,
        format_name: Annotated[FormatName, typer.Option("--format", help="Format.")] = FormatName.SWISS,
        seed: Annotated[int, typer.Option(min=0, help="All lots and results come from it.")] = 1,
        group: Annotated[int, typer.Option(min=3, help="Players of a group, for the format groups.")] = 7,
        scoring: Annotated[str, typer.Option(help=f"One of: {', '.join(SYSTEMS)}.")] = "place",
        output: Annotated[Path | None, typer.Option(help="Write the event to this file.")] = None,
    ) -> None:
        """Pair and play an event with random results.

        Standard output is the same for the same arguments; the times go to standard error."""
        if scoring not in SYSTEMS:
            raise typer.BadParameter(f"{scoring!r} is no scoring system", param_hint="--scoring")
        policy = ScoringPolicy(system=SYSTEMS[scoring], seed=seed)
        stage = Stage(format_name.value, FORMATS[format_name](rounds, group))
        simulation = Simulation(stage, players, seed, policy, DESIGNS)
        try:
            _show_rounds(simulation)
        except TournamentRejected as rejected:
            _reject("simulate", rejected)
        lines = standings_of(simulation.record, policy)
        _show_balance(simulation)
        typer.echo(f"standings {standings_digest(lines)}")
        if output is not None:
            write_event(output, policy, simulation.facts, lines)


def _show_rounds(simulation: Simulation) -> None:
    made = simulation.rounds()
    while True:
        began = time.process_time()
        current = next(made, None)
        seconds = time.process_time() - began
        if current is None:
            return
        _show_round(current)
        typer.echo(f"round {current.number}: {seconds:.2f} s of processor time", err=True)


def _show_round(made: SimulatedRound) -> None:
    byes = f", byes {' '.join(made.byes)}" if made.byes else ""
    typer.echo(f"round {made.number}: {counted(len(made.tables), 'table')}{byes}")
    if made.cost is not None:
        terms = msgspec.structs.asdict(made.cost)
        typer.echo("  cost " + ", ".join(f"{name} {value}" for name, value in terms.items()))
        typer.echo(f"  digest {made.digest}")


def _show_balance(simulation: Simulation) -> None:
    balance = simulation.balance()
    typer.echo(f"repeats {balance.repeats}")
    typer.echo("tables " + ", ".join(f"{count} of {size}" for size, count in balance.sizes.items()))
    typer.echo(
        "at tables that are not of 4: "
        + ", ".join(f"{counted(each, 'player')} {_times(times)}" for times, each in balance.odd.items())
    )
    typer.echo(
        "how much more often in one seat than in another: "
        + ", ".join(f"{counted(each, 'player')} {_times(spread)}" for spread, each in balance.seats.items())
    )


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _add_check(tournament: typer.Typer) -> None:
    @tournament.command("check")
    def check_command(file: EventPath, log: Log = "") -> None:
        """Recompute the standings of an event and print them with the reason for each place.

        For the id of a tournament its streams in the log are read: also each pairing is computed again from its problem, and
        each result compared with the end of its game.

        Exit 2: the event cannot be read or scored, or is not what was published."""
        if not file.exists() and not file.suffix:
            raise typer.Exit(check_in_log(str(file), log))
        if is_tournament_file(file):
            raise typer.Exit(check_tournament_file(file))
        for line in show_lines(_event_in(file)[2], str):
            typer.echo(line)


def _add_export(tournament: typer.Typer) -> None:
    @tournament.command("export")
    def export_command(
        file: EventPath,
        folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder for the files.")],
        log: Log = "",
    ) -> None:
        """Write results, players, policy and standings of an event as CSV files (docs/tournaments.md).

        For the id of a tournament: JSON, a calendar and sheets to be printed as well, and the CSV files of each stage."""
        if not file.exists() and not file.suffix:
            raise typer.Exit(export_from_log(str(file), folder, log))
        policy, record, lines = _event_in(file)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in exported(record, policy, lines).items():
                (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            _fail(folder, error)


def _event_in(file: Path) -> tuple[ScoringPolicy, EventRecord, tuple[Line, ...]]:
    try:
        event = read_event(file)
        return event.policy, *recomputed(event)
    except OSError as error:
        _fail(file, error)
    except TournamentRejected as rejected:
        _reject(str(file), rejected)


def _fail(path: Path, error: OSError) -> NoReturn:
    typer.echo(f"{path}: {error.strerror or error}", err=True)
    raise typer.Exit(REJECTED) from error


def _reject(source: str, rejected: TournamentRejected) -> NoReturn:
    typer.echo(f"{source}: {rejected.sentence} ({rejected.reason})", err=True)
    raise typer.Exit(REJECTED)
