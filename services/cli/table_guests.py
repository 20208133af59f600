"""`signalbox table`: what organisers do before a game begins, and after it: open, invite, start, play again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from services.cli.table import (
    DEFAULT_LOBBY,
    RETRIES,
    LobbyAddress,
    Table,
    TokenFile,
    failing,
    register as register_directing,
)
from services.cli.table_clock import register as register_clocks
from services.cli.token_file import read_token
from services.client.guests import TableGuests
from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as pb, table_pb2

PlayerId = Annotated[
    str, typer.Argument(help="Id of the player, one of `players` or `invited` of the table.")
]
Shown = Literal["public", "link", "invited"]


@contextmanager
def _guests(token_file: TokenFile, lobby: str) -> Iterator[TableGuests]:
    """Prints errors to standard error and ends the command."""
    with failing():
        guests = TableGuests(lobby, read_token(token_file), RETRIES)
        try:
            yield guests
        finally:
            guests.close()


def register(app: typer.Typer) -> None:
    """Add the commands `table ...` of organisers and directors to `app`."""
    table_app = register_directing(app)
    _register_opening(table_app)
    _register_inviting(table_app)
    _register_joining(table_app)
    register_clocks(table_app)


def _register_opening(app: typer.Typer) -> None:
    @app.command("open")
    def open_command(
        title: Annotated[str, typer.Argument(help="Title, such as 1824.")],
        players: Annotated[int, typer.Argument(help="Number of chairs.")],
        token_file: TokenFile,
        visibility: Annotated[
            Shown, typer.Option(help="Who may see and join it, and see its game.")
        ] = "public",
        organise: Annotated[bool, typer.Option("--organise", help="Take no chair yourself.")] = False,
        direct: Annotated[bool, typer.Option("--direct", help="Direct the game.")] = False,
        give_seats: Annotated[
            bool, typer.Option("--give-seats", help="Give the seats at the start instead of drawing them.")
        ] = False,
        least_players: Annotated[int, typer.Option(help="Players with whom it may start; 0: all.")] = 0,
        delay_moves: Annotated[int, typer.Option(help="Others see the game so many commands later.")] = 0,
        delay_seconds: Annotated[int, typer.Option(help="Others see the game so many seconds later.")] = 0,
        clock: Annotated[
            Path | None, typer.Option(help="File with a clock policy as JSON, see docs/clocks.md.")
        ] = None,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Open a table; prints its id."""
        with failing():
            policy = "" if clock is None else clock.read_text(encoding="utf-8")
        request = pb.CreateTableRequest(
            title=title,
            player_count=players,
            visibility=f"TABLE_VISIBILITY_{visibility.upper()}",
            owner_organises=organise,
            owner_directs=direct,
            are_seats_given=give_seats,
            least_players=least_players,
            delay_moves=delay_moves,
            delay_seconds=delay_seconds,
            clock=policy,
        )
        with _guests(token_file, lobby) as guests:
            typer.echo(guests.open(request).table_id)


def _register_inviting(app: typer.Typer) -> None:
    @app.command("invite")
    def invite_command(
        table: Table,
        name: Annotated[str, typer.Argument(help="Name of the player.")],
        token_file: TokenFile,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Invite a player."""
        with _guests(token_file, lobby) as guests:
            _print(guests.invite(table, name))

    @app.command("withdraw")
    def withdraw_command(
        table: Table, player: PlayerId, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY
    ) -> None:
        """Take an invitation back."""
        with _guests(token_file, lobby) as guests:
            _print(guests.withdraw(table, player))

    @app.command("link")
    def link_command(table: Table, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY) -> None:
        """Make an invitation link; prints its token, and the one before does not count any more."""
        with _guests(token_file, lobby) as guests:
            typer.echo(guests.link(table))

    @app.command("remove")
    def remove_command(
        table: Table, player: PlayerId, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY
    ) -> None:
        """Take a player's chair before the start."""
        with _guests(token_file, lobby) as guests:
            _print(guests.remove(table, player))


def _register_joining(app: typer.Typer) -> None:
    @app.command("join")
    def join_command(
        table: Table,
        token_file: TokenFile,
        link: Annotated[str, typer.Option(help="Token of an invitation link.")] = "",
        substitute: Annotated[
            bool, typer.Option("--substitute", help="Offer to take a seat of the game that is played.")
        ] = False,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Take a chair, or offer to take a seat."""
        with _guests(token_file, lobby) as guests:
            _print(guests.join(table, link, substitute))

    @app.command("leave")
    def leave_command(table: Table, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY) -> None:
        """Give up a chair or an offer; an owner's table closes."""
        with _guests(token_file, lobby) as guests:
            _print(guests.leave(table))

    @app.command("start")
    def start_command(
        table: Table,
        token_file: TokenFile,
        seats: Annotated[
            list[str] | None, typer.Argument(help="Player ids in the order of seats, where you give them.")
        ] = None,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Begin the game."""
        with _guests(token_file, lobby) as guests:
            _print(guests.start(table, tuple(seats or ())))

    @app.command("rematch")
    def rematch_command(table: Table, token_file: TokenFile, lobby: LobbyAddress = DEFAULT_LOBBY) -> None:
        """Open or join the table that follows one whose game is over."""
        with _guests(token_file, lobby) as guests:
            _print(guests.rematch(table))


def _register_ending(app: typer.Typer) -> None:
    @app.command("agree")
    def agree_command(
        table: Table,
        token_file: TokenFile,
        take_back: Annotated[bool, typer.Option("--take-back", help="Do not agree any more.")] = False,
        lobby: LobbyAddress = DEFAULT_LOBBY,
    ) -> None:
        """Agree to end the game as it stands; it ends once all who play do."""
        with _guests(token_file, lobby) as guests:
            _print(guests.agree_to_end(table, not take_back))


def _print(table: table_pb2.Table) -> None:
    state = table_pb2.TableState.Name(table.state).removeprefix("TABLE_STATE_").lower()
    typer.echo(f"{table.table_id}: {state}, {len(table.players)} of {table.player_count} players")
    for player in table.players:
        typer.echo(f"  plays    {player.player_id}  {player.name}")
    for player in table.invited:
        typer.echo(f"  invited  {player.player_id}  {player.name}")
    for player in table.substitutes:
        typer.echo(f"  offers   {player.player_id}  {player.name}")
    for account in table.agreed_to_end:
        typer.echo(f"  agrees   {account}")
    if table.game_id:
        typer.echo(f"  game     {table.game_id}")
