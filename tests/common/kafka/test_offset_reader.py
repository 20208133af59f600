"""Asking again and again for offsets, without Kafka: by the same clients until one fails."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import OFFSET_INVALID, KafkaError, KafkaException, TopicPartition
from msgspec.structs import replace

from services.common.kafka import offsets
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.kept_clients import CLIENTS_MAX, KeptClients
from services.common.kafka.offsets import OffsetReader, ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS, EVENTS

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), partitions=2, instance="test")
COMMITTED, END = 7, 9


@dataclass
class Clients:
    """The clients made so far, those still open, and whether Kafka answers them. `polled`: what a consumer gets, last first."""

    groups: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    admins: int = 0
    is_away: bool = False
    unnamed: int = 0
    """How many more answers name no offset of one partition."""
    polled: list[Any] = field(default_factory=list)

    def answer(self) -> None:
        """Raises while Kafka is away."""
        if self.is_away:
            raise KafkaException(KafkaError(KafkaError._TRANSPORT))


class Consumer:
    """A consumer of one group."""

    def __init__(self, clients: Clients, group: str) -> None:
        self._clients, self._group = clients, group
        clients.groups.append(group)
        clients.open.append(group)

    def committed(self, wanted: list[TopicPartition], _: float) -> list[TopicPartition]:
        """The same offset everywhere."""
        self._clients.answer()
        return [TopicPartition(each.topic, each.partition, COMMITTED) for each in wanted]

    def assign(self, _: list[TopicPartition]) -> None:
        """Any place."""

    def unassign(self) -> None:
        """No place."""

    def poll(self, _: float) -> Any:
        """The next message."""
        self._clients.answer()
        return self._clients.polled.pop()

    def close(self) -> None:
        """Disconnect."""
        self._clients.open.remove(self._group)


class Admin:
    """A client for topics."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        clients.admins += 1

    def __len__(self) -> int:
        """As the library's: how much it has at hand."""
        return 0

    def list_offsets(self, wanted: dict[TopicPartition, object], **_: object) -> dict[TopicPartition, Any]:
        """The same offset everywhere."""
        self._clients.answer()
        found: dict[TopicPartition, Any] = {}
        for each in wanted:
            is_unnamed = self._clients.unnamed > 0 and each.partition == 1
            found[each] = Future()
            found[each].set_result(SimpleNamespace(offset=OFFSET_INVALID if is_unnamed else END))
        self._clients.unnamed -= 1
        return found


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Clients:
    """In place of the library's."""
    made = Clients()
    monkeypatch.setattr(offsets, "new_consumer", lambda _kafka, group, **_: Consumer(made, group))
    monkeypatch.setattr(offsets, "AdminClient", lambda _: Admin(made))
    monkeypatch.setattr(offsets, "KEPT", KeptClients())
    return made


def look(asked: OffsetReader) -> None:
    """Everything that a look at the progress of two readers asks for."""
    assert set(asked.group_offsets("owners", COMMANDS).values()) == {COMMITTED}
    assert set(asked.group_offsets("books", EVENTS).values()) == {COMMITTED}
    for found in (asked.beginnings([COMMANDS]), asked.committed_ends([COMMANDS, EVENTS])):
        assert set(found.values()) == {END}


def test_one_client_of_each_kind_answers_all_looks(clients: Clients) -> None:
    """And closing, which may be repeated, leaves none open."""
    asked = OffsetReader(KAFKA)
    look(asked)
    look(asked)
    assert (clients.groups, clients.admins) == (["owners", "books"], 1)
    asked.close()
    asked.close()
    assert clients.open == []


@pytest.mark.parametrize(
    "question, admins", [("group_offsets", 1), ("has_committed_records", 1), ("committed_ends", 3)]
)
def test_after_a_failure_other_clients_ask(clients: Clients, question: str, admins: int) -> None:
    """None that has failed is asked again. About topics a new one is asked at once where the one that was kept fails."""
    asked = OffsetReader(KAFKA)
    look(asked)
    clients.is_away = True
    given: dict[str, tuple[Any, ...]] = {
        "group_offsets": ("owners", COMMANDS),
        "has_committed_records": ("owners", COMMANDS, 0, COMMITTED),
        "committed_ends": ([COMMANDS],),
    }
    with pytest.raises(KafkaUnreachable, match=r"rules\.commands"):
        getattr(asked, question)(*given[question])
    assert clients.open == []
    clients.is_away = False
    look(asked)
    assert (clients.groups, clients.admins) == (["owners", "books"] * 2, admins)
    asked.close()


def test_who_asks_about_topics_gets_the_client_that_is_connected(clients: Clients) -> None:
    """For each way to reach a Kafka one, and not more than a few."""
    for _ in range(2):
        ends(KAFKA, [EVENTS])
        ends(replace(KAFKA, topic_prefix="other."), [EVENTS])
    assert clients.admins == 1
    others = [replace(KAFKA, servers=(f"127.0.0.1:{port}",)) for port in range(1, CLIENTS_MAX + 1)]
    for other in others:
        ends(other, [EVENTS])
    assert clients.admins == 1 + CLIENTS_MAX
    ends(others[0], [EVENTS])
    assert clients.admins == 1 + CLIENTS_MAX
    ends(KAFKA, [EVENTS])
    assert clients.admins == 2 + CLIENTS_MAX


def test_an_answer_that_names_no_offset_is_none(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for again for a while. Taken for an offset, it would say that a partition ends before it begins."""
    clients.unnamed = 2
    asked = OffsetReader(KAFKA)
    assert set(asked.committed_ends([EVENTS]).values()) == {END}
    monkeypatch.setattr(offsets, "NEWS_SECONDS", 0.0)
    clients.unnamed = 2
    with pytest.raises(KafkaUnreachable, match=r"rules\.events"):
        asked.committed_ends([EVENTS])


def test_a_record_before_the_end_is_found(clients: Clients) -> None:
    """Markers are passed over by the consumer: it reports the end of the partition, or a record."""
    asked = OffsetReader(KAFKA)
    record = SimpleNamespace(error=lambda: None, topic=lambda: "t", key=lambda: b"k", value=lambda: b"v")
    end = SimpleNamespace(error=lambda: KafkaError(KafkaError._PARTITION_EOF))
    clients.polled = [end, None, record]
    place = ("books", EVENTS, 0, COMMITTED)
    assert [asked.has_committed_records(*place) for _ in range(2)] == [True, False]
    assert clients.groups == ["books"]
    asked.close()
