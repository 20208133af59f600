"""The demo on the cluster host: plays over the Kafka and Redis of the settings, then compares the log with the embedded
host's. It starts no brokers: in a checkout `python -m devtools.brokers` does."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer
from confluent_kafka import KafkaException
from msgspec.structs import replace
from rich.console import Console

from services.cli.demo_game import Choices, Played, folds, play
from services.cli.demo_settings import FAILED, USAGE, embedded_settings
from services.common.errors import SignalboxError
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_admin
from services.common.kafka.settings import KafkaSettings, load_kafka_settings
from services.common.kafka.topics import TOPICS
from services.common.redis.settings import RedisSettings, load_redis_settings
from services.common.settings.accounts import THROWAWAY_ACCOUNTS
from services.common.settings.service import Settings
from services.host.embedded import EmbeddedHost
from services.host.kafka_game import NEVER_DIRECT_SECONDS, KafkaGame, read_game
from services.host.processes import ClusterHost, Replicas
from services.host.reexecution import OtherOutcome, first_difference, reexecute
from services.rules.adapters.records import decoded

PREFIX_BYTES = 4


@dataclass(frozen=True, slots=True)
class _Steps:
    """Prints each step of the start with the time since it began."""

    console: Console
    began: float

    def tell(self, what: str) -> None:
        """One step is done."""
        self.console.print(f"{time.monotonic() - self.began:5.1f} s  {what}", highlight=False)


def demo_on_cluster(choices: Choices) -> int:
    """Play one game on a cluster host and compare the logs; returns the exit code."""
    console = Console()
    steps = _Steps(console, time.monotonic())
    try:
        with tempfile.TemporaryDirectory(prefix="signalbox-") as name, _brokers(steps) as brokers:
            return _demo(console, steps, Path(name), *brokers, choices)
    except (SignalboxError, KafkaException, OSError) as problem:
        typer.echo(f"signalbox demo: {problem}", err=True)
        return FAILED if isinstance(problem, OtherOutcome) else USAGE


@contextmanager
def _brokers(steps: _Steps) -> Iterator[tuple[KafkaSettings, RedisSettings | None]]:
    """The brokers of the environment; the demo's topics and keys have a unique prefix. Raises `SettingsError`."""
    prefix = f"demo-{secrets.token_hex(PREFIX_BYTES)}"
    kafka, redis = load_kafka_settings(os.environ), load_redis_settings(os.environ)
    kafka = replace(kafka, topic_prefix=f"{kafka.topic_prefix}{prefix}.")
    redis = redis and replace(redis, key_prefix=f"{redis.key_prefix}{prefix}:")
    steps.tell(f"Kafka at {', '.join(kafka.servers)}, Redis at {redis.address if redis else 'none'}")
    with _topics(kafka, steps):
        yield kafka, redis


@contextmanager
def _topics(kafka: KafkaSettings, steps: _Steps) -> Iterator[None]:
    """Creates the demo's topics and deletes them at the end, since the Kafka may be shared."""
    with closing(new_admin(kafka)) as admin:
        try:
            steps.tell(f"{len(apply_topics(kafka))} topics under {kafka.topic_prefix}")
            yield
        finally:
            # Where not all could be made some are missing.
            admin.delete_topics([topic.name_in(kafka) for topic in TOPICS], raise_errors=False)


def _demo(
    console: Console,
    steps: _Steps,
    folder: Path,
    kafka: KafkaSettings,
    redis: RedisSettings | None,
    choices: Choices,
) -> int:
    settings = Settings(
        routing_workers=1,
        log_level="warning",
        sign_in=THROWAWAY_ACCOUNTS,
        # The requests are carried out once more in the end.
        rules_direct_after_seconds=NEVER_DIRECT_SECONDS,
    )
    host = ClusterHost(
        folder, kafka, redis, Replicas(web=1), settings=settings, on_progress=lambda name: steps.tell(name)
    )
    try:
        host.start()
        played = play(console, host.addresses, choices)
        in_kafka = read_game(kafka, played.game_id)
    finally:
        host.stop()
    is_folded = _folds_from_kafka(console, in_kafka, played)
    is_same = _is_the_same_embedded(console, folder / "embedded", in_kafka, played.game_id)
    return 0 if played.is_sound and is_folded and is_same else FAILED


def _folds_from_kafka(console: Console, in_kafka: KafkaGame, played: Played) -> bool:
    events = decoded(in_kafka.facts)
    return folds(console, played.game_id, events, played.view, "Kafka's log")


def _is_the_same_embedded(console: Console, folder: Path, in_kafka: KafkaGame, game_id: str) -> bool:
    """Whether an embedded host, given the same commands, writes the same log."""
    folder.mkdir()
    host = EmbeddedHost(embedded_settings(folder))
    host.start()
    try:
        events = reexecute(host.rules, game_id, in_kafka.requests)
    finally:
        host.stop()
    sequence = first_difference(in_kafka.facts, events)
    if sequence is not None:
        console.print(f"THE EMBEDDED HOST'S LOG DIFFERS AT EVENT {sequence}", style="bold red")
        return False
    console.print(
        f"the embedded host makes the same {len(events)} events of the same {len(in_kafka.requests)} commands",
        style="bold green",
    )
    return True
