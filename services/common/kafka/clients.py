"""Configures each client library: servers, TLS and credentials.

`confluent-kafka` moves the records of the hot path, `kafka-python` administers and audits, Faust (over aiokafka) follows:
decision 13.
"""

from __future__ import annotations

import logging
from typing import Any

from confluent_kafka import Consumer, Producer
from kafka import KafkaAdminClient

from services.common.errors import SignalboxError
from services.common.kafka.reason import why_not
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import RECORD_BYTES_MAX

# At its most talkative the library writes its whole configuration into the log, the password with it.
logging.getLogger("kafka.admin.client").setLevel(logging.WARNING)

ANSWER_SECONDS = 10.0
# Of single records of ours that are not packed no algorithm leaves less, and all three clients have it built in: decision 33.
COMPRESSION = "gzip"
RECORD_OVERHEAD_BYTES = 64 * 1024
# For some milliseconds after a transaction the broker still marks its end, and refuses the next one. The library by itself asks
# again after 100 ms; each further pause is twice as long as the one before.
FIRST_RETRY_MS = 2


class KafkaUnreachable(SignalboxError):
    """No broker answers, or none lets us in; the message names them and what they said."""


def client_config(settings: KafkaSettings) -> dict[str, Any]:
    """Configuration of every client of `confluent-kafka`."""
    config: dict[str, Any] = {
        "bootstrap.servers": ",".join(settings.servers),
        "client.id": settings.instance,
        "security.protocol": settings.protocol,
        "reconnect.backoff.ms": 50,
        "reconnect.backoff.max.ms": 1_000,
        "log_level": 3,
        "logger": logging.getLogger("librdkafka"),
    }
    if settings.has_tls:
        if settings.ca_file is not None:
            config["ssl.ca.location"] = str(settings.ca_file)
        if settings.certificate_file is not None:
            config["ssl.certificate.location"] = str(settings.certificate_file)
            config["ssl.key.location"] = str(settings.key_file)
    if settings.has_sasl:
        config |= {
            "sasl.mechanism": settings.mechanism,
            "sasl.username": settings.user,
            "sasl.password": settings.password(),
        }
    return config


def new_producer(settings: KafkaSettings, **options: Any) -> Producer:
    """A producer that loses and doubles nothing: acknowledged by all replicas in step, idempotent."""
    return Producer(
        client_config(settings)
        | {
            "enable.idempotence": True,
            "acks": "all",
            "linger.ms": 0,
            "compression.type": COMPRESSION,
            "message.max.bytes": RECORD_BYTES_MAX,
        }
        | options
    )


def new_transactional_producer(settings: KafkaSettings, transactional_id: str, **options: Any) -> Producer:
    """As `new_producer`, for transactions that may follow each other at once."""
    named = {"transactional.id": transactional_id, "retry.backoff.ms": FIRST_RETRY_MS}
    return new_producer(settings, **(named | options))


def new_consumer(settings: KafkaSettings, group: str, **options: Any) -> Consumer:
    """A consumer that sees committed records only and never commits offsets automatically."""
    return Consumer(
        client_config(settings)
        | {
            "group.id": settings.topic_prefix + group,
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "fetch.wait.max.ms": 500,
            "fetch.message.max.bytes": RECORD_BYTES_MAX + RECORD_OVERHEAD_BYTES,
        }
        | options
    )


def admin_config(settings: KafkaSettings) -> dict[str, Any]:
    """Configuration of every client of `kafka-python`."""
    config: dict[str, Any] = {
        "bootstrap_servers": list(settings.servers),
        "client_id": settings.instance,
        "security_protocol": settings.protocol,
    }
    if settings.has_tls:
        config |= {
            "ssl_cafile": None if settings.ca_file is None else str(settings.ca_file),
            "ssl_certfile": None if settings.certificate_file is None else str(settings.certificate_file),
            "ssl_keyfile": None if settings.key_file is None else str(settings.key_file),
        }
    if settings.has_sasl:
        config |= {
            "sasl_mechanism": settings.mechanism,
            "sasl_plain_username": settings.user,
            "sasl_plain_password": settings.password(),
        }
    return config


def new_admin(settings: KafkaSettings, **options: Any) -> KafkaAdminClient:
    """A client for topics, groups and transactions. Raises `KafkaUnreachable`."""
    config = {"bootstrap_timeout_ms": int(ANSWER_SECONDS * 1000)} | admin_config(settings) | options
    try:
        return KafkaAdminClient(**config)
    except Exception as error:
        reason = why_not(settings, client_config(settings)) or str(error)
        raise KafkaUnreachable(f"Kafka at {', '.join(settings.servers)}: {reason}") from error
