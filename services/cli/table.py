"""`signalbox table`: what the director of a table decides about its game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import typer
from google.protobuf import json_format

from services.cli.token_file import read_token
from services.client.calls import NotAnsweredError, Rejected
from services.client.games import Games
from services.client.lobby import Lobby
from services.client.retries import Retries
from services.common.errors import SignalboxError
from services.gen.signalbox.rules.v1 import command_pb2, game_pb2
from services.rules.adapters.codec import read_command
from services.rules.adapters.messages import MalformedMessageError
from services.rules.kernel.directing.commands import (
    ActForSeat,
    AssignSeat,
    Correct,
    Direct,
    Direction,
    EndGame,
    LeastMove,
    Resume,
    RollBack,
    Suspend,
)
from services.rules.kernel.values import Score

FAILED = 1
DEFAULT_LOBBY = "127.0.0.1:8401"
DEFAULT_RULES = "127.0.0.1:8402"
LEAST = "least"
RETRIES = Retries(seconds=5.0)
Table: TypeAlias = Annotated[str, typer.Argument(help="Id of the table.")]
Seat: TypeAlias = Annotated[str, typer.Argument(help="Seat: one of `seats` of the table.")]
TokenFile: TypeAlias = Annotated[
    Path, typer.Option(help="File with the token of the director or of an operator.", dir_okay=False)
]
Reason: TypeAlias = Annotated[str, typer.Option(help="Why; everybody at the table reads it.")]
At: TypeAlias = Annotated[
    int, typer.Option(help="Sequence of the position that was looked at; 0: the game as it is now.")
]
LobbyAddress: TypeAlias = Annotated[str, typer.Option("--lobby", help="Where the lobby answers, host:port.")]
RulesAddress: TypeAlias = Annotated[str, typer.Option("--rules", help="Where rules answers, host:port.")]


class _Malformed(SignalboxError):
    """An argument cannot be read; the message names it."""


class _Desk(NamedTuple):
    """The services as a director meets them."""

    lobby: Lobby
    games: Games

    def view(self, table: str) -> game_pb2.GameView:
        """The game of a table."""
        game_id = self.lobby.table(table).game_id
        if not game_id:
            raise _Malformed(f"{table}: its game has not begun")
        return self.games.game(game_id)

    def decide(self, table: str, direction: Direction, reason: str, at: int = 0, player: str = "") -> None:
        """Have it carried out, and say where the log of the game has it."""
        expected = at
        if direction.NEEDS_SEQUENCE and not at:
            expected = self.view(table).sequence
        done = self.lobby.direct(table, Direct(direction, reason), expected, player)
        typer.echo(f"{done.game_id}: events {done.first_sequence} to {done.last_sequence}")


@contextmanager
def _desk(token_file: Path, lobby: str = DEFAULT_LOBBY, rules: str = DEFAULT_RULES) -> Iterator[_Desk]:
    """Prints errors to standard error and ends the command."""
    with failing():
        token = read_token(token_file)
        desk = _Desk(Lobby(lobby, token, RETRIES), Games(rules, token, RETRIES))
        try:
            yield desk
        finally:
            desk.lobby.close()
            desk.games.close()


@contextmanager
def failing() -> Iterator[None]:
    """Prints errors to standard error and ends the command."""
    try:
        yield
    except (
        SignalboxError,
        Rejected,
        NotAnsweredError,
        MalformedMessageError,
        OSError,
        UnicodeError,
    ) as problem:
        typer.echo(f"signalbox table: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def register(app: typer.Typer) -> typer.Typer:
    """Add the commands `table ...` of directors to `app`, and return them."""
    table_app = typer.Typer(
        no_args_is_help=True,
        help="Tables of organisers and directors; see docs/tables.md and docs/directing.md.",
    )
    app.add_typer(table_app, name="table")
    _register_seats(table_app)
    _register_play(table_app)
    return table_app


def _register_seats(app: typer.Typer) -> None:
    @app.command("show")
    def show_command(
        table: Table,
        token_file: TokenFile,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
    ) -> None:
        """Who plays each seat, whether the game is suspended, and what was decided."""
        with _desk(token_file, lobby, rules) as desk:
            _show(desk.view(table))

    @app.command("substitute")
    def substitute_command(
        table: Table,
        seat: Seat,
        reason: Reason,
        token_file: TokenFile,
        player: Annotated[str, typer.Option(help="Name of the account that takes the seat.")] = "",
        bot: Annotated[
            bool, typer.Option("--bot", help="A bot plays it: of the house without --player.")
        ] = False,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Give a seat to another account."""
        direction = AssignSeat(seat, "", "bot" if bot else "substitute")
        with _desk(token_file, lobby) as desk:
            desk.decide(table, direction, reason, player=player)

    @app.command("suspend")
    def suspend_command(
        table: Table, reason: Reason, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY
    ) -> None:
        """Let nobody move until the game is resumed."""
        with _desk(token_file, lobby) as desk:
            desk.decide(table, Suspend(), reason)

    @app.command("resume")
    def resume_command(
        table: Table, reason: Reason, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY
    ) -> None:
        """Let the players move again."""
        with _desk(token_file, lobby) as desk:
            desk.decide(table, Resume(), reason)


