"""`signalbox verify`: folds and books every game of a log and compares the results with everything else in it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

from services.audit.findings import Report
from services.audit.sqlite_check import check_sqlite, games_in
from services.audit.workers import OnProgress
from services.cli.log_location import LogLocation, SqliteLocation, parse_location
from services.common.errors import SignalboxError
from services.common.settings.service import SettingsError, load_settings

FOUND = 1
NOT_READ = 2
SHOWN = 200
# A container sees all cores of its node, and each process needs memory.
PROCESSES_MAX = 8


def default_processes() -> int:
    """The default number of processes."""
    return min(PROCESSES_MAX, os.cpu_count() or 1)


def register(app: typer.Typer) -> None:
    """Add the command `verify` to `app`."""

    @app.command("verify")
    def verify_command(
        log: Annotated[
            str,
            typer.Option(
                metavar="LOCATION",
                help="sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX; the file of the settings by default.",
            ),
        ] = "",
        books: Annotated[
            Path | None, typer.Option(help="File of a cluster's ledger, whose books are compared as well.")
        ] = None,
        verified: Annotated[
            Path | None,
            typer.Option(
                metavar="FOLDER",
                help="Kafka only: keeps what was verified, and checks only games with records since the last run with it.",
            ),
        ] = None,
        processes: Annotated[
            int, typer.Option(min=1, help="Processes that fold; one per core by default, and 8 at most.")
        ] = default_processes(),
    ) -> None:
        """Fold every game of a log and compare with snapshots, statuses, lists and books; check every record's position.
        Games may go on meanwhile.

        Exit 0: nothing was found; 1: findings, named by game and sequence; 2: the log cannot be read."""
        try:
            location = parse_location(log or f"sqlite:{load_settings(os.environ).database}", os.environ)
            if verified is not None and isinstance(location, SqliteLocation):
                raise SettingsError("--verified: is for a log on Kafka; a file is always checked as a whole")
            began = time.perf_counter()
            report = _checked(location, books, verified, processes)
        except SignalboxError as problem:
            typer.echo(f"signalbox verify: {problem}", err=True)
            raise typer.Exit(NOT_READ) from problem
        _show(report, str(location), time.perf_counter() - began)
        raise typer.Exit(0 if report.is_clean else FOUND)


def _checked(location: LogLocation, books: Path | None, verified: Path | None, processes: int) -> Report:
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        total = games_in(location.path) if isinstance(location, SqliteLocation) else None
        games = progress.add_task("games", total=total)
        on_progress: OnProgress = lambda checked: progress.update(games, advance=checked)  # noqa: E731
        if isinstance(location, SqliteLocation):
            return check_sqlite(location.path, processes=processes, on_progress=on_progress)
        from services.audit.kafka_check import check_kafka

        partitions = progress.add_task("partitions", total=None)
        return check_kafka(
            location.settings,
            processes=processes,
            books=books,
            verified=verified,
            on_progress=on_progress,
            on_partition=lambda done, of: progress.update(partitions, completed=done, total=of),
        )


def _show(report: Report, location: str, seconds: float) -> None:
    table = Table(title=location)
    table.add_column("title")
    columns = ("games", "finished", "events", "requests", "snapshots", "statuses", "held")
    for column in columns:
        table.add_column(column, justify="right")
    for title, counts in sorted(report.titles.items()):
        table.add_row(title, *(str(getattr(counts, column)) for column in columns))
    console = Console(highlight=False, markup=False)
    console.print(table)
    events = sum(counts.events for counts in report.titles.values())
    races = f", {report.lost_races} lost races in the lobby" if report.lost_races else ""
    console.print(
        f"{report.streams} streams{races}; {seconds:.1f} s, {events / max(seconds, 0.001):.0f} events/s",
        soft_wrap=True,
    )
    if report.unchanged:
        console.print(f"{report.unchanged} streams have nothing new since they were verified", soft_wrap=True)
    if report.archived:
        console.print(
            f"{report.archived} games are in the archive: signalbox archive check reads those", soft_wrap=True
        )
    for finding in report.findings[:SHOWN]:
        typer.echo(str(finding), err=True)
    if len(report.findings) > SHOWN:
        typer.echo(f"and {len(report.findings) - SHOWN} more", err=True)
    if report.advanced:
        typer.echo(
            f"{report.advanced} games got events meanwhile; they were checked as far as they had been read"
        )
    typer.echo(f"{len(report.findings)} findings" if report.findings else "nothing found")
