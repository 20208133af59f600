"""`signalbox repartition`: a platform into a set of topics with more partitions."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from services.common.errors import SignalboxError
from services.common.kafka.settings import PARTITIONS_MAX, load_kafka_settings
from services.common.objectstore.location import open_store

if TYPE_CHECKING:
    from services.backup.repartition import Moved, Repartition

FAILED = 1

Store = Annotated[
    str,
    typer.Option(metavar="LOCATION", help="folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX; of this move alone."),
]
Prefix = Annotated[
    str, typer.Option(metavar="PREFIX", help="SIGNALBOX_KAFKA_TOPIC_PREFIX of the new topics.")
]
Partitions = Annotated[
    int,
    typer.Option(
        metavar="NUMBER", min=1, max=PARTITIONS_MAX, help="SIGNALBOX_KAFKA_PARTITIONS of the new topics."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands `repartition prepare`, `switch` and `back` to `app`."""
    commands = typer.Typer(
        no_args_is_help=True,
        help="Move a platform into topics with more partitions. Settings: SIGNALBOX_KAFKA_* of the topics it plays in.",
    )
    app.add_typer(commands, name="repartition")

    @commands.command("prepare")
    def prepare_command(store: Store, prefix: Prefix, partitions: Partitions) -> None:
        """Copy everything into new topics while people play. Repeat it: each run copies what is new.

        Exit 0: everything until the run began is there; 1: otherwise, the message says why."""
        with _reported("prepare"):
            _copied(_move(store, prefix, partitions).prepare)

    @commands.command("switch")
    def switch_command(store: Store, prefix: Prefix, partitions: Partitions) -> None:
        """Close the old topics for ever, copy the rest, compare, and open the new ones. Services must be stopped. A run that was
        cut off can be repeated.

        Exit 0: start the services with the settings that are printed; 1: otherwise, the message says why."""
        with _reported("switch"):
            _copied(_move(store, prefix, partitions).switch)
            typer.echo(f"SIGNALBOX_KAFKA_TOPIC_PREFIX={prefix}")
            typer.echo(f"SIGNALBOX_KAFKA_PARTITIONS={partitions}")

    @commands.command("back")
    def back_command(store: Store, prefix: Prefix, partitions: Partitions) -> None:
        """Open the old topics again, as long as no service has run on the new ones, which are closed.

        Exit 0: services may be started with the settings of before; 1: otherwise, the message says why."""
        with _reported("back"):
            _move(store, prefix, partitions).go_back()
            typer.echo("the old topics are open")


@contextmanager
def _reported(step: str) -> Iterator[None]:
    try:
        yield
    except SignalboxError as problem:
        typer.echo(f"signalbox repartition {step}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _move(store: str, prefix: str, partitions: int) -> Repartition:
    from services.backup.repartition import Repartition

    old = load_kafka_settings(os.environ)
    return Repartition(old, replace(old, topic_prefix=prefix, partitions=partitions), open_store(store))


def _copied(step: Callable[[], Moved]) -> None:
    began = time.perf_counter()
    moved = step()
    for game_id in moved.brought.unread:
        typer.echo(f"game {game_id} is there, but its events cannot be read by this program", err=True)
    typer.echo(
        f"{moved.backed_up.records} new records; {moved.brought.facts} of {moved.brought.games} games and what is around them "
        f"are in the new topics, compared and equal; {time.perf_counter() - began:.1f} s"
    )
