"""A lobby that is killed after everything it writes: by SIGKILL, as a process of its own, on either host."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from devtools.brokers.kafka import KafkaServers
from tests.host_process import REPOSITORY
from tests.lobby.kafka_topics import OF_A_REPLICA, own_topics

pytestmark = pytest.mark.integration

SECONDS = 1_200
LIVES_LEAST = {
    "publish": 6,
    "expire": 3,
    "substitute": 2,
    "roll_back": 2,
    "correct": 2,
    "end": 4,
    "verify": 1,
}
"""The writes of each piece of work: publishing schedules the round, publishes it, makes the table, begins its game, and marks
both; an expiry is decided, carried out, charged and settled; a substitution is in the game, in the table and in the round; a
ruling is in the game and in the round, and one that ends the game in clocks, table and result too."""


def walked(folder: Path, *more: str) -> dict[str, int]:
    """How many lives each piece of work has taken; fails where a fact is missing or doubled."""
    command = [sys.executable, "-m", "tests.host.lobby_lives", str(folder), *more]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=REPOSITORY, check=False
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    found: dict[str, int] = json.loads(done.stdout)
    return found


def test_nothing_is_missing_or_doubled_on_the_embedded_host(tmp_path: Path) -> None:
    """Publishing a round, an expiry, a substitution, rulings: each process writes once."""
    lives = walked(tmp_path)
    assert all(lives[work] >= least for work, least in LIVES_LEAST.items()), lives


@pytest.mark.soak
def test_nothing_is_missing_or_doubled_on_kafka(kafka_servers: KafkaServers, tmp_path: Path) -> None:
    """The same with a replica of the lobby on Kafka, which its successor takes over from."""
    with own_topics(kafka_servers, *OF_A_REPLICA) as kafka:
        lives = walked(tmp_path, msgspec.json.encode(kafka).decode())
    assert all(lives[work] >= least for work, least in LIVES_LEAST.items()), lives