def _register_play(app: typer.Typer) -> None:
    @app.command("roll-back")
    def roll_back_command(
        table: Table,
        to_sequence: Annotated[int, typer.Argument(help="Sequence of the last event that stays.")],
        reason: Reason,
        token_file: TokenFile,
        at: At = 0,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
    ) -> None:
        """Take back everything after an event, whatever the undo policy."""
        with _desk(token_file, lobby, rules) as desk:
            desk.decide(table, RollBack(to_sequence), reason, at)

    @app.command("act")
    def act_command(
        table: Table,
        seat: Seat,
        command: Annotated[
            str,
            typer.Argument(
                help='A Command as JSON, such as {"passTurn": {}}, or "least": what does least harm.'
            ),
        ],
        reason: Reason,
        token_file: TokenFile,
        at: At = 0,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
    ) -> None:
        """Carry out a command for a seat."""
        with _desk(token_file, lobby, rules) as desk:
            move = LeastMove() if command == LEAST else read_command(_command(command))
            desk.decide(table, ActForSeat(seat, move), reason, at)

    @app.command("correct")
    def correct_command(
        table: Table,
        source: Annotated[str, typer.Argument(help="Who pays: a seat, a company or bank.")],
        target: Annotated[str, typer.Argument(help="Who gets it.")],
        amount: Annotated[int, typer.Argument(help="Whole currency units.")],
        reason: Reason,
        token_file: TokenFile,
        subject: Annotated[str, typer.Option(help="Company, train or hex that it is about.")] = "",
        at: At = 0,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
    ) -> None:
        """Move money between holders."""
        with _desk(token_file, lobby, rules) as desk:
            desk.decide(table, Correct(source, target, amount, subject), reason, at)

    @app.command("end")
    def end_command(
        table: Table,
        scores: Annotated[list[str], typer.Argument(help="SEAT=SCORE for each seat.")],
        reason: Reason,
        token_file: TokenFile,
        at: At = 0,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
    ) -> None:
        """End the game with these scores."""
        with _desk(token_file, lobby, rules) as desk:
            desk.decide(table, EndGame(tuple(map(_score, scores))), reason, at)


def _command(text: str) -> command_pb2.Command:
    try:
        return json_format.Parse(text, command_pb2.Command())
    except json_format.ParseError as problem:
        raise _Malformed(f"the command is no JSON of a Command: {problem}") from problem


def _score(text: str) -> Score:
    seat, equals, value = text.rpartition("=")
    if not (seat and equals and value.lstrip("-").isdecimal()):
        raise _Malformed(f"{text!r} is not SEAT=SCORE")
    return Score(seat, int(value))


def _show(view: game_pb2.GameView) -> None:
    typer.echo(
        f"{view.game_id}  {view.title}  event {view.sequence}" + ("  suspended" if view.suspended else "")
    )
    for seat in view.seats:
        asked = "  to move" if seat.seat in view.acting_players else ""
        borne = "" if seat.bearer == seat.seat else f"  played by {seat.bearer}"
        typer.echo(f"  {seat.seat}{borne}{asked}")
    for decision in view.decisions:
        typer.echo(f"  {decision.sentence}")
