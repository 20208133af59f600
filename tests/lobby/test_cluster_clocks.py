"""Clocks of tables where the lobby's log is in Kafka: two replicas with copies of their own decide once."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.errors import Unavailable
from services.common.kafka.copy import LogCopy
from services.common.kafka.event_log import KafkaEventLog
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS
from services.lobby.cluster.freshness import CopyFreshness
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import Freshness
from tests.host.clock_races import POLICY, run_races
from tests.host.clocked_games import ClockedGame
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

SECONDS = 60.0
RACES = 20
RACES_OF_SOAK = int(os.environ.get("SIGNALBOX_RACES", "10000"))
GAMES_AT_ONCE = 16


class ReplicaLog(NamedTuple):
    """The log as one replica has it."""

    log: KafkaEventLog
    freshen: Freshness
    clocks: ClockStreams


def patient(freshen: Freshness) -> Freshness:
    """Asks again where many games at once on a busy machine keep Kafka's answer from coming in time."""

    def freshened() -> None:
        end = time.monotonic() + SECONDS
        while True:
            try:
                return freshen()
            except Unavailable:
                if time.monotonic() > end:
                    raise

    return freshened


@pytest.fixture(scope="module")
def logs(
    kafka_servers: KafkaServers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ReplicaLog, ReplicaLog]]:
    """Of two replicas over one topic."""
    folder = tmp_path_factory.mktemp("copies")
    with own_topics(kafka_servers, LOBBY_EVENTS) as kafka, ExitStack() as stack:

        def opened(settings: KafkaSettings) -> ReplicaLog:
            copy = LogCopy(settings, LOBBY_EVENTS, folder / f"{settings.instance}.db")
            log = KafkaEventLog(settings, LOBBY_EVENTS, copy, answer_seconds=SECONDS)
            stack.callback(log.close)
            copy.start()
            freshen = patient(CopyFreshness(settings, copy))
            return ReplicaLog(log, freshen, ClockStreams(log, freshen))

        yield opened(replace(kafka, instance="a")), opened(replace(kafka, instance="b"))


def races(logs: tuple[ReplicaLog, ReplicaLog], count: int, name: str) -> set[str]:
    """So many, each replica with a lobby; who won any."""
    first, second = logs

    def begun(number: int) -> tuple[ClockedGame, FollowedGames]:
        table = ClockedGame(POLICY, f"{name}-{number}", first.log, first.freshen, first.clocks)
        second.freshen()
        return table, table.lobby_over(second.log, second.freshen, second.clocks)

    return run_races(count, begun)


def test_of_a_move_and_its_expiry_one_has_effect(logs: tuple[ReplicaLog, ReplicaLog]) -> None:
    """In every order."""
    assert races(logs, RACES, "few") == {"player", "clock"}


@pytest.mark.soak
def test_of_ten_thousand_moves_and_their_expiries_one_has_effect(
    logs: tuple[ReplicaLog, ReplicaLog],
) -> None:
    """The same, for long: several games at once, since a race mostly waits for Kafka."""
    each = RACES_OF_SOAK // GAMES_AT_ONCE
    with ThreadPoolExecutor(GAMES_AT_ONCE) as threads:
        running = [threads.submit(races, logs, each, f"many-{number}") for number in range(GAMES_AT_ONCE)]
        assert set().union(*(done.result() for done in running)) == {"player", "clock"}
