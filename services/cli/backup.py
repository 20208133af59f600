"""`signalbox backup` and `signalbox restore`: a platform's facts into an object store while games go on, and back."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer

from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings
from services.common.objectstore.location import open_store
from services.common.settings.service import load_settings
from services.common.telemetry.logs import Telemetry, configure_logging, start_metrics_server

FAILED = 1

Store = Annotated[
    str,
    typer.Option(
        metavar="LOCATION", help="folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX; of this platform alone."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands `backup` and `restore` to `app`."""

    @app.command("backup")
    def backup_command(
        store: Store,
        every: Annotated[
            int | None,
            typer.Option(metavar="SECONDS", min=1, help="Go on, a point each so many seconds; once without."),
        ] = None,
    ) -> None:
        """Copy what is new on Kafka into an object store, while games go on. One process at a time: a later one replaces an
        earlier.

        Settings: SIGNALBOX_KAFKA_*; of a bucket AWS_REGION, AWS_ENDPOINT_URL_S3 and AWS_ACCESS_KEY_ID or what else the
        client library of AWS reads. With --every metrics are served at SIGNALBOX_HOST, SIGNALBOX_METRICS_PORT, until Ctrl-C or
        SIGTERM.

        Exit 0: everything until the time printed can be restored; 1: otherwise, the message says why."""
        with _reported("backup"):
            if every is None:
                _back_up_once(store)
            else:
                _back_up_every(store, every)

    @app.command("restore")
    def restore_command(
        store: Store,
        point: Annotated[
            int | None, typer.Option(metavar="NUMBER", min=0, help="An earlier point; the newest without.")
        ] = None,
        may_repartition: Annotated[
            bool,
            typer.Option("--repartition", help="Into another number of partitions than the platform had."),
        ] = False,
        shows_points: Annotated[
            bool, typer.Option("--list", help="Print the points that can be restored, and restore none.")
        ] = False,
    ) -> None:
        """Write a backup into an empty Kafka, and compare all of it. Services must be stopped. A run that was cut off can be
        repeated and resumes.

        Settings: SIGNALBOX_KAFKA_*, with the number of partitions that the platform had, or with --repartition
        any; of a bucket as for `backup`.

        Exit 0: Kafka has what the backup has; 1: otherwise, the message says why."""
        with _reported("restore"):
            if shows_points:
                _list(store)
            else:
                _restore(store, point, may_repartition)


@contextmanager
def _reported(command: str) -> Iterator[None]:
    try:
        yield
    except SignalboxError as problem:
        typer.echo(f"signalbox {command}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _back_up_once(location: str) -> None:
    from services.backup.backup import Backup

    backup = Backup(load_kafka_settings(os.environ), open_store(location))
    try:
        began = time.perf_counter()
        done = backup.run()
    finally:
        backup.close()
    typer.echo(
        f"point {done.point.number}, {_moment(done.point.time_ms)}: {done.records} records, {done.bytes} bytes, "
        f"{time.perf_counter() - began:.1f} s"
    )


def _back_up_every(location: str, seconds: int) -> None:
    from services.backup.loop import BackupLoop
    from services.common.process.stopping import stop_signals

    settings = load_settings(os.environ)
    configure_logging(settings.log_level)
    telemetry = Telemetry()
    loop = BackupLoop(load_kafka_settings(os.environ), open_store(location), seconds, telemetry.registry)
    with ExitStack() as stack:
        stop, _port = start_metrics_server(telemetry, settings.host, settings.metrics_port)
        stack.callback(stop)
        loop.run(stack.enter_context(stop_signals()))


def _list(location: str) -> None:
    from services.backup.catalogue import Catalogue

    catalogue = Catalogue(open_store(location))
    for number in catalogue.point_numbers():
        point = catalogue.point(number)
        if point.consistent:
            typer.echo(f"{number}  {_moment(point.time_ms)}  {point.records} records  {point.bytes} bytes")


def _restore(location: str, number: int | None, may_repartition: bool) -> None:
    from services.backup.restore import restore

    began = time.perf_counter()
    done = restore(
        load_kafka_settings(os.environ), open_store(location), number, may_repartition=may_repartition
    )
    brought = done.brought
    for game_id in brought.unread:
        typer.echo(f"game {game_id} is there, but its events cannot be read by this program", err=True)
    typer.echo(
        f"point {done.point.number}, {_moment(done.point.time_ms)}: {brought.facts} records of {brought.games} games and what is "
        f"around them, compared and equal; {brought.statuses_computed} statuses computed; {time.perf_counter() - began:.1f} s"
    )


def _moment(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds")
