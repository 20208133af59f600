"""`signalbox holds`: holds games, lists and releases held ones, and rebuilds their books."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from services.cli.token_file import read_token
from services.client.books import Books
from services.client.calls import NotAnsweredError, Rejected
from services.client.retries import Retries
from services.common.errors import SignalboxError

HELD = 1
FAILED = 2
Ledger: TypeAlias = Annotated[str, typer.Option(help="Where the ledger answers, host:port.")]
TokenFile: TypeAlias = Annotated[
    Path, typer.Option(help="File with the token of an operator.", exists=True, dir_okay=False)
]
Reason: TypeAlias = Annotated[str, typer.Option(help="Why; kept in the log of staff acts.")]
DEFAULT_LEDGER = "127.0.0.1:8404"
# An operator who waits at a terminal learns soon that the ledger is away.
RETRIES = Retries(seconds=3.0)


def register(app: typer.Typer) -> None:
    """Add `holds` to `app`."""
    holds = typer.Typer(
        no_args_is_help=True, help="Games that the ledger or an operator holds; for operators."
    )
    app.add_typer(holds, name="holds")

    @holds.command("list")
    def list_command(token_file: TokenFile, ledger: Ledger = DEFAULT_LEDGER) -> None:
        """Show every held game, what was found and after which event.

        Exit 0: none is held; 1: some are; 2: the ledger does not answer."""
        with _books(ledger, token_file) as books:
            held = books.holds()
        for hold in held:
            typer.echo(f"{hold.game_id}  {hold.reason} after {hold.sequence}: {hold.detail}")
        if held:
            raise typer.Exit(HELD)
        typer.echo("no game is held")

    @holds.command("hold")
    def hold_command(
        game_id: str,
        token_file: TokenFile,
        reason: Annotated[str, typer.Option(help="Why; everybody who sees the game reads it.")],
        ledger: Ledger = DEFAULT_LEDGER,
    ) -> None:
        """Hold a game: its commands are rejected with the reason until it is released.

        Exit 2: it has no books, you are no operator, or the ledger does not answer."""
        with _books(ledger, token_file) as books:
            hold = books.hold(game_id, reason)
        typer.echo(f"{game_id}: held because of {hold.reason} after {hold.sequence}: {hold.detail}")

    @holds.command("release")
    def release_command(
        game_id: str, token_file: TokenFile, reason: Reason = "", ledger: Ledger = DEFAULT_LEDGER
    ) -> None:
        """Release a held game; a remaining cause holds it again with its next event.

        Exit 2: it is not held, you are no operator, or the ledger does not answer."""
        with _books(ledger, token_file) as books:
            hold = books.release_hold(game_id, reason)
        typer.echo(f"{game_id}: released, was held because of {hold.reason}")

    @holds.command("rebuild")
    def rebuild_command(
        game_id: str, token_file: TokenFile, reason: Reason = "", ledger: Ledger = DEFAULT_LEDGER
    ) -> None:
        """Rebuild the book of a game from the log; a hold stays until it is released.

        Exit 2: you are no operator, or the ledger does not answer."""
        with _books(ledger, token_file) as books:
            sequence = books.rebuild(game_id, reason)
        typer.echo(f"{game_id}: rebuilt up to event {sequence}")


@contextmanager
def _books(ledger: str, token_file: Path) -> Iterator[Books]:
    """A client of the ledger; prints errors to standard error and ends the command."""
    try:
        books = Books(ledger, read_token(token_file), RETRIES)
        try:
            yield books
        finally:
            books.close()
    except (SignalboxError, Rejected, NotAnsweredError, OSError, UnicodeError) as problem:
        typer.echo(f"signalbox holds: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
