"""`signalbox migrate`: migrates a platform from an SQLite file to Kafka, or back."""

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

from services.cli.log_location import (
    InvalidLocation,
    KafkaLocation,
    LogLocation,
    SqliteLocation,
    parse_location,
)
from services.common.errors import SignalboxError
from services.common.eventlog.port import LogFileError

if TYPE_CHECKING:
    from services.migration.migrate import MigrationSummary
    from services.migration.sqlite_endpoint import SqliteEndpoint

NOT_MIGRATED = 1


def register(app: typer.Typer) -> None:
    """Add the command `migrate` to `app`."""

    @app.command("migrate")
    def migrate_command(
        source: Annotated[
            str,
            typer.Option("--from", metavar="LOCATION", help="sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX."),
        ],
        target: Annotated[
            str,
            typer.Option(
                "--to",
                metavar="LOCATION",
                help="The other kind of location; empty, or from an interrupted run.",
            ),
        ],
        offline_checked: Annotated[
            bool,
            typer.Option(
                "--offline-checked",
                help="Skip the check that services are stopped; you have checked it.",
            ),
        ] = False,
    ) -> None:
        """Copy every game, table, player, request and hold in order, and compare both sides event by event.

        An interrupted run can be repeated and resumes. Topics are made by `signalbox topics apply`. Services rebuild
        snapshots and books.

        Exit 0: both sides are equal; 1: otherwise, the message says why."""
        try:
            locations = parse_location(source, os.environ), parse_location(target, os.environ)
            began = time.perf_counter()
            summary = _migrated(*locations, offline_checked)
        except SignalboxError as problem:
            typer.echo(f"signalbox migrate: {problem}", err=True)
            raise typer.Exit(NOT_MIGRATED) from problem
        _show(summary, locations[1], time.perf_counter() - began)


def _migrated(source: LogLocation, target: LogLocation, is_offline: bool) -> MigrationSummary:
    from services.migration.migrate import to_kafka, to_sqlite

    with _Steps() as steps:
        if isinstance(source, SqliteLocation) and isinstance(target, KafkaLocation):
            with _opened(source.path, must_exist=True) as file:
                return to_kafka(file, target.settings, steps.on_progress, is_offline=is_offline)
        if isinstance(source, KafkaLocation) and isinstance(target, SqliteLocation):
            with _opened(target.path, must_exist=False) as file:
                return to_sqlite(source.settings, file, steps.on_progress, is_offline=is_offline)
    raise InvalidLocation(f"from {source} to {target}: one must be a file and the other Kafka")


@contextmanager
def _opened(path: Path, *, must_exist: bool) -> Iterator[SqliteEndpoint]:
    """The file, closed at the end. SQLite errors are raised as `LogFileError` with the file's name."""
    from services.migration.sqlite_endpoint import SqliteEndpoint

    try:
        with closing(SqliteEndpoint(path, must_exist=must_exist)) as file:
            yield file
    except sqlite3.Error as problem:
        raise LogFileError(f"{path}: {problem}") from problem


class _Steps:
    """One progress bar for each step of the migration."""

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

    def on_progress(self, step: str, events: int, total: int) -> None:
        """Advance the bar of a step by `events`."""
        if step not in self._tasks:
            self._tasks[step] = self._progress.add_task(step, total=total)
        self._progress.update(self._tasks[step], advance=events)  # type: ignore[arg-type]


def _show(summary: MigrationSummary, target: LogLocation, seconds: float) -> None:
    typer.echo(
        f"{target}: {summary.games} games, {summary.lobby_streams} streams of the lobby, {summary.events} events, "
        f"{summary.requests} requests, {summary.holds} holds; all compared and equal"
    )
    before = f", {summary.present_before} events were there before" if summary.present_before else ""
    typer.echo(f"{seconds:.1f} s{before}")
    for game_id in summary.without_status:
        typer.echo(f"game {game_id} is there, but its events cannot be read by this program", err=True)
