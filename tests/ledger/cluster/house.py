"""Rules as a cluster of ledgers sees it: commits and standings in Kafka, its log to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from google.protobuf.message import Message

from services.common.eventlog.port import NewRecord
from services.common.kafka.clients import new_producer
from services.common.kafka.commits import commit_message
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, STANDINGS, Topic, partition_of
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.adapters.rules_events import ANSWER_SECONDS, SourceAway, SourceBroken
from services.ledger.domain.accounts import DEBT, MONEY, Account
from services.ledger.handlers import Ledger
from services.rules.cluster.records import standing_message
from services.rules.domain.commands import Pass, RepayDebt
from services.rules.history import stream_of
from services.rules.ports import Standing
from services.rules.sessions import UnknownGameError
from tests.rules.conftest import Desk


class Commits:
    """A follower of rules that keeps what it is told as the records of Kafka."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.commits: list[tuple[str, Message]] = []
        self.standings: dict[str, list[Standing]] = {}

    def follow(self, game_id: str, events: Sequence[GameEvent], standing: Standing) -> None:
        """See `Follower`."""
        first, last = events[0].sequence, events[-1].sequence
        stream = stream_of(game_id)
        records = self._desk.log.read(stream, first - 1, last)
        facts = [NewRecord(each.type, each.schema_version, each.payload) for each in records]
        request = self._desk.log.outcome(stream, events[0].request_id)
        commit = commit_message(stream, first - 1, facts, request, records[0].recorded_time_ms, "a")
        self.commits.append((game_id, commit))
        self.standings.setdefault(game_id, []).append(standing)


class House:
    """Games of the smallest title, played here; `tell` writes what came of them to Kafka as rules does."""

    def __init__(self, kafka: KafkaSettings | None = None) -> None:
        self.desk = Desk()
        self.told = Commits(self.desk)
        self.desk.rules.add_follower(self.told)
        self._kafka = kafka
        self._producer = None if kafka is None else new_producer(kafka)
        self._written: dict[str, int] = {}
        self.is_away = self.is_broken = False
        self.asked = 0

    def create(self, *games: str) -> None:
        """Set games up."""
        for game in games:
            self.desk.create(game)

    def play(self, *games: str) -> None:
        """One request of each player in each game."""
        for game in games:
            for player in ("ann", "bob"):
                self.desk.do(player, RepayDebt(1), game)
                self.desk.do(player, Pass(), game)

    def tell(self, times: int = 1) -> None:
        """Write all commits not written yet with their standings, each so many times."""
        for _ in range(times):
            counts: dict[str, int] = {}
            for game, commit in self.told.commits:
                place = counts[game] = counts.get(game, 0) + 1
                if place > self._written.get(game, 0):
                    self.write(game, commit, EVENTS)
                    self.write(game, standing_message(game, self.told.standings[game][place - 1]), STANDINGS)
        self._written = counts
        self.flush()

    def skip(self) -> None:
        """Take what was played up to now for written."""
        for game, standings in self.told.standings.items():
            self._written[game] = len(standings)

    def write(self, game: str, message: Message | bytes, topic: Topic) -> None:
        """One record."""
        assert self._producer is not None and self._kafka is not None
        value = message if isinstance(message, bytes) else message.SerializeToString()
        partition = partition_of(game, topic.partitions(self._kafka))
        self._producer.produce(topic.name_in(self._kafka), value, game.encode(), partition)

    def flush(self) -> None:
        """Everything is acknowledged."""
        assert self._producer is not None and self._producer.flush(10) == 0

    def standing(self, game: str, ann_more: int = 0) -> Standing:
        """How a game stands, with so much more cash for ann than she has."""
        standing = self.told.standings[game][-1]
        return replace(standing, cash={**standing.cash, "ann": standing.cash["ann"] + ann_more})

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """See `LogOfRules`."""
        self.asked += 1
        if self.is_away:
            raise SourceAway("rules is away")
        if self.is_broken:
            raise SourceBroken("rules is broken")
        try:
            return [each for each in self.desk.rules.reader.events(game_id) if each.sequence > after]
        except UnknownGameError:
            return ()

    def agrees(self, ledger: Ledger, game: str) -> bool:
        """Whether the books are at the last sequence and have the money and debts that rules has."""
        standing = self.told.standings[game][-1]
        if ledger.sequence_of(game) != standing.sequence:
            return False
        with ledger.reading(game) as book:
            money = all(
                book.balances.get(Account(holder, MONEY), 0) == cash for holder, cash in standing.cash.items()
            )
            return money and all(
                book.balances.get(Account(player, DEBT), 0) == debt for player, debt in standing.debts.items()
            )
