"""`signalbox tournament`: the commands of players and everybody else, and the charter to begin with."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from services.cli.tournament_calls import (
    AT_HOME,
    TOKEN_FILE,
    AdjudicationNumber,
    Event,
    RoundId,
    Server,
    TableNumber,
    TokenFile,
    explained,
    names_of,
    pairs,
    player_at,
    player_ids,
    token_in,
    tournaments_at,
)
from services.cli.tournament_printing import show_history, show_players, show_round, show_tournament
from services.client.lobby import register, sign_in
from services.client.tournaments import Tournaments
from services.common.shown import counted
from services.common.week_hours import read_week_hours
from services.gen.signalbox.lobby.v1 import tournaments_service_pb2 as wire
from services.lobby.domain.tournaments.charter import Charter, PlayedTitle, charter_json, check_charter
from services.lobby.domain.tournaments.formats.stages import Stage, Swiss
from services.lobby.domain.tournaments.scoring.explaining import amount, points
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.presets.loading import BYE_POINTS, SYSTEMS

MILLIONTHS = 1_000_000
MINUTE_MS = 60_000
USUAL_TITLES = ["1824:3-4", "1862:3-4"]


def add_player_commands(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    _add_beginning(app)
    _add_entering(app)
    _add_playing(app)
    _add_reading(app)


def _add_beginning(app: typer.Typer) -> None:
    @app.command("charter")
    def charter_command(
        name: Annotated[str, typer.Argument(help="Name of the tournament.")],
        rounds: Annotated[int, typer.Option(min=1, help="Swiss rounds.")] = 3,
        final: Annotated[int, typer.Option(min=0, help="Players of a final table; 0: no final.")] = 4,
        title: Annotated[list[str] | None, typer.Option(help="TITLE:FEWEST-MOST; repeatable.")] = None,
        scoring: Annotated[str, typer.Option(help=f"One of: {', '.join(SYSTEMS)}.")] = "place",
    ) -> None:
        """Print a charter to begin with: Swiss rounds and a final. docs/tournaments.md explains its settings."""
        with explained():
            if scoring not in SYSTEMS:
                raise ValueError(f"--scoring: {scoring!r} is not one of {', '.join(SYSTEMS)}")
            stages: tuple[Stage, ...] = (Stage("swiss", Swiss(rounds)),)
            if final:
                stages = (*stages, Stage("final", Swiss(1), places=final))
            made = Charter(
                name,
                stages,
                tuple(map(_played, title or USUAL_TITLES)),
                ScoringPolicy(SYSTEMS[scoring], bye_points=BYE_POINTS[scoring]),
                second_person_in=("final",) if final else (),
            )
            rejection = check_charter(made)
            if rejection is not None:
                raise ValueError(rejection.sentence)
            typer.echo(msgspec.json.format(charter_json(made), indent=2))

    @app.command("sign-in")
    def sign_in_command(
        name: Annotated[str, typer.Argument(help="Your name on the platform.")],
        password: Annotated[str, typer.Option(prompt=True, hide_input=True, help="Your password.")],
        is_new: Annotated[bool, typer.Option("--register", help="Register the name first.")] = False,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Sign in and keep the token in a file that only you can read, for the other commands."""
        with explained():
            if is_new:
                register(server, name, password)
            session = sign_in(server, name, password)
            token_file.touch(mode=0o600)
            token_file.write_text(session.token + "\n", encoding="ascii")
            typer.echo(f"{session.player.name} {session.player.player_id}")


Bankrupt = Annotated[
    list[str] | None,
    typer.Option(help="A player who went bankrupt; once for each, in the order of the bankruptcies."),
]


