"""The log of a lobby, opened for reading: a file of the embedded host, or a copy of Kafka's topic in a temporary folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from services.cli.log_location import KafkaLocation, SqliteLocation, parse_location
from services.common.errors import SignalboxError, Unavailable
from services.common.eventlog.port import EventLog
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import load_settings

COPY_SECONDS = 600.0


Checked = TypeVar("Checked")


class NoSuchLog(SignalboxError):
    """There is no file at the location."""


@contextmanager
def opened_lobby_log(location: str) -> Iterator[EventLog]:
    """The log at a location (`parse_location`), empty for the file of the settings. Raises `SignalboxError`."""
    found = parse_location(location or f"sqlite:{load_settings(os.environ).database}", os.environ)
    match found:
        case SqliteLocation(path):
            if not path.is_file():
                raise NoSuchLog(f"there is no event log {path}")
            log = SqliteEventLog(SqliteDatabase(path))
            try:
                yield log
            finally:
                log.close()
        case KafkaLocation(settings):
            yield from _copied(settings)


def checked_in_log(
    what: str, name: str, check: Callable[[EventLog, str], Checked | None], location: str
) -> Checked | None:
    """What `check` finds in the log for this id, None after saying why there is nothing. `what`: the kind of thing."""
    try:
        with opened_lobby_log(location) as log:
            checked = check(log, name)
    except NoSuchLog as problem:
        typer.echo(f"{name}: no file has this name, and {problem}", err=True)
        return None
    except SignalboxError as problem:
        typer.echo(f"{name}: {problem}", err=True)
        return None
    if checked is None:
        typer.echo(f"{name}: no such {what} in this log", err=True)
    return checked


def are_written(files: Mapping[str, str], folder: Path) -> bool:
    """Write texts by their names in a folder; False after saying why that cannot be done."""
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        typer.echo(f"{folder}: {error.strerror or error}", err=True)
        return False
    return True


def _copied(kafka: KafkaSettings) -> Iterator[EventLog]:
    # Kafka's client takes long to import, and few commands need it.
    from services.common.kafka.copy import LogCopy
    from services.common.kafka.topics import LOBBY_EVENTS

    with tempfile.TemporaryDirectory(prefix="signalbox-") as folder:
        copy = LogCopy(kafka, LOBBY_EVENTS, Path(folder) / "lobby.db")
        try:
            copy.start()
            if not copy.wait_current(COPY_SECONDS):
                raise Unavailable(f"the log was not copied from Kafka within {COPY_SECONDS:.0f} s")
            yield copy.log
        finally:
            copy.close()
