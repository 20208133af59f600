"""`signalbox verify`: every game of a log folded and booked again, and compared with all that is said about it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from services.audit.findings import Report
from services.audit.sqlite_check import check_sqlite, games_in, stored_books
from services.audit.workers import Told
from services.cli.places import Place, SqlitePlace, read_place
from services.common.errors import SignalboxError
from services.common.settings.service import load_settings

FOUND = 1
NOT_READ = 2
SHOWN = 200
# A container sees the cores of its node, and each process takes memory of its own.
PROCESSES_MAX = 8


def default_processes() -> int:
    """Processes that fold where nobody says how many."""
    return min(PROCESSES_MAX, os.cpu_count() or 1)


def register(app: typer.Typer) -> None:
    """Add the command `verify` to `app`."""

    @app.command("verify")
    def verify_command(
        log: Annotated[
            str,
            typer.Option(
                metavar="PLACE",
                help="sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX; the file of the settings by default.",
            ),
        ] = "",
        books: Annotated[
            Path | None, typer.Option(help="File of a cluster's ledger, whose books are compared as well.")
        ] = None,
        processes: Annotated[
            int, typer.Option(min=1, help="Processes that fold; one per core by default, and 8 at most.")
        ] = default_processes(),
    ) -> None:
        """Fold every game of a log again and compare with snapshots, standings, lists and books; look at every record's
        place. Games may go on meanwhile.

        Exit 0: nothing was found; 1: something, named by game and sequence; 2: the log cannot be read."""
        try:
            place = read_place(log or f"sqlite:{load_settings(os.environ).database}", os.environ)
            began = time.perf_counter()
            report = _checked(place, books, processes)
        except SignalboxError as problem:
            typer.echo(f"signalbox verify: {problem}", err=True)
            raise typer.Exit(NOT_READ) from problem
        _show(report, str(place), time.perf_counter() - began)
        raise typer.Exit(0 if report.is_clean else FOUND)


def _checked(place: Place, books: Path | None, processes: int) -> Report:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        total = games_in(place.path) if isinstance(place, SqlitePlace) else None
        task = progress.add_task("games", total=total)
        told: Told = lambda games: progress.update(task, advance=games)  # noqa: E731
        if isinstance(place, SqlitePlace):
            return check_sqlite(place.path, processes=processes, told=told)
        from services.audit.kafka_check import check_kafka

        kept = stored_books(books) if books is not None else None
        return check_kafka(place.settings, processes=processes, books=kept, told=told)


def _show(report: Report, place: str, seconds: float) -> None:
    table = Table(title=place)
    table.add_column("title")
    columns = ("games", "finished", "events", "requests", "snapshots", "standings", "held")
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
    for finding in report.findings[:SHOWN]:
        typer.echo(str(finding), err=True)
    if len(report.findings) > SHOWN:
        typer.echo(f"and {len(report.findings) - SHOWN} more", err=True)
    if report.moved:
        typer.echo(f"{report.moved} games went on meanwhile; they were checked as far as had been read")
    typer.echo(f"{len(report.findings)} findings" if report.findings else "nothing found")
