"""The location of a log in command options: `sqlite:FILE`, `kafka:` or `kafka:HOST:PORT,HOST:PORT/PREFIX`."""

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


class InvalidLocation(SignalboxError):
    """The text names no location of a log."""


@dataclass(frozen=True, slots=True)
class SqliteLocation:
    """A file of the embedded host."""

    path: Path

    def __str__(self) -> str:
        return f"{SQLITE}{self.path}"


@dataclass(frozen=True, slots=True)
class KafkaLocation:
    """The topics of a platform on Kafka."""

    settings: KafkaSettings

    def __str__(self) -> str:
        prefix = self.settings.topic_prefix
        return f"{KAFKA}{','.join(self.settings.servers)}{'/' if prefix else ''}{prefix}"


LogLocation = SqliteLocation | KafkaLocation


def parse_location(text: str, environment: Mapping[str, str]) -> LogLocation:
    """Parse a location; missing parts of a Kafka location come from SIGNALBOX_KAFKA_*.

    Raises `InvalidLocation`, and `SettingsError` for the variables of Kafka."""
    if text.startswith(SQLITE) and len(text) > len(SQLITE):
        return SqliteLocation(Path(text.removeprefix(SQLITE)))
    if text.startswith(KAFKA):
        servers, _, prefix = text.removeprefix(KAFKA).partition("/")
        named = {name: value for name, value in ((SERVERS, servers), (TOPIC_PREFIX, prefix)) if value}
        return KafkaLocation(load_kafka_settings({**environment, **named}))
    raise InvalidLocation(
        f"{text!r} names no log: it must be sqlite:FILE, kafka: or kafka:HOST:PORT,HOST:PORT/PREFIX"
    )
