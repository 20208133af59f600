"""Whether the readers of a process keep up with Kafka: their offsets against the ends that Kafka reports, asked with clients
kept for this alone. What a reader's own client believes about the ends is of no use where that client is what failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Gauge

from services.common.kafka.client_files import OutdatedClients
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.offsets import OffsetReader, closed_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import FACTS, PartitionName, Topic
from services.common.process.progress import STALLED_SECONDS, DelayMeter, Loop, Position, StallDetector
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger

LOOK_EVERY_SECONDS = 10.0
# A member without partitions does not know why records wait; the member that has them gets time to recover.
IDLE_MEMBER_FACTOR = 2


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class OwnReader:
    """A reader that keeps its own offsets. `next_offsets`: by partition, of those that it reads now.

    `is_waiting`: whether it waits for another service, which is not its own fault."""

    name: str
    topic: Topic
    next_offsets: Callable[[], Mapping[int, int]]
    is_waiting: Callable[[], bool] = _never


@dataclass(frozen=True, slots=True)
class GroupReader:
    """A consumer group of which this process is a member. `assigned`: the partitions that it has now.

    `is_exact`: see `Position`; False for topics that are written in transactions."""

    name: str
    topic: Topic
    group: str
    assigned: Callable[[], frozenset[int]]
    is_exact: bool
    is_waiting: Callable[[], bool] = _never


@dataclass(frozen=True, slots=True)
class ProgressTiming:
    """Check interval, and how long a reader may make no progress while records wait; tests shorten both."""

    look_seconds: float = LOOK_EVERY_SECONDS
    stalled_seconds: float = STALLED_SECONDS


@dataclass(slots=True)
class _Found:
    """What the last look found. By the name of a reader: for how many `seconds` it stands still, and how many it is `behind`;
    by reader and partition the records `waiting`."""

    seconds: dict[str, float] = field(default_factory=dict)
    waiting: dict[tuple[str, int], int] = field(default_factory=dict)
    behind: dict[str, float] = field(default_factory=dict)
    stalled: str = ""
    positions: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)


class KafkaProgress:
    """Looks in a thread of its own between `start` and `close`. While Kafka does not answer nothing counts as stalled.

    Made before or with the clients of the process, whose files it watches: see `OutdatedClients`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        readers: Sequence[OwnReader | GroupReader],
        registry: CollectorRegistry,
        loops: Sequence[Loop] = (),
        timing: ProgressTiming | None = None,
    ) -> None:
        self._kafka = kafka
        self._asked = OffsetReader(kafka)
        self._readers = tuple(readers)
        self._loops = tuple(loops)
        self._timing = timing or ProgressTiming()
        # The third: whether it is this process that has to read on. One that has just taken a partition over is not to blame
        # for the time before.
        self._detector: StallDetector[tuple[str, int, bool]] = StallDetector()
        self._found = _Found()
        self._log = get_logger("progress")
        self._thread = RepeatingThread("progress", self._watch, self._timing.look_seconds)
        self._last_answer = time.monotonic()
        self._clients = OutdatedClients(kafka)
        self._seconds = Gauge(
            "signalbox_stalled_seconds",
            "For how long a reader has read nothing while records waited, in its slowest partition",
            ("reader",),
            registry=registry,
        )
        self._delays: DelayMeter[tuple[str, int]] = DelayMeter()
        self._waiting = Gauge(
            "signalbox_reader_lag_records",
            "Records that a reader has not read, by partition",
            ("reader", "partition"),
            registry=registry,
        )
        self._behind = Gauge(
            "signalbox_reader_behind_seconds",
            "Since when records wait that a reader has not read, in its slowest partition",
            ("reader",),
            registry=registry,
        )
        unknown = Gauge(
            "signalbox_progress_unknown_seconds",
            "Since when Kafka has not said how far readers are behind",
            registry=registry,
        )
        unknown.set_function(lambda: time.monotonic() - self._last_answer)

    def start(self) -> None:
        """Begin to look."""
        self._last_answer = time.monotonic()
        self._thread.start()

    def close(self) -> None:
        """Stop looking. May be called again, and without `start`."""
        self._thread.close()
        self._asked.close()

    def stalled(self) -> str:
        """See `Progress.stalled`."""
        now = time.monotonic()
        for loop in self._loops:
            behind = now - loop.last_turn()
            if behind > loop.seconds:
                return f"{loop.name} has been in one turn for {behind:.0f} s"
        return self._clients.problem or self._found.stalled

    def state(self) -> Mapping[str, object]:
        """See `Progress.state`: by reader and partition the next offset and the end."""
        now = time.monotonic()
        turns = {loop.name: f"last turn {now - loop.last_turn():.1f} s ago" for loop in self._loops}
        return {**turns, **self._found.positions}

    def _watch(self) -> None:
        try:
            self._found = self._look()
            self._last_answer = time.monotonic()
            self._clients.note(is_answered=True)
        except KafkaUnreachable as problem:
            self._clients.note(is_answered=False)
            self._detector.forget()
            self._found = _Found()
            self._log.warning("progress is not known", problem=str(problem))
        self._show()

    def _show(self) -> None:
        for reader in self._readers:
            self._seconds.labels(reader.name).set(self._found.seconds.get(reader.name, 0.0))
            self._behind.labels(reader.name).set(self._found.behind.get(reader.name, 0.0))
        self._waiting.clear()
        for (name, number), count in self._found.waiting.items():
            self._waiting.labels(name, str(number)).set(count)

    def _look(self) -> _Found:
        topics = list(dict.fromkeys(reader.topic for reader in self._readers))
        # Offsets first: an end that is read later is never behind them.
        waiting = {reader.name for reader in self._readers if reader.is_waiting()}
        offsets = {reader.name: self._offsets(reader) for reader in self._readers}
        firsts, ends = self._asked.beginnings(topics), self._asked.committed_ends(topics)
        positions: dict[tuple[str, int], Position] = {}
        found = _Found()
        for reader in self._readers:
            shown = found.positions.setdefault(reader.name, {})
            for number, offset in offsets.get(reader.name, {}).items():
                partition: PartitionName = (reader.topic.name_in(self._kafka), number)
                next_offset = max(offset, firsts.get(partition, 0))
                is_exact = isinstance(reader, OwnReader) or reader.is_exact
                positions[reader.name, number] = Position(next_offset, ends.get(partition, 0), is_exact)
                shown[number] = next_offset, ends.get(partition, 0)
        now = time.monotonic()
        self._measure(found, now, {key: each for key, each in positions.items() if each.is_exact})
        assigned = {each.name: each.assigned() for each in self._readers if isinstance(each, GroupReader)}
        judged = {
            (name, number, name not in assigned or number in assigned[name]): each
            for (name, number), each in positions.items()
            if name not in waiting
        }
        for place, seconds in self._detector.look(now, judged).items():
            name, number, is_ours = place
            if seconds and self._none_wait(name, number, judged[place]):
                self._detector.none_wait(place, judged[place].end)
                seconds = 0.0
            found.seconds[name] = max(found.seconds.get(name, 0.0), seconds)
            if seconds > self._limit(is_ours, has_others=bool(assigned.get(name))):
                found.stalled = f"{name} has read nothing in partition {number} for {seconds:.0f} s"
        if closed := closed_topics(self._kafka, [topic for topic in topics if topic in FACTS]):
            # What this process reads is of the past, which no offset shows.
            found.stalled = f"{', '.join(closed)}: closed, the platform has moved to other topics"
        return found

    def _none_wait(self, name: str, number: int, position: Position) -> bool:
        """Whether all that the end has grown by is markers, and records of transactions that were aborted: owners that die
        leave those, and no group commits an offset behind them."""
        reader = next(each for each in self._readers if each.name == name)
        return isinstance(reader, GroupReader) and not (
            position.is_exact
            or self._asked.has_committed_records(reader.group, reader.topic, number, position.next_offset)
        )

    def _measure(self, found: _Found, now: float, positions: Mapping[tuple[str, int], Position]) -> None:
        for key, each in positions.items():
            found.waiting[key] = max(0, each.end - each.next_offset)
        for (name, _), seconds in self._delays.look(now, positions).items():
            found.behind[name] = max(found.behind.get(name, 0.0), seconds)

    def _offsets(self, reader: OwnReader | GroupReader) -> Mapping[int, int]:
        if isinstance(reader, OwnReader):
            return reader.next_offsets()
        found = self._asked.group_offsets(reader.group, reader.topic)
        return {number: offset for (_, number), offset in found.items()}

    def _limit(self, is_ours: bool, has_others: bool) -> float:
        """`is_ours`: this process has to read on there; `has_others`: or in other partitions."""
        if is_ours:
            return self._timing.stalled_seconds
        return float("inf") if has_others else IDLE_MEMBER_FACTOR * self._timing.stalled_seconds
