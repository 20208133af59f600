"""`signalbox api-tokens`: a player's tokens for programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from services.cli.token_file import read_token
from services.client.api_tokens import ApiTokens
from services.client.calls import NotAnsweredError, Rejected
from services.client.retries import Retries
from services.common.auth.scopes import SCOPES
from services.common.errors import SignalboxError
from services.gen.signalbox.lobby.v1.api_token_pb2 import ApiToken

FAILED = 2
DEFAULT_LOBBY = "127.0.0.1:8401"
RETRIES = Retries(seconds=3.0)
Lobby: TypeAlias = Annotated[str, typer.Option(help="Where the lobby answers, host:port.")]
TokenFile: TypeAlias = Annotated[
    Path, typer.Option(help="File with a token of LogIn.", exists=True, dir_okay=False)
]


def register(app: typer.Typer) -> None:
    """Add `api-tokens` to `app`."""
    tokens = typer.Typer(no_args_is_help=True, help="Your tokens for programs.")
    app.add_typer(tokens, name="api-tokens")

    @tokens.command("list")
    def list_command(token_file: TokenFile, lobby: Lobby = DEFAULT_LOBBY) -> None:
        """Show the tokens that are good, the newest first: id, end, last characters, scopes, label.

        Exit 2: the lobby does not answer."""
        with _tokens(lobby, token_file) as client:
            for each in client.good():
                typer.echo(shown_token(each))

    @tokens.command("make")
    def make_command(
        scopes: Annotated[list[str], typer.Argument(help=f"What it may do: of {', '.join(SCOPES)}.")],
        token_file: TokenFile,
        label: Annotated[str, typer.Option(help="What it is for; you alone see it.")] = "",
        days: Annotated[int, typer.Option(help="Days until it ends, up to 90; 0: 30.")] = 0,
        lobby: Lobby = DEFAULT_LOBBY,
    ) -> None:
        """Make a token, and print it and nothing else: nobody can show it again. Exit 2: there is none."""
        with _tokens(lobby, token_file) as client:
            typer.echo(client.make(scopes, label, days).token)

    @tokens.command("revoke")
    def revoke_command(
        token_id: Annotated[str, typer.Argument(help="As `signalbox api-tokens list` shows it.")],
        token_file: TokenFile,
        lobby: Lobby = DEFAULT_LOBBY,
    ) -> None:
        """Take a token back: every service refuses it from now on. Exit 2: it was not done."""
        with _tokens(lobby, token_file) as client:
            client.revoke(token_id)
        typer.echo(f"{token_id}: taken back")


def shown_token(token: ApiToken) -> str:
    """A token in one line: id, end, last characters, scopes, label."""
    end = datetime.fromtimestamp(token.expire_time_ms / 1000, UTC).isoformat(sep=" ", timespec="seconds")
    return (
        f"{token.token_id}  until {end}  ...{token.last_characters}  {','.join(token.scopes)}  {token.label}"
    )


@contextmanager
def _tokens(lobby: str, token_file: Path) -> Iterator[ApiTokens]:
    """A client of the lobby; prints errors to standard error and ends the command."""
    try:
        client = ApiTokens(lobby, read_token(token_file), RETRIES)
        try:
            yield client
        finally:
            client.close()
    except (SignalboxError, Rejected, NotAnsweredError, OSError, UnicodeError) as problem:
        typer.echo(f"signalbox api-tokens: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
