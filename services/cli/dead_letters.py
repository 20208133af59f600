"""`signalbox dead-letters`: shows records that a reader of the log could not process, and releases their games."""

from __future__ import annotations

import os
import time
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
from services.common.kafka.topics import (
    BOOKS_DEAD_LETTERS,
    LOBBY_DEAD_LETTERS,
    OWNER_DEAD_LETTERS,
    ROUTING_DEAD_LETTERS,
    Topic,
)

if TYPE_CHECKING:
    from services.common.faust.dead_letters import DeadLetters

STILL_BLOCKED = 1
NO_KAFKA = 2
LOOK_EVERY_SECONDS = 0.1
ENDING = ".dead_letters"
OWNER = OWNER_DEAD_LETTERS.name.removesuffix(ENDING)
READERS = {
    topic.name.removesuffix(ENDING): topic
    for topic in (BOOKS_DEAD_LETTERS, LOBBY_DEAD_LETTERS, ROUTING_DEAD_LETTERS, OWNER_DEAD_LETTERS)
}
NO_GAME = "(none)"


class NoDeadLetters(SignalboxError):
    """There is nothing to release; the message says why."""


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
        reader: Annotated[str, typer.Argument(help=f"One of {', '.join(READERS)}.")],
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
    except NoDeadLetters as nothing:
        typer.echo(f"signalbox dead-letters {command}: {nothing}", err=True)
        raise typer.Exit(STILL_BLOCKED) from nothing
    except SignalboxError as problem:
        typer.echo(f"signalbox dead-letters {command}: {problem}", err=True)
        raise typer.Exit(NO_KAFKA) from problem


@contextmanager
def _games_of(topic: Topic) -> Iterator[DeadLetters]:
    """The dead letters of a topic, followed until the end of the block."""
    from services.common.faust.dead_letters import DeadLetters

    games = DeadLetters(load_kafka_settings(os.environ), topic)
    games.start()
    try:
        games.wait_current()
        yield games
    finally:
        games.close()


def _show() -> int:
    """Print a table of all blocked games; returns their number."""
    table = Table()
    for column in ("reader", "game", "records", "since", "why"):
        # A game is copied from here into the next command.
        table.add_column(column, overflow="fold", no_wrap=column == "game")
    count = 0
    for reader, topic in READERS.items():
        with _games_of(topic) as games:
            for game_id, reason in games.games().items():
                records = games.records_of(game_id)
                if not records:
                    # Released since the games were asked for.
                    continue
                since = min(each.recorded_time_ms for each in records)
                shown = datetime.fromtimestamp(since / 1000, UTC).isoformat(sep=" ", timespec="seconds")
                table.add_row(reader, game_id or NO_GAME, str(len(records)), shown, reason)
                count += 1
    if count:
        console = Console(highlight=False, markup=False)
        console.width = max(console.width, 110)
        console.print(table)
    else:
        typer.echo("no game is blocked")
    return count


def _release(reader: str, game_id: str, seconds: float, reason: str, operator: str) -> bool:
    """Ask the reader to release the game; whether it is released in time."""
    from services.cli.kafka_acts import record
    from services.rules.cluster.release import ask_owner

    if reader not in READERS:
        raise NoDeadLetters(f"{reader}: is none of {', '.join(READERS)}")
    with _games_of(READERS[reader]) as games:
        game_id = "" if game_id == NO_GAME else game_id
        if not games.is_blocked(game_id):
            raise NoDeadLetters(f"{game_id or NO_GAME}: is not blocked by {reader}")
        kafka = load_kafka_settings(os.environ)
        record(kafka, "release_dead_letters", operator or getuser(), reason, game_id, reader)
        if not game_id:
            games.note_released(game_id)
        elif reader == OWNER:
            ask_owner(kafka, game_id)
        else:
            games.ask_release(game_id)
        end = time.monotonic() + seconds
        while games.is_blocked(game_id) and time.monotonic() < end:
            time.sleep(LOOK_EVERY_SECONDS)
        return not games.is_blocked(game_id)
