"""`signalbox migrate`: everything of a platform from one machine's file to Kafka, or back."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.cli.places import KafkaPlace, NoPlace, Place, SqlitePlace, read_place
from services.common.errors import SignalboxError
from services.common.eventlog.port import LogFileError

if TYPE_CHECKING:
    from services.migration.moving import Moved
    from services.migration.sqlite_side import SqliteSide

NOT_MOVED = 1


def register(app: typer.Typer) -> None:
    """Add the command `migrate` to `app`."""

    @app.command("migrate")
    def migrate_command(
        source: Annotated[
            str,
            typer.Option("--from", metavar="PLACE", help="sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX."),
        ],
        target: Annotated[
            str, typer.Option("--to", metavar="PLACE", help="The other kind of place; empty or begun before.")
        ],
        offline_checked: Annotated[
            bool,
            typer.Option(
                "--offline-checked",
                help="Do not ask Kafka whether services are running; you have seen to it.",
            ),
        ] = False,
    ) -> None:
        """Take every game, table, player, request and hold along, in order, and compare both sides event by event.

        May be started again after it was cut off: it then goes on. Topics are made by `signalbox topics apply`. Snapshots
        and books are made again by the services.

        Exit 0: all is there and equal; 1: not so, the message says why."""
        try:
            places = read_place(source, os.environ), read_place(target, os.environ)
            began = time.perf_counter()
            moved = _moved(*places, offline_checked)
        except SignalboxError as problem:
            typer.echo(f"signalbox migrate: {problem}", err=True)
            raise typer.Exit(NOT_MOVED) from problem
        _show(moved, places[1], time.perf_counter() - began)


def _moved(source: Place, target: Place, is_offline: bool) -> Moved:
    from services.migration.moving import to_kafka, to_sqlite

    with _Steps() as steps:
        if isinstance(source, SqlitePlace) and isinstance(target, KafkaPlace):
            with _opened(source.path, must_exist=True) as file:
                return to_kafka(file, target.settings, steps.told, is_offline=is_offline)
        if isinstance(source, KafkaPlace) and isinstance(target, SqlitePlace):
            with _opened(target.path, must_exist=False) as file:
                return to_sqlite(source.settings, file, steps.told, is_offline=is_offline)
    raise NoPlace(f"from {source} to {target}: one must be a file and the other Kafka")


@contextmanager
def _opened(path: Path, *, must_exist: bool) -> Iterator[SqliteSide]:
    """The file, closed at the end. What SQLite says against it is raised as `LogFileError`, which names it."""
    from services.migration.sqlite_side import SqliteSide

    try:
        with closing(SqliteSide(path, must_exist=must_exist)) as file:
            yield file
    except sqlite3.Error as problem:
        raise LogFileError(f"{path}: {problem}") from problem


class _Steps:
    """One progress bar for each step of the move."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("events"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, int] = {}

    def __enter__(self) -> _Steps:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def told(self, step: str, events: int, total: int) -> None:
        """So many further events of this step are done."""
        if step not in self._tasks:
            self._tasks[step] = self._progress.add_task(step, total=total)
        self._progress.update(self._tasks[step], advance=events)  # type: ignore[arg-type]


def _show(moved: Moved, target: Place, seconds: float) -> None:
    typer.echo(
        f"{target}: {moved.games} games, {moved.lobby_streams} streams of the lobby, {moved.events} events, "
        f"{moved.requests} requests, {moved.holds} holds; all compared and equal"
    )
    before = f", {moved.there_before} events were there before" if moved.there_before else ""
    typer.echo(f"{seconds:.1f} s{before}")
    for game_id in moved.without_standing:
        typer.echo(f"game {game_id} is there, but its events cannot be read by this program", err=True)
