"""`signalbox topics`: creates, checks and lists the topics of the cluster host."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.table import Table

from services.common.errors import SignalboxError
from services.common.kafka.settings import KafkaSettings, load_kafka_settings
from services.common.kafka.topics import FOR_EVER, HOUR_MS, Topic

DIFFERENT = 1
NO_KAFKA = 2


def register(app: typer.Typer) -> None:
    """Add the commands `topics apply`, `topics check` and `topics list` to `app`."""
    topics = typer.Typer(
        no_args_is_help=True, help="The topics of the cluster host. Settings: SIGNALBOX_KAFKA_* variables."
    )
    app.add_typer(topics, name="topics")

    @topics.command("apply")
    def apply_command() -> None:
        """Create missing topics and correct settings that differ; may be repeated.

        Exit 1: a setting differs that is never changed, such as the partition count; 2: Kafka cannot be used."""
        with _kafka("apply") as kafka:
            from services.common.kafka.administration import apply_topics

            done = apply_topics(kafka)
            for line in done:
                typer.echo(line)
            typer.echo(f"{len(done)} changed" if done else "nothing to do")

    @topics.command("check")
    def check_command() -> None:
        """Show settings that would lose, misplace or reject records.

        Exit 0: none; 1: some; 2: Kafka cannot be used."""
        with _kafka("check") as kafka:
            from services.common.kafka.administration import check_topics

            check_topics(kafka)
            typer.echo("all topics are correct")

    @topics.command("list")
    def list_command() -> None:
        """Show every topic as declared and as Kafka has it.

        Exit 0: all exist and are correct; 1: otherwise; 2: Kafka cannot be used."""
        with _kafka("list") as kafka:
            if not _show(kafka):
                raise typer.Exit(DIFFERENT)


@contextmanager
def _kafka(command: str) -> Iterator[KafkaSettings]:
    """The settings; prints errors to standard error and ends the command. The client libraries are imported here,
    because the embedded host does not need them."""
    from services.common.kafka.administration import TopicsDiffer

    try:
        yield load_kafka_settings(os.environ)
    except TopicsDiffer as differ:
        for problem in differ.problems:
            typer.echo(problem, err=True)
        raise typer.Exit(DIFFERENT) from differ
    except SignalboxError as problem:
        typer.echo(f"signalbox topics {command}: {problem}", err=True)
        raise typer.Exit(NO_KAFKA) from problem


def _show(kafka: KafkaSettings) -> bool:
    """Print the table; whether all topics are correct."""
    from services.common.kafka.administration import differing, problems_of, topic_states

    table = Table(title=f"{len(kafka.servers)} servers, prefix {kafka.topic_prefix!r}")
    table.add_column("topic", no_wrap=True)
    for column in ("partitions", "copies"):
        table.add_column(column, justify="right")
    for column in ("keeps", "in Kafka"):
        table.add_column(column)
    sound = True
    for state in topic_states(kafka):
        problems = problems_of(state, kafka)
        sound = sound and not problems
        remarks = [problem.removeprefix(f"{state.name}: ") for problem in problems]
        if state.partitions:
            remarks += [
                f"{name} {state.config[name]}, declared {value}"
                for name, value in differing(state, kafka).items()
                if not any(remark.startswith(name) for remark in remarks)
            ]
        wanted = state.topic.partitions(kafka)
        table.add_row(
            state.name,
            str(state.partitions or wanted),
            str(state.copies or kafka.replication),
            _kept(state.topic),
            "; ".join(remarks) or "as declared",
        )
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 110)
    console.print(table)
    return sound


def _kept(topic: Topic) -> str:
    if topic.is_compacted:
        return "the latest of each key"
    return "for ever" if topic.keep_ms == FOR_EVER else f"{topic.keep_ms // HOUR_MS} h"
