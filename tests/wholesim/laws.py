"""What must hold: the laws of the fault runs, and those that only a simulation can look at.

Readers see committed records only, at once and from every replica. A game in memory is what a replay of its log
gives.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

from services.client.calls import NotAnsweredError
from services.client.games import Games
from services.common.kafka.commits import read_commit
from services.common.kafka.topics import COMMANDS, EVENTS, OUTCOMES
from services.common.kafka.unpacking import message_in
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.adapters.records import StoredEvent, decoded, envelope, without_seed
from services.rules.adapters.snapshots import state_bytes
from services.rules.history import stream_of
from services.rules.kernel.fold import replay
from tests.faults.checking import check as check_as_fault_runs_do
from tests.faults.players import PlayedGame
from tests.wholesim.kafka_log import Kafka
from tests.wholesim.platform import Platform, Replica
from tests.wholesim.schedule import Schedule

LOOK_SECONDS = 0.2
STATES_SHARE = 0.25

Read = TypeVar("Read", bound=Message)


class CommittedEvents:
    """The events of all games as any player may have seen them by now, by game and sequence."""

    def __init__(self, kafka: Kafka) -> None:
        self._kafka = kafka
        self._next: dict[int, int] = {}
        self._events: defaultdict[str, dict[int, bytes]] = defaultdict(dict)

    def differ(self, game_id: str, reported: dict[int, bytes]) -> Iterator[str]:
        """What was reported and is not committed so."""
        self._read_on()
        events = self._events[game_id]
        if reported.items() <= events.items():
            return
        for sequence, content in reported.items():
            committed = events.get(sequence)
            if committed != content:
                what = "not committed" if committed is None else "committed otherwise"
                yield f"game {game_id}: event {sequence} was reported and is {what}"

    def _read_on(self) -> None:
        for number in range(EVENTS.partitions(self._kafka.settings)):
            place = (EVENTS.name_in(self._kafka.settings), number)
            partition = self._kafka.partitions[place]
            # The owner knows that its transaction is committed before readers of the partition do.
            end = partition.decided_end
            for entry in partition.entries[self._next.get(number, 0) : end]:
                if not entry.is_mark and not entry.is_given_up:
                    self._note(entry.key.decode(), read_commit(entry.value, entry.key))
            self._next[number] = end

    def _note(self, game_id: str, commit: pb.Commit) -> None:
        for sequence, fact in enumerate(commit.facts, start=commit.first_sequence):
            event = envelope(fact, game_id, sequence, commit.request.request_id, commit.recorded_time_ms)
            self._events[game_id].setdefault(sequence, bytes_of(without_seed(event)))


def bytes_of(message: Message) -> bytes:
    """A message as bytes that are equal for equal messages."""
    return message.SerializeToString(deterministic=True)


class Folds:
    """The states that logs fold to; a log that has been folded is not folded again."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[list[tuple[str, int, bytes]], bytes]] = {}

    def state(self, game_id: str, records: Sequence[StoredEvent]) -> bytes:
        """The state after these records, by their content alone."""
        content = [(each.type, each.schema_version, each.payload) for each in records]
        known = self._known.get((game_id, len(content)))
        if known is None or known[0] != content:
            known = self._known[game_id, len(content)] = content, state_bytes(replay(decoded(records)))
        return known[1]


def check_states(replica: Replica, folds: Folds) -> Iterator[str]:
    """Every game that a replica of rules has in memory, to read and to decide, is what its log folds to."""
    rules: Any = replica.runner
    whole = rules._replica
    for half, sessions, log in (
        ("readers", whole._following, whole._copy.log),
        ("the owner", whole._processor.sessions, whole._processor.staged),
    ):
        for game_id, loaded in list(sessions._games.items()):
            game = loaded.game
            records = log.read(stream_of(game_id), 0, game.sequence)
            if folds.state(game_id, records) != state_bytes(game):
                yield f"game {game_id}: {replica.name} has another state in memory for {half} than its log"


class Watcher:
    """Somebody who looks at games on any replica all the time, and compares what is reported with what is committed."""

    def __init__(self, schedule: Schedule, platform: Platform, committed: CommittedEvents) -> None:
        self._schedule = schedule
        self._platform = platform
        self._committed = committed
        self._folds = Folds()
        self.games: list[PlayedGame] = []
        self.is_over = False

    def run(self) -> None:
        """Until it is over."""
        while not self.is_over:
            self._schedule.sleep(self._schedule.random.uniform(0, LOOK_SECONDS))
            if self.games:
                self._look(self._schedule.random.choice(self.games))

    def _look(self, game: PlayedGame) -> None:
        replica = self._schedule.random.choice(self._platform.of("rules"))
        if not self._platform.is_serving(replica):
            return
        if self._schedule.random.random() < STATES_SHARE:
            self._schedule.failures += check_states(replica, self._folds)
        games = Games(replica.address, next(iter(game.new.tokens.values())))
        after = self._schedule.random.randint(0, game.sequence)
        try:
            reported = {event.sequence: bytes_of(event) for event in games.events(game.new.game_id, after)}
        except NotAnsweredError:
            return
        self._schedule.failures += self._committed.differ(game.new.game_id, reported)
        self._schedule.failures += self._committed.differ(game.new.game_id, game.answers.events)


def check(platform: Platform, kafka: Kafka, players: list[Any], tables: Any) -> list[str]:
    """Everything that is wrong after a run, in words."""
    whole: Any = platform
    problems = check_as_fault_runs_do(whole, players, tables)
    problems += check_one_answer_each(kafka)
    folds = Folds()
    for replica in platform.of("rules"):
        problems += check_states(replica, folds)
    return problems


def check_one_answer_each(kafka: Kafka) -> Iterator[str]:
    """Every command that was sent has one answer: its commit, where its sender follows the events, or else an outcome."""
    settings = kafka.settings
    sent = list(_messages(kafka, COMMANDS.name_in(settings), pb.CommandSent))
    outcomes = _messages(kafka, OUTCOMES.name_in(settings), pb.CommandOutcome)
    answered = Counter(each.reply_id for each in outcomes)
    following = {each.reply_id for each in sent if each.follows_events}
    commits = _messages(kafka, EVENTS.name_in(settings), pb.Commit)
    answered += Counter(each.append_id for each in commits if each.append_id in following)
    for each in sent:
        if answered[each.reply_id] != 1:
            yield f"game {each.game_id}: command {each.request_id} has {answered[each.reply_id]} answers"


def _messages(kafka: Kafka, topic: str, kind: type[Read]) -> Iterator[Read]:
    for place, partition in kafka.partitions.items():
        if place[0] == topic:
            for entry in partition.visible(0, len(partition.entries))[0]:
                yield message_in(kind, entry.value, entry.key)