def _add_entering(app: typer.Typer) -> None:
    @app.command("enter")
    def enter_command(
        event: Event,
        prefer: Annotated[list[str] | None, typer.Option(help="Titles, the most wanted first.")] = None,
        hours: Annotated[
            str, typer.Option(help="When you can play, in UTC, as 'mon 18-22, sat 10-18'; empty: always.")
        ] = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Enter a tournament, perhaps only on its waiting list."""
        with player_at(server, token_file) as client:
            show_tournament(client.enter(event, prefer or (), read_week_hours(hours)))

    @app.command("withdraw")
    def withdraw_command(
        event: Event,
        reason: Annotated[str, typer.Option(help="Why; may be left out.")] = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Withdraw from a tournament."""
        with player_at(server, token_file) as client:
            show_tournament(client.withdraw(event, reason))

    @app.command("check-in")
    def check_in_command(event: Event, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """Say that you will be there in the round whose check-in is open."""
        with player_at(server, token_file) as client:
            show_tournament(client.check_in(event))

    @app.command("refuse-place")
    def refuse_command(
        event: Event,
        stage: Annotated[int, typer.Argument(help="Number of the later stage, from 0.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Refuse a place in a later stage; it passes down."""
        with player_at(server, token_file) as client:
            show_tournament(client.refuse_place(event, stage))


def _add_playing(app: typer.Typer) -> None:
    @app.command("report")
    def report_command(
        round_id: RoundId,
        table: TableNumber,
        worth: Annotated[list[str], typer.Option(help="PLAYER=WORTH; once for each player.")],
        bankrupt: Bankrupt = None,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Report the result of an external table."""
        with player_at(server, token_file) as client:
            event = round_id.partition(".")[0]
            names, worths = names_of(client, event), _worths(client, event, worth)
            orders = _orders(client, event, bankrupt)
            show_round(client.report(round_id, table, worths, orders), names)

    @app.command("confirm")
    def confirm_command(
        round_id: RoundId,
        table: TableNumber,
        worth: Annotated[
            list[str], typer.Option(help="PLAYER=WORTH as it was reported; once for each player.")
        ],
        bankrupt: Bankrupt = None,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Confirm a result that another person reported. Nothing is confirmed if the report has other worths by now."""
        with player_at(server, token_file) as client:
            event = round_id.partition(".")[0]
            names, worths = names_of(client, event), _worths(client, event, worth)
            orders = _orders(client, event, bankrupt)
            show_round(client.confirm(round_id, table, worths, orders), names)

    @app.command("appeal")
    def appeal_command(
        round_id: RoundId,
        table: TableNumber,
        adjudication: AdjudicationNumber,
        text: Annotated[str, typer.Argument(help="Why.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Appeal against an adjudication on your table that counts."""
        with player_at(server, token_file) as client:
            appealed = client.appeal(round_id, table, adjudication, text)
            show_round(appealed, names_of(client, round_id.partition(".")[0]))


def _add_reading(app: typer.Typer) -> None:
    @app.command("list")
    def list_command(server: Server = AT_HOME) -> None:
        """List all tournaments, the newest first."""
        with tournaments_at(server) as client:
            listed = client.all()
            if not listed:
                typer.echo("There is no tournament yet.")
            for each in listed:
                show_tournament(each)

    @app.command("show")
    def show_command(
        event: Event,
        is_charter: Annotated[bool, typer.Option("--charter", help="Print the charter alone.")] = False,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Print a tournament with its rounds; for a director also those that are not published."""
        with (
            explained(),
            tournaments_at(server, token_in(token_file) if token_file.exists() else "") as client,
        ):
            found = client.tournament(event)
            if is_charter:
                typer.echo(msgspec.json.format(found.charter, indent=2))
                return
            show_tournament(found)
            name_of = names_of(client, event)
            show_history(found, name_of)
            for current in client.rounds(event):
                show_round(current, name_of)

    @app.command("players")
    def players_command(event: Event, server: Server = AT_HOME) -> None:
        """Print who has entered, in the order of the waiting list, with ids and who has checked in."""
        with tournaments_at(server) as client:
            show_players(client.tournament(event), client.entries(event))

    @app.command("standings")
    def standings_command(
        event: Event,
        stage: Annotated[
            int | None, typer.Argument(min=0, help="Number of the stage, from 0; without it the latest.")
        ] = None,
        server: Server = AT_HOME,
    ) -> None:
        """Print the standings of a stage with the reason for each place."""
        with tournaments_at(server) as client:
            latest = max(0, len(client.tournament(event).stages) - 1)
            for line in client.standings(event, latest if stage is None else stage):
                _show_line(line)

    @app.command("leaderboard")
    def leaderboard_command(
        board: Annotated[str, typer.Argument(help="overall, `title NAME` or `players NUMBER`.")] = "overall",
        server: Server = AT_HOME,
    ) -> None:
        """Print a leaderboard of ratings."""
        with tournaments_at(server) as client:
            lines = client.leaderboard(board)
            if not lines:
                typer.echo("Nobody is rated on this board yet.")
            for line in lines:
                marks = " (provisional)" if line.is_provisional else ""
                typer.echo(
                    f"{line.rank}. {line.player.name}{marks}: {amount(line.shown)}, Elo {amount(line.elo)}, "
                    f"{counted(line.games, 'game')}; {reliability_text(line.reliability)}"
                )


def _show_line(line: wire.StandingsLine) -> None:
    marks = " (withdrawn)" if line.is_withdrawn else ""
    typer.echo(
        f"{line.rank}. {line.player.name}{marks}: {points(line.points)}, {counted(line.tables, 'table')}"
    )
    typer.echo(f"   {line.explanation}")


def reliability_text(known: wire.Reliability) -> str:
    """How reliable a player is, in words; times and overdue turns are there for tables with a clock policy."""
    return (
        f"finished {known.finish_rate / MILLIONTHS:.0%} of {counted(known.games, 'table')}, "
        f"median turn {known.response_ms / MINUTE_MS:.1f} min, {known.expiry_rate / MILLIONTHS:.1%} of turns overdue"
    )


def _played(text: str) -> PlayedTitle:
    """A title such as `1824:3-4`. Raises ValueError."""
    title, _, counts = text.rpartition(":")
    fewest, _, most = counts.partition("-")
    if not (title and fewest.isdigit() and most.isdigit()):
        raise ValueError(f"--title: {text!r} is not TITLE:FEWEST-MOST")
    return PlayedTitle(title, int(fewest), int(most))


def _worths(client: Tournaments, event: str, given: list[str]) -> dict[str, int]:
    """Worths by player id, of texts PLAYER=WORTH."""
    numbers = pairs(given)
    ids = player_ids(client, event, [name for name, _ in numbers])
    return {player: number for player, (_, number) in zip(ids, numbers, strict=True)}


def _orders(client: Tournaments, event: str, bankrupt: list[str] | None) -> dict[str, int]:
    """Who went bankrupt as the how many-th, by player id."""
    return {player: order for order, player in enumerate(player_ids(client, event, bankrupt or ()), 1)}
