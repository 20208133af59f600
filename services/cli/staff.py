"""`signalbox staff`: bans players, ends their sessions, and shows what operators have done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from services.cli.api_tokens import shown_token
from services.cli.token_file import read_token
from services.client.calls import NotAnsweredError, Rejected
from services.client.retries import Retries
from services.client.staff import Staff
from services.common.errors import SignalboxError
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct

FAILED = 2
DEFAULT_LOBBY = "127.0.0.1:8401"
DAY_MS = 24 * 3600 * 1000
# An operator who waits at a terminal learns soon that the lobby is away.
RETRIES = Retries(seconds=3.0)
Lobby: TypeAlias = Annotated[str, typer.Option(help="Where the lobby answers, host:port.")]
TokenFile: TypeAlias = Annotated[
    Path, typer.Option(help="File with the token of an operator.", exists=True, dir_okay=False)
]
Player: TypeAlias = Annotated[str, typer.Argument(help="Name or id of the player.")]
Reason: TypeAlias = Annotated[str, typer.Option(help="Why; kept in the log of staff acts.")]


def register(app: typer.Typer) -> None:
    """Add `staff` to `app`."""
    staff = typer.Typer(no_args_is_help=True, help="Bans, sessions and the log of staff acts; for operators.")
    app.add_typer(staff, name="staff")
    _register_acts(staff)
    _register_lists(staff)


def _register_acts(staff: typer.Typer) -> None:
    @staff.command("ban")
    def ban_command(
        player: Player,
        token_file: TokenFile,
        reason: Annotated[str, typer.Option(help="Why; the player reads it.")],
        days: Annotated[float, typer.Option(min=0, help="How long; 0: for good.")] = 0.0,
        lobby: Lobby = DEFAULT_LOBBY,
    ) -> None:
        """Ban a player: all tokens are refused, streams end, and signing in is rejected with the reason.

        Games go on: a director seats somebody else. Exit 2: it was not done."""
        with _staff(lobby, token_file) as client:
            until_ms = int(time.time() * 1000 + days * DAY_MS) if days else 0
            done = client.ban(client.player_id(player), reason, until_ms)
        typer.echo(f"{player}: banned {_until(done)}")

    @staff.command("unban")
    def unban_command(
        player: Player, token_file: TokenFile, reason: Reason, lobby: Lobby = DEFAULT_LOBBY
    ) -> None:
        """End a ban. The player signs in again. Exit 2: it was not done."""
        with _staff(lobby, token_file) as client:
            client.unban(client.player_id(player), reason)
        typer.echo(f"{player}: not banned any more")

    @staff.command("end-sessions")
    def end_command(
        player: Player, token_file: TokenFile, reason: Reason, lobby: Lobby = DEFAULT_LOBBY
    ) -> None:
        """End all sessions of a player: tokens issued until now are refused, those of programs too.

        Exit 2: it was not done."""
        with _staff(lobby, token_file) as client:
            client.end_sessions(client.player_id(player), reason)
        typer.echo(f"{player}: all sessions ended")

    @staff.command("revoke-token")
    def revoke_command(
        player: Player,
        token_id: Annotated[str, typer.Argument(help="As `signalbox staff tokens` shows it.")],
        token_file: TokenFile,
        reason: Reason,
        lobby: Lobby = DEFAULT_LOBBY,
    ) -> None:
        """Take a player's token for programs back; all others stay good. Exit 2: it was not done."""
        with _staff(lobby, token_file) as client:
            client.revoke_token(client.player_id(player), token_id, reason)
        typer.echo(f"{token_id}: taken back")


def _register_lists(staff: typer.Typer) -> None:
    @staff.command("tokens")
    def tokens_command(player: Player, token_file: TokenFile, lobby: Lobby = DEFAULT_LOBBY) -> None:
        """Show the tokens for programs of a player that are good. Exit 2: the lobby does not answer."""
        with _staff(lobby, token_file) as client:
            for each in client.tokens(client.player_id(player)):
                typer.echo(shown_token(each))

    @staff.command("bans")
    def bans_command(token_file: TokenFile, lobby: Lobby = DEFAULT_LOBBY) -> None:
        """Show the bans in force, newest first. Exit 2: the lobby does not answer."""
        with _staff(lobby, token_file) as client:
            for each in client.bans():
                typer.echo(f"{each.player_id}  {_until(each)}  by {each.author_name}: {each.reason}")

    @staff.command("acts")
    def acts_command(
        token_file: TokenFile,
        author: Annotated[str, typer.Option(help="Only of this operator, by id.")] = "",
        player: Annotated[str, typer.Option(help="Only about this player, by name or id.")] = "",
        game: Annotated[str, typer.Option(help="Only about this game, by id.")] = "",
        act: Annotated[str, typer.Option(help="Only of this kind, such as ban.")] = "",
        most: Annotated[int, typer.Option(min=1, help="Most acts to show.")] = 100,
        lobby: Lobby = DEFAULT_LOBBY,
    ) -> None:
        """Show what operators have done, newest first. Exit 2: the lobby does not answer."""
        with _staff(lobby, token_file) as client:
            player_id = client.player_id(player) if player else ""
            found = client.acts(author_id=author, player_id=player_id, game_id=game, act=act)
            for each in islice(found, most):
                about = " ".join(filter(None, (each.act, each.player_id, each.game_id, each.detail)))
                until = f" {_until(each)}" if each.act == "ban" else ""
                typer.echo(f"{_shown(each.time_ms)}  {each.author_name}  {about}{until}: {each.reason}")


def _until(ban: StaffAct) -> str:
    return f"until {_shown(ban.until_time_ms)}" if ban.until_time_ms else "for good"


def _shown(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(sep=" ", timespec="seconds")


@contextmanager
def _staff(lobby: str, token_file: Path) -> Iterator[Staff]:
    """A client of the lobby; prints errors to standard error and ends the command."""
    try:
        client = Staff(lobby, read_token(token_file), RETRIES)
        try:
            yield client
        finally:
            client.close()
    except (SignalboxError, Rejected, NotAnsweredError, OSError, UnicodeError) as problem:
        typer.echo(f"signalbox staff: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
