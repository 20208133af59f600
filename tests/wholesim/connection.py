"""How clients reach the Kafka in memory: with delays, and not at all while it is away."""

from __future__ import annotations

from confluent_kafka import KafkaError, KafkaException

from services.common.kafka.kept_clients import KEPT
from tests.wholesim.kafka_log import Kafka
from tests.wholesim.primitives import schedule

LATENCY_MAX = 0.004
LATE_SHARE, LATE_SECONDS_MAX = 0.01, 0.3
ANSWER_SECONDS = 10.0


class _Connected:
    """The Kafka of the run at hand."""

    kafka: Kafka


def connect(kafka: Kafka) -> None:
    """Clients made from now on talk to this one, and none is kept from another run."""
    _Connected.kafka = kafka
    KEPT.close()


def connected() -> Kafka:
    """The Kafka of the run at hand. Raises `ProcessKilled` for a dead process."""
    schedule().check_alive()
    return _Connected.kafka


def kafka_error(code: int, text: str, *, fatal: bool = False, retriable: bool = False) -> KafkaException:
    """What a client library raises."""
    return KafkaException(KafkaError(code, text, fatal, retriable))


def latency() -> float:
    """Mostly short, at times very long."""
    draw = schedule().random
    return draw.uniform(0, LATE_SECONDS_MAX if draw.random() < LATE_SHARE else LATENCY_MAX)


def on_the_way() -> None:
    """Wait as long as a message takes, and while no broker answers. Raises what a client says after long."""
    running = schedule()
    running.sleep(latency())
    away = connected().away_seconds
    if away:
        running.sleep(min(away, ANSWER_SECONDS))
        if away > ANSWER_SECONDS:
            raise kafka_error(KafkaError._TIMED_OUT, "no broker answers", retriable=True)
