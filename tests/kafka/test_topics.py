"""Topics on a real Kafka: made, corrected, checked and listed."""

from __future__ import annotations

import re
import secrets
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from kafka.admin import ConfigResource, ConfigResourceType
from msgspec.structs import replace
from typer.testing import CliRunner

from devtools.brokers.kafka import KafkaServers
from services.cli.main import app
from services.common.kafka.administration import (
    TopicsDiffer,
    TopicState,
    apply_topics,
    check_topics,
    problems_of,
    topic_states,
)
from services.common.kafka.clients import KafkaUnreachable, new_admin
from services.common.kafka.closing import close_topics, open_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS, GAME_STATUSES, SNAPSHOTS, TOPICS, Topic

pytestmark = pytest.mark.integration
SECONDS = 60.0


@pytest.fixture
def empty_kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka in which none of the platform's topics exists yet."""
    kafka = kafka_servers.settings(f"topics{secrets.token_hex(4)}.", partitions=2)
    yield kafka
    admin = new_admin(kafka)
    names = [topic.name_in(kafka) for topic in TOPICS]
    admin.delete_topics([name for name in names if name in admin.list_topics()] or names, raise_errors=False)
    admin.close()


def configure(kafka: KafkaSettings, topic: str, **config: str) -> None:
    """Change settings of a topic behind the platform's back, and wait until Kafka shows them."""
    wanted = {name.replace("_", "."): value for name, value in config.items()}
    admin = new_admin(kafka)
    resource = ConfigResource(ConfigResourceType.TOPIC, topic, dict(wanted))
    assert admin.alter_configs([resource])["topic"] == {topic: "OK"}
    admin.close()
    deadline = time.monotonic() + SECONDS
    while True:
        shown = {state.name: state.config for state in topic_states(kafka)}[topic]
        if wanted.items() <= shown.items():
            return
        assert time.monotonic() < deadline, f"{topic} never had {wanted}"


def variables(kafka: KafkaSettings) -> dict[str, str]:
    """The environment of a command that works on this Kafka."""
    return {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(kafka.partitions),
    }


def test_topics_are_made_once_and_then_left_alone(empty_kafka: KafkaSettings) -> None:
    """The first call makes every topic as declared, a second one finds nothing to do, and the check passes."""
    with pytest.raises(TopicsDiffer) as missing:
        check_topics(empty_kafka)
    assert missing.value.problems == tuple(f"{each.name_in(empty_kafka)}: is missing" for each in TOPICS)
    assert len(apply_topics(empty_kafka)) == len(TOPICS)
    assert apply_topics(empty_kafka) == []
    check_topics(empty_kafka)
    for state in topic_states(empty_kafka):
        assert state.partitions == state.topic.partitions(empty_kafka)
        assert state.config.items() >= state.topic.config(empty_kafka).items()


def test_topics_that_were_just_opened_are_waited_for(empty_kafka: KafkaSettings) -> None:
    """The broker that is asked may learn a little later that they are open; those that stay closed are named."""
    apply_topics(empty_kafka)
    close_topics(empty_kafka, [EVENTS])
    with ThreadPoolExecutor() as other:
        opening = other.submit(open_later, empty_kafka)
        assert apply_topics(empty_kafka) == []
        opening.result(SECONDS)
    close_topics(empty_kafka, [EVENTS])
    with pytest.raises(TopicsDiffer, match=re.escape(f"{EVENTS.name_in(empty_kafka)}: is closed")):
        apply_topics(empty_kafka)


def open_later(kafka: KafkaSettings) -> None:
    """As if the broker learned of it only now."""
    time.sleep(1.0)
    open_topics(kafka, [EVENTS])


def test_settings_that_differ_are_named_and_corrected(empty_kafka: KafkaSettings) -> None:
    """Events that would be dropped and snapshots that would not be compacted are named, then put right."""
    apply_topics(empty_kafka)
    events, snapshots = EVENTS.name_in(empty_kafka), SNAPSHOTS.name_in(empty_kafka)
    configure(empty_kafka, events, retention_ms="60000")
    configure(empty_kafka, snapshots, cleanup_policy="delete")
    with pytest.raises(TopicsDiffer) as differ:
        check_topics(empty_kafka, [COMMANDS, EVENTS, SNAPSHOTS])
    assert differ.value.problems == (
        f"{events}: retention.ms is 60000, must be -1",
        f"{snapshots}: cleanup.policy is delete, must be compact",
    )
    assert apply_topics(empty_kafka) == [
        f"{events}: retention.ms 60000 -> -1",
        f"{snapshots}: cleanup.policy delete -> compact",
    ]
    check_topics(empty_kafka)


