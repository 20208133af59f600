"""Where a log is, as commands are told: `sqlite:FILE`, `kafka:` or `kafka:HOST:PORT,HOST:PORT/PREFIX`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from services.common.errors import SignalboxError
from services.common.kafka.settings import KafkaSettings, load_kafka_settings

SQLITE = "sqlite:"
KAFKA = "kafka:"
SERVERS = "SIGNALBOX_KAFKA_SERVERS"
TOPIC_PREFIX = "SIGNALBOX_KAFKA_TOPIC_PREFIX"


class NoPlace(SignalboxError):
    """The text names no place of a log."""


@dataclass(frozen=True, slots=True)
class SqlitePlace:
    """A file of the embedded host."""

    path: Path

    def __str__(self) -> str:
        return f"{SQLITE}{self.path}"


@dataclass(frozen=True, slots=True)
class KafkaPlace:
    """The topics of a platform on Kafka."""

    settings: KafkaSettings

    def __str__(self) -> str:
        prefix = self.settings.topic_prefix
        return f"{KAFKA}{','.join(self.settings.servers)}{'/' if prefix else ''}{prefix}"


Place = SqlitePlace | KafkaPlace


def read_place(text: str, environment: Mapping[str, str]) -> Place:
    """The place that a text names; what it leaves out of a Kafka is taken from SIGNALBOX_KAFKA_*.

    Raises `NoPlace`, and `SettingsError` for what the environment says of Kafka."""
    if text.startswith(SQLITE) and len(text) > len(SQLITE):
        return SqlitePlace(Path(text.removeprefix(SQLITE)))
    if text.startswith(KAFKA):
        servers, _, prefix = text.removeprefix(KAFKA).partition("/")
        named = {name: value for name, value in ((SERVERS, servers), (TOPIC_PREFIX, prefix)) if value}
        return KafkaPlace(load_kafka_settings({**environment, **named}))
    raise NoPlace(
        f"{text!r} names no log: it must be sqlite:FILE, kafka: or kafka:HOST:PORT,HOST:PORT/PREFIX"
    )
