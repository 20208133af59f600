"""`python -m devtools.brokers COMMAND`, with brokers that somebody else has started."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devtools.brokers import __main__ as command
from devtools.brokers.kafka import KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import Brokers
from devtools.brokers.redis import RedisServer

SEES_BROKERS = (
    "import os, sys;"
    "names = 'SIGNALBOX_KAFKA_SERVERS', 'SIGNALBOX_KAFKA_PARTITIONS', 'SIGNALBOX_REDIS_ADDRESS';"
    "sys.exit(7 if [os.environ[name] for name in names] == ['kafka:1,kafka:2', '4', 'redis:3'] else 1)"
)


@contextmanager
def elsewhere(folder: Path) -> Iterator[Brokers]:
    """Addresses at which nobody listens."""
    yield Brokers(KafkaServers(("kafka:1", "kafka:2")), RedisServer("redis:3"))


@contextmanager
def none_there(folder: Path) -> Iterator[Brokers]:
    """No way leads to a broker."""
    raise BrokersMissing("no Kafka: nothing is installed")
    yield


def test_the_command_sees_the_brokers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their addresses are in its settings, and its exit code is ours."""
    monkeypatch.setattr(command, "brokers", elsewhere)
    assert command.main([sys.executable, "-c", SEES_BROKERS]) == 7


def test_without_brokers_the_reason_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run."""
    monkeypatch.setattr(command, "brokers", none_there)
    assert command.main(["false"]) == 2
    assert capsys.readouterr().err == "no Kafka: nothing is installed\n"
