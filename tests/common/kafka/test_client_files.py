"""Clients whose files were replaced: when a process has to be started again, and when not."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.common.kafka.client_files import OutdatedClients
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.progress import KafkaProgress, ProgressTiming, _Found
from services.common.kafka.settings import KafkaSettings

SECONDS = 60.0


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    """The file of an authority."""
    path = tmp_path / "ca.crt"
    path.write_text("old")
    return path


@pytest.fixture
def kafka(authority: Path) -> KafkaSettings:
    """Settings with it."""
    return KafkaSettings(servers=("127.0.0.1:9",), instance="test", protocol="SSL", ca_file=authority)


@pytest.mark.parametrize(
    ("looks", "is_outdated"),
    [
        ("+ new + +", False),  # renewed while everything ran
        ("- - + +", False),  # an outage
        ("- + new +", False),  # an outage long before
        ("+ - new +", True),  # ended, brokers refused, renewed
        ("+ new - +", True),
        ("+ new + - +", True),  # renewed without harm, then an outage: nobody gets in again
        ("+ - new -", False),  # nothing to be gained as long as Kafka is away
    ],
)
def test_clients_are_outdated_once_kafka_was_away_and_their_files_are_others(
    kafka: KafkaSettings, authority: Path, looks: str, is_outdated: bool
) -> None:
    """A plus is a look at which Kafka answered a new client."""
    clients = OutdatedClients(kafka)
    for each in looks.split():
        if each == "new":
            authority.write_text("new")
        else:
            clients.note(is_answered=each == "+")
    assert bool(clients.problem) is is_outdated
    assert not is_outdated or "ca_file" in clients.problem


def test_a_process_with_outdated_clients_is_stalled(
    kafka: KafkaSettings, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its watchdog ends it; new clients get in, so that nothing else would show that its own do not."""
    answers, looked = [False, True], threading.Event()

    def look(_progress: KafkaProgress) -> _Found:
        if not answers:
            looked.set()
        elif not answers.pop(0):
            authority.write_text("new")
            raise KafkaUnreachable("certificate has expired")
        return _Found()

    monkeypatch.setattr(KafkaProgress, "_look", look)
    progress = KafkaProgress(kafka, [], CollectorRegistry(), timing=ProgressTiming(look_seconds=0.001))
    progress.start()
    try:
        assert looked.wait(SECONDS)
    finally:
        progress.close()
    assert progress.stalled() == "clients of Kafka know ca_file as before the replacement"
