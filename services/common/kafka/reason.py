"""Why Kafka denies access: the errors that librdkafka got, since kafka-python reports only that it gave up."""

from __future__ import annotations

import time
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from services.common.kafka.settings import KafkaSettings

LOOK_SECONDS = 3.0
STEP_SECONDS = 0.25
# Errors that need an operator, unlike temporary ones.
LOCKED_OUT = (KafkaError._AUTHENTICATION, KafkaError._SSL)


def why_not(settings: KafkaSettings, config: dict[str, Any]) -> str:
    """A sentence, empty if Kafka lets us in after all; `config` is that of a client of `confluent-kafka`.

    Takes no longer than `LOOK_SECONDS`.
    """
    heard: list[KafkaError] = []
    options: dict[str, Any] = {**config, "error_cb": heard.append, "log_level": 0}
    client = AdminClient(options)
    deadline = time.monotonic() + LOOK_SECONDS
    while time.monotonic() < deadline:
        try:
            client.list_topics(timeout=STEP_SECONDS)
        except KafkaException:
            client.poll(0)
        else:
            return ""
        locked_out = [error for error in heard if error.code() in LOCKED_OUT]
        if locked_out:
            return locked_out[0].str()
    others = [error.str() for error in heard if error.code() != KafkaError._ALL_BROKERS_DOWN]
    return others[0] if others else f"nobody answers over {settings.protocol}"
