"""What is particular to the cluster host: its log in Kafka, and that any replica serves any game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest

from services.audit.commits import StoredRecord
from services.client import Games
from services.common.kafka.topics import EVENTS, Topic
from services.common.partitions import partition_of
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.processes import ClusterHost
from services.rules.adapters.codec import command_message, decode_event
from services.rules.adapters.view import game_view
from services.rules.kernel.fold import replay
from services.rules.titles import TITLES
from tests.hosting import followed, hosting, seat
from tests.integration.tables import gather
from tests.integration.test_whole_games import players_of, turns

pytestmark = pytest.mark.integration

COMMANDS = 60
CHECKS_MEANWHILE = 3
COMMANDS_BETWEEN_LOOKS = 20


@pytest.mark.parametrize("title", TITLES)
def test_kafka_holds_the_log_that_the_embedded_host_makes(
    cluster_host: ClusterHost, tmp_path: Path, title: str
) -> None:
    """The facts in Kafka fold to the live state, and the same requests lead an embedded host to the same events."""
    from services.host.kafka_game import read_game
    from services.host.reexecution import first_difference, reexecute

    seated = seat(cluster_host, title, 3)
    moves = [*islice(turns(players_of(seated, cluster_host, "sensible"), seated.game_id), COMMANDS)]
    sequence = moves[-1]
    games = seated.games(cluster_host, 1)
    games.expect(seated.game_id, sequence)
    live = games.game(seated.game_id, sequence)
    game = read_game(cluster_host.kafka, seated.game_id)
    assert (len(game.facts), len(game.requests)) == (sequence, len(moves) + 1)
    folded = replay(decode_event(fact.type, fact.schema_version, fact.payload) for fact in game.facts)
    data = TITLES[title].data_of(folded)
    assert game_view(seated.game_id, TITLES[title], data, folded) == live
    with hosting(tmp_path) as embedded:
        events = reexecute(embedded.rules, seated.game_id, game.requests)
    assert first_difference(game.facts, events) is None
    assert first_difference(game.facts, events[:-1]) == sequence
    assert first_difference(game.facts, [*events[:5], events[6], *events[6:]]) == 6


def test_every_replica_of_rules_serves_every_game(cluster_host: ClusterHost) -> None:
    """A move made at either is seen at the other, and a repeat at the other gets the first outcome."""
    gathering = gather(cluster_host.addresses, ("Nora", "Olaf", "Pia"))
    replicas = cluster_host.addresses.rules.split(",")
    assert len(replicas) == 2
    for here, there in (replicas, replicas[::-1]):
        asked = gathering.asked()
        offer = Games(here, asked.token).choices(gathering.game_id)
        request = pb.ExecuteRequest(
            game_id=gathering.game_id,
            request_id=f"at {here}",
            expected_sequence=offer.sequence,
            command=command_message(asked.bot.choose(offer.choices)),
        )
        with grpc.insecure_channel(here) as first, grpc.insecure_channel(there) as second:
            done = RulesStub(first).Execute(request, timeout=60, metadata=asked.metadata).accepted
            again = RulesStub(second).Execute(request, timeout=60, metadata=asked.metadata).accepted
            assert again.repeated_request and list(again.events) == list(done.events)
            seen = RulesStub(second).GetGame(
                pb.GetGameRequest(game_id=gathering.game_id, at_least_sequence=done.last_sequence),
                timeout=60,
                metadata=asked.metadata,
            )
            assert seen.game.sequence == done.last_sequence
            gathering.hear(done.last_sequence)


def test_the_log_is_checked_while_games_go_on(
    cluster_host: ClusterHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is found that is only not written yet. Each check reads the game's events once there are new ones."""
    from services.audit import kafka_log
    from services.audit.kafka_check import check_kafka

    gathering = gather(cluster_host.addresses, ("Ria", "Sam", "Tom"))
    own = partition_of(gathering.game_id, EVENTS.partitions(cluster_host.kafka))
    is_checked = threading.Event()

    class Patient(kafka_log.LogReader):
        def records(
            self, topic: Topic, partition: int | None = None, start: int = 0
        ) -> Iterator[StoredRecord]:
            if (topic, partition) == (EVENTS, own):
                before = self.end(topic, own)
                assert followed(cluster_host.addresses, lambda: self.end(topic, own) > before)
            yield from super().records(topic, partition, start)

    def play() -> None:
        while not is_checked.is_set():
            gathering.move()

    monkeypatch.setattr(kafka_log, "LogReader", Patient)
    playing = threading.Thread(target=play)
    playing.start()
    try:
        checked = [check_kafka(cluster_host.kafka) for _ in range(CHECKS_MEANWHILE)]
    finally:
        is_checked.set()
        playing.join()
    assert [report.findings for report in checked] == [[]] * CHECKS_MEANWHILE
    assert all(report.advanced for report in checked)


def test_best_runs_are_found_before_they_are_asked_for(cluster_host: ClusterHost) -> None:
    """In the course of a game routing has proven best runs that nobody had asked for yet. The first of a platform that has just
    begun may come late."""
    seated = seat(cluster_host, "1824", 3)
    played = turns(players_of(seated, cluster_host, "sensible"), seated.game_id)

    def proven() -> float:
        return sum(
            float(line.rpartition(" ")[2])
            for address in cluster_host.addresses.metrics.split(",")
            for line in urlopen(f"http://{address}/metrics", timeout=60).read().decode().splitlines()
            if line.startswith('signalbox_routing_ahead_total{result="proven"}')
        )

    while not proven():
        assert [*islice(played, COMMANDS_BETWEEN_LOOKS)], "the game has ended"
