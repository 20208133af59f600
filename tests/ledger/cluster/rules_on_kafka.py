"""A stand-in for rules in a cluster: publishes commits and statuses to Kafka and serves its event log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from google.protobuf.message import Message

from services.common.balances import Balances
from services.common.eventlog.port import NewRecord
from services.common.kafka.clients import new_producer
from services.common.kafka.commits import commit_message
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, GAME_STATUSES, Topic
from services.common.partitions import partition_of
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.ledger.adapters.rules_events import ANSWER_SECONDS, SourceFailed, SourceUnavailable
from services.ledger.convert import booked_balances
from services.ledger.handlers import Ledger
from services.rules.history import stream_of
from services.rules.kernel.commands import Pass
from services.rules.sessions import UnknownGameError
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.conftest import Desk


class Commits:
    """A follower of rules that collects events and statuses as Kafka records."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.commits: list[tuple[str, Message]] = []
        self.statuses: dict[str, list[GameStatus]] = {}
        self.balances: dict[str, dict[int, Balances]] = {}

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        first, last = events[0].sequence, events[-1].sequence
        stream = stream_of(game_id)
        records = self._desk.log.read(stream, first - 1, last)
        facts = [NewRecord(each.type, each.schema_version, each.payload) for each in records]
        request = self._desk.log.outcome(stream, events[0].request_id)
        commit = commit_message(stream, first - 1, facts, request, records[0].recorded_time_ms, "a")
        self.commits.append((game_id, commit))
        self.statuses.setdefault(game_id, []).append(status)
        self.balances.setdefault(game_id, {})[status.sequence] = copied(balances)


class RulesOnKafka:
    """Games of the smallest title, played here; `publish` writes their commits and statuses to Kafka as rules does."""

    def __init__(self, kafka: KafkaSettings | None = None) -> None:
        self.desk = Desk()
        self.published = Commits(self.desk)
        self.desk.rules.add_follower(self.published)
        self._kafka = kafka
        self._producer = None if kafka is None else new_producer(kafka)
        self._written: dict[str, int] = {}
        self.is_away = self.is_broken = False
        self.asked = 0
        self.ann_more = 0
        """What ann has beyond her cash when the balances are asked for."""

    def create(self, *games: str) -> None:
        """Create games."""
        for game in games:
            self.desk.create(game)

    def play(self, *games: str) -> None:
        """One request of each player in each game."""
        for game in games:
            for player in ("ann", "bob"):
                self.desk.do(player, RepayDebt(1), game)
                self.desk.do(player, Pass(), game)

    def publish(self, times: int = 1) -> None:
        """Write all new commits with their statuses, each `times` times."""
        for _ in range(times):
            counts: dict[str, int] = {}
            for game, commit in self.published.commits:
                place = counts[game] = counts.get(game, 0) + 1
                if place > self._written.get(game, 0):
                    self.write(game, commit, EVENTS)
                    self.write(game, self.published.statuses[game][place - 1], GAME_STATUSES)
        self._written = counts
        self.flush()

    def skip(self) -> None:
        """Mark everything played so far as written."""
        for game, statuses in self.published.statuses.items():
            self._written[game] = len(statuses)

    def write(self, game: str, message: Message | bytes, topic: Topic) -> None:
        """One record."""
        assert self._producer is not None and self._kafka is not None
        value = message if isinstance(message, bytes) else message.SerializeToString()
        partition = partition_of(game, topic.partitions(self._kafka))
        self._producer.produce(topic.name_in(self._kafka), value, game.encode(), partition)

    def flush(self) -> None:
        """Wait until everything is acknowledged."""
        assert self._producer is not None and self._producer.flush(60) == 0

    def status(self, game: str, ann_more: int = 0) -> GameStatus:
        """The status of a game, with `ann_more` added to ann's cash, also for who asks rules for the balances."""
        self.ann_more = ann_more
        changed = GameStatus()
        changed.CopyFrom(self.published.statuses[game][-1])
        changed.balances_digest = self.balances(game, changed.sequence).stored_digest()
        return changed

    def balances(self, game_id: str, sequence: int) -> Balances:
        """See `RulesEventLog`."""
        known = self.published.balances[game_id][sequence]
        return replace(known, cash={**known.cash, "ann": known.cash["ann"] + self.ann_more})

    def events(self, game_id: str, after: int, seconds: float = ANSWER_SECONDS) -> Sequence[GameEvent]:
        """See `RulesEventLog`."""
        self.asked += 1
        if self.is_away:
            raise SourceUnavailable("rules is away")
        if self.is_broken:
            raise SourceFailed("rules is broken")
        try:
            return [each for each in self.desk.rules.reader.events(game_id) if each.sequence > after]
        except UnknownGameError:
            return ()

    def agrees(self, ledger: Ledger, game: str) -> bool:
        """Whether the books are at the last sequence and have the balances that rules has."""
        status = self.published.statuses[game][-1]
        if ledger.sequence_of(game) != status.sequence:
            return False
        with ledger.reading(game) as book:
            return booked_balances(book, status.sequence).agree_with(status.balances_digest)


def copied(balances: Balances) -> Balances:
    """Balances that stay as they are while their game goes on."""
    return Balances(dict(balances.cash), dict(balances.shares), dict(balances.debts))
