"""`signalbox import`: plays a recorded 18xx.games game as a native one; also registers `export`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from services.cli import export_game
from services.cli.import_into import Moving, UndoChoice, import_into
from services.rules.importer.dialect import dialect_of, title_named
from services.rules.importer.files import read_record, write_trace
from services.rules.importer.record import NotAGameError, Record
from services.rules.importer.replay import Replay, play
from services.rules.kernel.title import Title
from services.rules.titles import TITLES

NOT_REPRODUCED = 1
NOT_A_GAME = 2


def register(app: typer.Typer, titles: Mapping[str, Title] = TITLES) -> None:
    """Add the commands `import`, which can play the titles given by name, and `export` to `app`."""
    export_game.register(app)

    @app.command("import")
    def import_command(
        file: Annotated[
            Path,
            typer.Argument(help="A game in 18xx.games' JSON format, or with --into an export; plain or .gz."),
        ],
        trace: Annotated[
            Path | None, typer.Option(help="Write the state after every action as JSON lines.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
        as_recorded: Annotated[
            bool, typer.Option(help="Book the file's revenue where it differs from ours.")
        ] = False,
        into: Annotated[
            str, typer.Option(help="Make a table of the game at this lobby, host:port, and go on there.")
        ] = "",
        seats: Annotated[
            Path | None,
            typer.Option(help="JSON object: account at the lobby by player of the file.", dir_okay=False),
        ] = None,
        token_file: Annotated[
            Path | None, typer.Option(help="File with the token of an operator.", dir_okay=False)
        ] = None,
        undo: Annotated[
            UndoChoice, typer.Option(help="What players of a recorded game may take back from now on.")
        ] = UndoChoice.OWN_TURN,
        turn_seconds: Annotated[int, typer.Option(help="Time for a turn from now on; 0: no limit.")] = 0,
    ) -> None:
        """Play a recorded game through the rules, or with --into let it, or an export, go on at a lobby.

        Exit 0: every action was accepted and the result is the file's; 1: otherwise; 2: the file is no game.
        With --into 0: there is a table; 1: the file is refused, and nothing was made; 2: the lobby does not answer."""
        if into:
            moving = Moving(into, seats, token_file, undo, turn_seconds, as_recorded)
            raise typer.Exit(import_into(file, moving))
        raise typer.Exit(import_game(file, titles, trace, as_json, as_recorded))


def import_game(
    file: Path,
    titles: Mapping[str, Title],
    trace: Path | None = None,
    as_json: bool = False,
    as_recorded: bool = False,
) -> int:
    """Play `file` and report; returns the exit code."""
    console = Console(stderr=True)
    try:
        record = read_record(file)
        title = _title_of(record, titles)
        replay = _play(record, title, console, as_recorded, trace is not None)
        if trace is not None:
            write_trace(trace, replay.lines)
    except NotAGameError as error:
        typer.echo(f"{file}: not a game: {error}", err=True)
        return NOT_A_GAME
    except OSError as error:
        typer.echo(f"{trace}: {error}", err=True)
        return NOT_REPRODUCED
    if as_json:
        sys.stdout.write(msgspec.json.encode(summary(replay, as_recorded)).decode() + "\n")
    else:
        _show(replay)
    _explain(replay, title)
    return 0 if replay.matches else NOT_REPRODUCED


def _title_of(record: Record, titles: Mapping[str, Title]) -> Title:
    title = title_named(titles, record.title)
    if title is None:
        raise NotAGameError(f"title {record.title!r} is not installed - at `$.title`")
    return title


def _play(record: Record, title: Title, console: Console, as_recorded: bool, traced: bool) -> Replay:
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{record.title}: playing", total=None)
        return play(
            record,
            title,
            time.perf_counter,
            as_recorded=as_recorded,
            traced=traced,
            on_progress=lambda done, total: progress.update(task, completed=done, total=total),
        )


def summary(replay: Replay, as_recorded: bool) -> dict[str, Any]:
    """What `--json` prints."""
    found: dict[str, Any] = {
        "title": replay.record.title,
        "actions": replay.actions,
        "accepted": replay.accepted,
        "finished": replay.game.finished,
        "end_reason": replay.game.ending,
        "result": replay.result,
        "matches": replay.matches,
        "seconds": {"decide": round(replay.decide_seconds, 4), "fold": round(replay.fold_seconds, 4)},
    }
    if as_recorded:
        found["corrections"] = replay.corrections
    return found


def _show(replay: Replay) -> None:
    table = Table(title=f"{replay.record.title}: {replay.accepted} of {replay.actions} actions accepted")
    table.add_column("player")
    table.add_column("here", justify="right")
    table.add_column("recorded", justify="right")
    for player in map(str, replay.record.players):
        table.add_row(player, str(replay.result.get(player, "")), str(replay.record.result.get(player, "")))
    Console().print(table)
    typer.echo(f"decide {replay.decide_seconds:.2f} s, fold {replay.fold_seconds:.3f} s")


def _explain(replay: Replay, title: Title) -> None:
    """Print to standard error the corrections booked, and why the game does not match."""
    dialect = dialect_of(title)
    beside = dialect.treasury_income if dialect else ""
    for each in replay.corrections:
        typer.echo(
            f"action {each.line}: {each.company} "
            f"ran for {each.recorded} ({beside} {each.recorded_treasury_income}) as recorded, "
            f"here for {each.ours} ({beside} {each.our_treasury_income})",
            err=True,
        )
    refusal = replay.refusal
    if refusal is not None:
        reason = refusal.rejection
        clause = f" ({reason.clause})" if reason.clause else ""
        where = f"action {refusal.line} (id {refusal.id}, {refusal.type})"
        typer.echo(f"{where} rejected: {reason.code}{clause}: {reason.message}", err=True)
    elif not replay.folds:
        typer.echo("folding the log gives another state than the game's", err=True)
    elif not replay.matches:
        typer.echo(f"result {replay.result or 'open'}, recorded {replay.record.result or 'open'}", err=True)
