"""`signalbox parked`: games that a reader of the log could not work with, looked at and let go on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings
from services.common.kafka.topics import BOOKS_PARKED, LOBBY_PARKED, OWNER_PARKED, ROUTING_PARKED, Topic

if TYPE_CHECKING:
    from services.common.faust.parking import ParkedGames

STILL_PARKED = 1
NO_KAFKA = 2
LOOK_EVERY_SECONDS = 0.1
ENDING = ".parked"
OWNER = OWNER_PARKED.name.removesuffix(ENDING)
READERS = {
    topic.name.removesuffix(ENDING): topic
    for topic in (BOOKS_PARKED, LOBBY_PARKED, ROUTING_PARKED, OWNER_PARKED)
}
NO_GAME = "(none)"


class NotParked(SignalboxError):
    """There is nothing to release; the message says why."""


def register(app: typer.Typer) -> None:
    """Add the commands `parked list` and `parked release` to `app`."""
    parked = typer.Typer(
        no_args_is_help=True, help="Games put aside by readers of the log. Settings: SIGNALBOX_KAFKA_*."
    )
    app.add_typer(parked, name="parked")

    @parked.command("list")
    def list_command() -> None:
        """Show every game that is put aside, by whom, since when and why.

        Commands of no game that the owner put aside are shown as game (none).
        Exit 0: none; 1: some; 2: Kafka cannot be used."""
        with _told("list"):
            count = _show()
        if count:
            raise typer.Exit(STILL_PARKED)

    @parked.command("release")
    def release_command(
        reader: Annotated[str, typer.Argument(help=f"One of {', '.join(READERS)}.")],
        game_id: Annotated[str, typer.Argument(help="As `signalbox parked list` shows it.")],
        seconds: Annotated[float, typer.Option(min=0, help="How long to wait until it goes on.")] = 30.0,
    ) -> None:
        """Have the records that were put aside worked with again, in their order, and let the game go on.

        The owner of a game carries out its next command again; who sent those that it put aside was told so. With game
        (none) the commands of no game leave the list.

        Exit 0: it goes on; 1: it stays parked, because a record still cannot be worked with or nobody reads; 2: Kafka cannot
        be used."""
        with _told("release"):
            goes_on = _release(reader, game_id, seconds)
        if not goes_on:
            typer.echo(f"{game_id}: still parked by {reader}; the log of {reader} says why", err=True)
            raise typer.Exit(STILL_PARKED)
        typer.echo(f"{game_id}: goes on")


@contextmanager
def _told(command: str) -> Iterator[None]:
    """What goes wrong is told on standard error and ends the command."""
    try:
        yield
    except NotParked as nothing:
        typer.echo(f"signalbox parked {command}: {nothing}", err=True)
        raise typer.Exit(STILL_PARKED) from nothing
    except SignalboxError as problem:
        typer.echo(f"signalbox parked {command}: {problem}", err=True)
        raise typer.Exit(NO_KAFKA) from problem


@contextmanager
def _games_of(topic: Topic) -> Iterator[ParkedGames]:
    """What stands in a parked topic now, and what comes."""
    from services.common.faust.parking import ParkedGames

    games = ParkedGames(load_kafka_settings(os.environ), topic)
    games.start()
    try:
        games.wait_current()
        yield games
    finally:
        games.close()


def _show() -> int:
    """Print a table of all parked games; how many there are."""
    table = Table()
    for column in ("reader", "game", "records", "since", "why"):
        table.add_column(column, overflow="fold")
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
        typer.echo("no game is parked")
    return count


def _release(reader: str, game_id: str, seconds: float) -> bool:
    """Ask the reader to try again; whether the game goes on in time."""
    from services.rules.cluster.release import ask_owner

    if reader not in READERS:
        raise NotParked(f"{reader}: is none of {', '.join(READERS)}")
    with _games_of(READERS[reader]) as games:
        game_id = "" if game_id == NO_GAME else game_id
        if not games.is_parked(game_id):
            raise NotParked(f"{game_id or NO_GAME}: is not parked by {reader}")
        if not game_id:
            games.note_released(game_id)
        elif reader == OWNER:
            ask_owner(load_kafka_settings(os.environ), game_id)
        else:
            games.ask_release(game_id)
        end = time.monotonic() + seconds
        while games.is_parked(game_id) and time.monotonic() < end:
            time.sleep(LOOK_EVERY_SECONDS)
        return not games.is_parked(game_id)
