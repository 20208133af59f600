"""A platform that plays is moved into topics with more partitions, and goes on with the same games."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.audit.kafka_check import check_kafka
from services.backup.repartition import Repartition
from services.client import Lobby
from services.client.calls import new_command_id
from services.common.grpc.channel import single_channel
from services.common.grpc.tls import PLAIN
from services.common.kafka.clients import new_admin
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import FACTS, TOPICS
from services.common.objectstore.folder import FolderStore
from services.common.redis.settings import RedisSettings
from services.gen.signalbox.rules.v1 import rules_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.addresses import Addresses
from services.host.processes import ClusterHost, Replicas
from services.rules.adapters.codec import command_message
from tests.backup.drill import Crowd, Stopwatch, another_table, books_of, elsewhere, last_sequences
from tests.backup.records import in_kafka
from tests.brokers import own_topics
from tests.clusters import SETTINGS
from tests.integration.tables import Gathering, Person, gather

pytestmark = pytest.mark.integration

ONE_OF_EACH = Replicas(lobby=1, rules=1, routing=1, ledger=1)
GAMES = 3
OLD, NEW = 4, 6
PLAYING_SECONDS = 2.0
CALL_SECONDS = 30.0
COPY_IS_FILLED = "the copy is filled, and these topics take no commands yet"
END_SECONDS = 180.0


@contextmanager
def topics_to_be(kafka: KafkaSettings) -> Iterator[KafkaSettings]:
    """Settings of topics that are made by the move; gone at the end."""
    new = replace(kafka, topic_prefix=f"{kafka.topic_prefix}new.", partitions=NEW)
    try:
        yield new
    finally:
        admin = new_admin(new)
        admin.delete_topics([topic.name_in(new) for topic in TOPICS], raise_errors=False)
        admin.close()


def a_move(gathering: Gathering) -> tuple[Person, rules_pb2.ExecuteRequest]:
    """A move of the acting player, not sent yet."""
    asked = gathering.asked()
    offer = asked.games.choices(gathering.game_id)
    request = rules_pb2.ExecuteRequest(
        game_id=gathering.game_id,
        request_id=new_command_id(),
        expected_sequence=offer.sequence,
        command=command_message(asked.bot.choose(offer.choices)),
    )
    return asked, request


def send(addresses: Addresses, by: Person, request: rules_pb2.ExecuteRequest) -> rules_pb2.Accepted:
    """Send a request, perhaps not for the first time."""
    with single_channel(addresses.rules, PLAIN) as channel:
        answer = RulesStub(channel).Execute(request, metadata=by.metadata, timeout=CALL_SECONDS)
    assert answer.WhichOneof("outcome") == "accepted", answer
    accepted: rules_pb2.Accepted = answer.accepted
    return accepted


@dataclass
class Platform:
    """The platform before: people play, one of their moves has an answer, and one was never carried out."""

    host: ClusterHost
    crowd: Crowd
    answered: tuple[Person, rules_pb2.ExecuteRequest, rules_pb2.Accepted]
    unanswered: tuple[Person, rules_pb2.ExecuteRequest]


def prepared_platform(host: ClusterHost, move: Repartition) -> Platform:
    """Start it; copy what is there while people play."""
    host.start()
    first = gather(host.addresses, ("Ann", "Bob", "Cem"))
    second = another_table(host.addresses, first)
    crowd = Crowd(host.addresses)
    crowd.start(GAMES)
    move.prepare()
    time.sleep(PLAYING_SECONDS)
    by, request = a_move(first)
    accepted = send(host.addresses, by, request)
    platform = Platform(host, crowd, (by, request, accepted), a_move(second))
    crowd.gatherings += [first, second]
    return platform


def check_repeated(answer: rules_pb2.Accepted, first: rules_pb2.Accepted) -> None:
    """The first outcome, recognised as such."""
    assert answer.repeated_request
    assert (answer.first_sequence, answer.last_sequence, list(answer.events)) == (
        first.first_sequence,
        first.last_sequence,
        list(first.events),
    )


def go_on(platform: Platform, host: ClusterHost, folder: Path, sequences: Mapping[str, int]) -> None:
    """The same people play the same games; none of what they know is gone."""
    assert platform.crowd.lost(sequences) == []
    by, request, accepted = platform.answered
    check_repeated(send(host.addresses, by, request), accepted)
    by, request = platform.unanswered
    once = send(host.addresses, by, request)
    assert (once.first_sequence, once.repeated_request) == (request.expected_sequence + 1, False)
    check_repeated(send(host.addresses, by, request), once)
    for gathering in platform.crowd.gatherings:
        known = max(
            (each.sequence for each in platform.crowd.acknowledged if each.game_id == gathering.game_id),
            default=1,
        )
        again = elsewhere(gathering, host.addresses)
        assert Lobby(host.addresses.lobby, again.anybody().token).table(gathering.table.table_id)
        again.play(2)
        later = [each.sequence for each in again.anybody().games.events(gathering.game_id, known)]
        assert later == list(range(known + 1, again.view().sequence + 1))
    assert check_kafka(host.kafka, books=books_of(host, folder)).findings == []


def start_waiting(host: ClusterHost) -> None:
    """Start its replica of rules, which fills its copy from topics in which nobody plays yet."""
    rules = host.replica("rules-1")
    rules.process.start()
    rules.process.wait_until(lambda: COPY_IS_FILLED in rules.process.log.read_text(), END_SECONDS)
    assert not rules.is_healthy()


def start_others(host: ClusterHost) -> None:
    """Start all that do not run yet, and wait until all serve."""
    for each in host.replicas:
        if not each.process.is_running:
            each.process.start()
    for each in host.replicas:
        each.wait_healthy(END_SECONDS)


def check_refused(host: ClusterHost) -> None:
    """No service starts with the settings of before."""
    for name in ("rules-1", "lobby-1", "ledger-1", "routing-1"):
        process = host.replica(name).process
        process.start()
        assert process.wait_end(END_SECONDS) == 1
        assert "is closed: the platform has moved to other topics" in process.last_words()


def test_games_go_on_in_more_partitions(
    kafka_servers: KafkaServers,
    redis_address: str,
    redis_prefix: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With players' tokens, tables and sequences; what was acknowledged is there; a request of before gets its first outcome; a
    process with the old settings does not start. Prints how long players wait."""
    folder = tmp_path / "after"
    with own_topics(kafka_servers, OLD) as old, topics_to_be(old) as new:
        redis = RedisSettings(address=redis_address, key_prefix=redis_prefix)
        move = Repartition(old, new, FolderStore(tmp_path / "store"))
        before = ClusterHost(tmp_path / "before", old, redis, ONE_OF_EACH, SETTINGS)
        redis = replace(redis, key_prefix=f"{redis_prefix}new:")
        host = ClusterHost(folder, new, redis, ONE_OF_EACH, replace(SETTINGS, log_level="info"))
        watch = Stopwatch()
        try:
            platform = prepared_platform(before, move)
            folder.mkdir()
            shutil.copy(before.signing_key, host.signing_key)
            start_waiting(host)
            watch.note("before")
        finally:
            before.stop()
        platform.crowd.stop()
        watch.note("stop")
        moved = move.switch()
        watch.note("switch")
        try:
            start_others(host)
            watch.note("start")
            go_on(platform, host, folder, last_sequences(in_kafka(new, FACTS)))
            watch.note("after")
            check_refused(before)
        finally:
            host.stop()
    with capsys.disabled():
        print(f"\n{moved.brought.facts} records, {moved.backed_up.records} of them in the switch: {watch}")
