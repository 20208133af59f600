"""Which open transactions are aborted when partitions change their owner, without Kafka: those of members that are gone at once,
those of members that may hang at the second look."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.settings import KafkaSettings
from services.common.settings.service import SettingsError
from services.rules.cluster import dead_transactions
from services.rules.cluster.dead_transactions import GROUP_OFFSETS, DeadTransactions
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.placement import Member
from tests.waiting import until

KAFKA = KafkaSettings(servers=("127.0.0.1:9",), instance="own")
BOTH = [Member("own-x", "own", "", frozenset()), Member("other-x", "other", "", frozenset())]


class Brokers:
    """What they say about transactions and about the group; `aborted`: what was fenced."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[int, list[tuple[str, int]]]] = {}
        self.who: list[Member] | None = BOTH
        self.aborted: list[str] = []
        self.problems: list[Exception] = []

    def list_transactions(self, **_: object) -> dict[int, list[Any]]:
        if self.problems:
            raise self.problems.pop()
        return {1: [SimpleNamespace(transactional_id=name) for name in ("rules.own", "lobby.x", *self.open)]}

    def describe_transactions(self, names: list[str]) -> dict[str, Any]:
        return {
            name: SimpleNamespace(
                transaction_start_time_ms=self.open[name][0],
                topic_partitions=[SimpleNamespace(topic=each, partition=n) for each, n in self.open[name][1]],
            )
            for name in names
        }

    def members(self) -> list[Member] | None:
        return self.who

    def close(self) -> None:
        return


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Brokers:
    """In the place of all clients."""
    made = Brokers()
    monkeypatch.setattr(dead_transactions, "new_admin", lambda *_, **__: made)
    monkeypatch.setattr(dead_transactions, "OwnersGroup", lambda _: made)
    monkeypatch.setattr(dead_transactions, "abort_transaction_of", lambda _, name: made.aborted.append(name))
    monkeypatch.setattr(dead_transactions, "LOOK_SECONDS", 0.01)
    return made


@pytest.fixture
def dead(brokers: Brokers) -> Iterator[DeadTransactions]:
    """It looks when it is asked to."""
    looking = DeadTransactions(KAFKA, "rules.", "rules.own", OwnerMetrics(CollectorRegistry()))
    yield looking
    looking.close()


def test_who_is_no_member_any_more_is_fenced_at_once(brokers: Brokers, dead: DeadTransactions) -> None:
    """Where its transaction is in the way."""
    brokers.open = {
        "rules.gone": (1, [("rules.events", 2)]),
        "rules.also-gone": (1, [(GROUP_OFFSETS, 7)]),
        "rules.elsewhere": (1, [("rules.events", 0)]),
    }
    assert sorted(dead.abort(frozenset((2,)))) == ["rules.also-gone", "rules.gone"]
    until(lambda: sorted(brokers.aborted) == ["rules.also-gone", "rules.gone"])


@pytest.mark.parametrize("who", [BOTH, None])
def test_who_may_be_a_member_is_fenced_when_it_was_open_before(
    brokers: Brokers, dead: DeadTransactions, who: list[Member] | None
) -> None:
    """The same transaction, at two looks; while the group divides the partitions nobody is known to be gone."""
    brokers.who = who
    brokers.open = {"rules.other": (1, [("rules.outcomes", 2)])}
    assert dead.abort(frozenset((2,))) == []
    brokers.open = {"rules.other": (2, [("rules.outcomes", 2)])}
    assert dead.abort(frozenset((2,))) == []
    assert dead.abort(frozenset((2,))) == ["rules.other"]


def test_it_looks_until_it_may_rest(brokers: Brokers, dead: DeadTransactions) -> None:
    """Whatever goes wrong meanwhile."""
    brokers.problems = [SettingsError("no such password file"), KafkaUnreachable("away")]
    brokers.open = {"rules.gone": (1, [("rules.events", 2)])}
    dead.look(frozenset((2,)))
    until(lambda: "rules.gone" in brokers.aborted)
    dead.look(frozenset())
