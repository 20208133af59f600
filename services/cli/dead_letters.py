"""`signalbox dead-letters`: shows records that a reader of the log could not process, and releases their games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from getpass import getuser
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings
from services.common.kafka.topics import DEAD_LETTERS
from services.common.staff.acts import RELEASE_DEAD_LETTERS
from services.lobby.queues import NO_GAME, NothingHeldUp

if TYPE_CHECKING:
    from services.host.cluster.queues import KafkaQueues

STILL_BLOCKED = 1
NO_KAFKA = 2


def register(app: typer.Typer) -> None:
    """Add the commands `dead-letters list` and `dead-letters release` to `app`."""
    letters = typer.Typer(
        no_args_is_help=True,
        help="Records that readers of the log could not process. Settings: SIGNALBOX_KAFKA_*.",
    )
    app.add_typer(letters, name="dead-letters")

    @letters.command("list")
    def list_command() -> None:
        """Show every blocked game: its reader, the time and the reason of its first dead letter.

        Commands without a readable game are shown as game (none).
        Exit 0: none; 1: some; 2: Kafka cannot be used."""
        with _errors_printed("list"):
            count = _show()
        if count:
            raise typer.Exit(STILL_BLOCKED)

    @letters.command("release")
    def release_command(
        reader: Annotated[str, typer.Argument(help=f"One of {', '.join(DEAD_LETTERS)}.")],
        game_id: Annotated[str, typer.Argument(help="As `signalbox dead-letters list` shows it.")],
        seconds: Annotated[float, typer.Option(min=0, help="How long to wait for the release.")] = 30.0,
        reason: Annotated[str, typer.Option(help="Why; kept in the log of staff acts.")] = "",
        operator: Annotated[
            str, typer.Option(help="Who releases it; the user of this machine by default.")
        ] = "",
    ) -> None:
        """Process the dead letters of a game again, in order, and unblock the game.

        The owner of a game (rules.owner) only unblocks it: the senders of its dead letters already got an error. Game (none)
        removes the commands without a game from the list.

        Exit 0: unblocked; 1: still blocked, because a record still fails or no reader runs; 2: Kafka cannot be used."""
        with _errors_printed("release"):
            is_released = _release(reader, game_id, seconds, reason, operator)
        if not is_released:
            typer.echo(f"{game_id}: still blocked by {reader}; the log of {reader} says why", err=True)
            raise typer.Exit(STILL_BLOCKED)
        typer.echo(f"{game_id}: released")


@contextmanager
def _errors_printed(command: str) -> Iterator[None]:
    """Prints errors to standard error and ends the command."""
    try:
        yield
    except NothingHeldUp as nothing:
        typer.echo(f"signalbox dead-letters {command}: {nothing}", err=True)
        raise typer.Exit(STILL_BLOCKED) from nothing
    except SignalboxError as problem:
        typer.echo(f"signalbox dead-letters {command}: {problem}", err=True)
        raise typer.Exit(NO_KAFKA) from problem


def _queues() -> KafkaQueues:
    from services.host.cluster.queues import KafkaQueues

    return KafkaQueues(load_kafka_settings(os.environ))


def _show() -> int:
    """Print a table of all blocked games; returns their number."""
    found = _queues().blocked()
    if not found:
        typer.echo("no game is blocked")
        return 0
    table = Table()
    for column in ("reader", "game", "records", "since", "why"):
        # A game is copied from here into the next command.
        table.add_column(column, overflow="fold", no_wrap=column == "game")
    for each in found:
        since = datetime.fromtimestamp(each.since_time_ms / 1000, UTC)
        shown = since.isoformat(sep=" ", timespec="seconds")
        table.add_row(each.reader, each.game_id or NO_GAME, str(each.record_count), shown, each.reason)
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 110)
    console.print(table)
    return len(found)


def _release(reader: str, game_id: str, seconds: float, reason: str, operator: str) -> bool:
    """Ask the reader to release the game; whether it is released in time."""
    from services.cli.kafka_acts import record

    def note(game: str) -> None:
        kafka = load_kafka_settings(os.environ)
        record(kafka, RELEASE_DEAD_LETTERS, operator or getuser(), reason, game, reader)

    return _queues().release(reader, "" if game_id == NO_GAME else game_id, note, seconds)
