"""A follower at a Kafka that lets nobody in without a password over TLS, and that goes away and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.common.kafka.clients import KafkaUnreachable
from tests.brokers import need

from .followers import Notes, Writer, eventually, followed_topics, follower

pytestmark = pytest.mark.integration


def test_a_follower_comes_in_by_password_and_outlives_its_broker(tmp_path: Path) -> None:
    """Records from before and after the death of the broker are all handled, each once; a wrong password is named."""
    try:
        servers = open_kafka(tmp_path / "kafka", protocol="SASL_SSL", is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
    notes, registry = Notes(), CollectorRegistry()
    try:
        with followed_topics(servers) as kafka, follower(kafka, tmp_path, notes, registry=registry) as app:
            writer = Writer(kafka)
            writer.write([("g", b"%d" % each) for each in range(50)])
            eventually(lambda: len(notes.seen) == 50, "the records before")
            servers.nodes[0].kill()
            servers.nodes[0].start()
            Writer(kafka).write([("g", b"%d" % each) for each in range(50, 60)])
            eventually(lambda: len(set(notes.values())) == 60, "the records after")
            assert list(dict.fromkeys(notes.values())) == [b"%d" % each for each in range(60)]
            assert app.dead_letters.games() == {}
            stranger = tmp_path / "wrong"
            stranger.write_text("not the password")
            with (
                pytest.raises(KafkaUnreachable),
                follower(replace(kafka, password_file=stranger), tmp_path, Notes()),
            ):
                pytest.fail("came in with a wrong password")
    finally:
        servers.close()
