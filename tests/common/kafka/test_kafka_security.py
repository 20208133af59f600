"""A Kafka behind TLS and passwords: who gets access, and that a service names the reason at its start."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.brokers.certificates import make_certificates
from devtools.brokers.kafka import KafkaServers
from devtools.brokers.kafka_properties import STRANGER
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.common.kafka import clients
from services.common.kafka.administration import TopicsDiffer, apply_topics, check_topics
from services.common.kafka.clients import KafkaUnreachable, new_consumer, new_producer
from services.common.kafka.settings import KafkaSettings, load_kafka_settings
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.settings.service import SettingsError
from services.host.processes import environment_of
from tests.brokers import need

pytestmark = pytest.mark.integration

NAMED_SECONDS = 60.0


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServers]:
    """A Kafka that asks for TLS and a password."""
    try:
        servers = open_kafka(tmp_path_factory.mktemp("kafka"), protocol="SASL_SSL")
    except BrokersMissing as missing:
        need(str(missing))
        raise
    with servers:
        yield servers


@pytest.fixture(scope="module")
def settings(guarded: KafkaServers) -> KafkaSettings:
    """What lets us in, as a service reads it from its environment; our topic is there."""
    settings = load_kafka_settings(environment_of(guarded.settings("s.", partitions=2), "SIGNALBOX_KAFKA_"))
    apply_topics(settings, [LEDGER_EVENTS])
    return settings


def changed(settings: KafkaSettings, **variables: str | None) -> KafkaSettings:
    """These settings with other variables, or without them."""
    environment: dict[str, str | None] = dict(environment_of(settings, "SIGNALBOX_KAFKA_"))
    environment |= {f"SIGNALBOX_KAFKA_{name.upper()}": value for name, value in variables.items()}
    return load_kafka_settings({name: value for name, value in environment.items() if value is not None})


def test_with_the_right_password_records_come_and_go(settings: KafkaSettings) -> None:
    """Both clients come in: topics are as declared, what is written is read."""
    check_topics(settings, [LEDGER_EVENTS])
    name = LEDGER_EVENTS.name_in(settings)
    producer = new_producer(settings)
    producer.produce(name, b"body", b"key", partition=0)
    assert producer.flush(NAMED_SECONDS) == 0
    consumer = new_consumer(settings, "readers")
    consumer.subscribe([name])
    deadline = time.monotonic() + NAMED_SECONDS
    record = None
    while record is None and time.monotonic() < deadline:
        record = consumer.poll(0.2)
    consumer.close()
    assert record is not None and record.value() == b"body"


@pytest.mark.parametrize("fault", ["password", "authority", "plain"])
def test_why_we_do_not_come_in_is_named(
    settings: KafkaSettings, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password, an authority that we do not trust and a connection without TLS end the start with a sentence."""
    monkeypatch.setattr(clients, "ANSWER_SECONDS", 2.0)
    wrong_password = tmp_path / "password"
    wrong_password.write_text("guessed")
    faults: dict[str, tuple[dict[str, str | None], str]] = {
        "password": ({"password_file": str(wrong_password)}, "authentication"),
        "authority": (
            {"ca_file": str(make_certificates(tmp_path / "others").authority)},
            "certificate verify failed",
        ),
        "plain": (
            {"protocol": "SASL_PLAINTEXT", "ca_file": None, "certificate_file": None, "key_file": None},
            "nobody answers over sasl_plaintext",
        ),
    }
    variables, words = faults[fault]
    began = time.monotonic()
    with pytest.raises(KafkaUnreachable) as caught:
        check_topics(changed(settings, **variables), [LEDGER_EVENTS])
    assert time.monotonic() - began < NAMED_SECONDS
    message = str(caught.value)
    assert message.startswith(f"Kafka at {settings.servers[0]}: ")
    assert words in message.lower()
    assert "guessed" not in message


def test_topics_without_rights_are_named(settings: KafkaSettings) -> None:
    """A user without rights gets the names of the topics that it may not use."""
    with pytest.raises(TopicsDiffer) as caught:
        check_topics(changed(settings, user=STRANGER), [LEDGER_EVENTS])
    assert LEDGER_EVENTS.name_in(settings) in str(caught.value)
    assert "authoriz" in str(caught.value).lower()


def test_half_settings_are_named(settings: KafkaSettings, tmp_path: Path) -> None:
    """A missing password file and an authority's file that is not there never reach Kafka."""
    for name in ("password_file", "ca_file"):
        with pytest.raises(SettingsError, match=f"SIGNALBOX_KAFKA_{name.upper()}: .*none"):
            changed(settings, **{name: str(tmp_path / "none")})