def test_every_status_stays_for_three_days(empty_kafka: KafkaSettings) -> None:
    """Thinking times are made from each of them: where Kafka may drop all but the latest at once, `apply` corrects it."""
    apply_topics(empty_kafka)
    statuses = GAME_STATUSES.name_in(empty_kafka)
    three_days = str(3 * 24 * 3600 * 1000)
    assert topic_states(empty_kafka, [GAME_STATUSES])[0].config["min.compaction.lag.ms"] == three_days
    configure(empty_kafka, statuses, min_compaction_lag_ms="0")
    check_topics(empty_kafka, [GAME_STATUSES])
    assert apply_topics(empty_kafka) == [f"{statuses}: min.compaction.lag.ms 0 -> {three_days}"]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_what_may_go_is_in_a_closed_segment_in_time(topic: Topic) -> None:
    """Kafka deletes and compacts closed segments only: one must be closed long before its records may go."""
    config = topic.config(KafkaSettings(servers=("nowhere:9092",)))
    open_ms, most_ms = int(config["segment.ms"]), int(config["max.compaction.lag.ms"])
    if topic.is_compacted:
        assert int(config["min.compaction.lag.ms"]) + open_ms <= most_ms
    elif topic.keep_ms > 0:
        assert 2 * open_ms <= topic.keep_ms


def test_a_partition_count_is_named_and_never_changed(empty_kafka: KafkaSettings) -> None:
    """With another number of partitions in the settings both calls refuse, and Kafka keeps the number it had."""
    apply_topics(empty_kafka)
    more = replace(empty_kafka, partitions=3)
    wanted = f"{EVENTS.name_in(empty_kafka)}: has 2 partitions, must have 3"
    for call in (apply_topics, check_topics):
        with pytest.raises(TopicsDiffer) as differ:
            call(more)
        assert wanted in differ.value.problems
    assert {state.partitions for state in topic_states(empty_kafka, [EVENTS, COMMANDS])} == {2}


def test_fewer_copies_than_must_be_in_step_are_named(empty_kafka: KafkaSettings) -> None:
    """A topic that could never be written, because it has one copy and two must be in step, fails the check."""
    apply_topics(empty_kafka)
    configure(empty_kafka, EVENTS.name_in(empty_kafka), min_insync_replicas="2")
    with pytest.raises(TopicsDiffer, match="has 1 copies, fewer than the 2 that must be in step"):
        check_topics(empty_kafka, [EVENTS])


def test_what_may_lose_acknowledged_records_is_named(empty_kafka: KafkaSettings) -> None:
    """A leader that was not in step, and too few that must be; more than are asked for are welcome."""
    kafka = replace(empty_kafka, replication=3)
    safe = EVENTS.config(kafka)
    dangers = {"unclean.leader.election.enable": "true", "min.insync.replicas": "1"}
    state = TopicState(EVENTS, "rules.events", EVENTS.partitions(kafka), 3, safe | dangers)
    assert problems_of(state, kafka) == [
        "rules.events: unclean.leader.election.enable is true, must be false",
        "rules.events: min.insync.replicas is 1, must be 2 or more",
    ]
    more = TopicState(
        EVENTS, "rules.events", EVENTS.partitions(kafka), 4, safe | {"min.insync.replicas": "3"}
    )
    assert problems_of(more, kafka) == []


def test_a_kafka_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers that do not answer stand in the message."""
    monkeypatch.setattr("services.common.kafka.clients.ANSWER_SECONDS", 1.0)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    nowhere = KafkaSettings(servers=(address,), instance="topics")
    with pytest.raises(KafkaUnreachable, match=address):
        check_topics(nowhere)


def test_a_topic_that_may_not_be_seen_is_named() -> None:
    """Where Kafka refuses to tell of a topic, the problem is the refusal and not that the topic is missing."""
    kafka = KafkaSettings(servers=("127.0.0.1:1",))
    state = TopicState(EVENTS, "rules.events", 0, 0, {}, refused="user 'rules' is refused: not authorized")
    assert problems_of(state, kafka) == ["rules.events: user 'rules' is refused: not authorized"]


def test_the_command_makes_checks_and_lists(empty_kafka: KafkaSettings) -> None:
    """`apply` makes the topics, `check` and `list` end with 1 before and 0 after, and with 2 without settings."""
    runner = CliRunner()
    environment = variables(empty_kafka)
    for command in ("check", "list"):
        assert runner.invoke(app, ["topics", command], env=environment).exit_code == 1
    made = runner.invoke(app, ["topics", "apply"], env=environment)
    assert (made.exit_code, made.stdout.splitlines()[-1]) == (0, f"{len(TOPICS)} changed")
    for command in ("check", "list"):
        assert runner.invoke(app, ["topics", command], env=environment).exit_code == 0
    listed = runner.invoke(app, ["topics", "list"], env=environment).stdout
    assert all(topic.name_in(empty_kafka) in listed for topic in TOPICS)
    nowhere = runner.invoke(app, ["topics", "check"], env={"SIGNALBOX_KAFKA_SERVERS": ""})
    assert (nowhere.exit_code, "SIGNALBOX_KAFKA_SERVERS" in nowhere.stderr) == (2, True)
