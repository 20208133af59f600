"""A Kafka in memory: topics in partitions, transactions with marks of their own, and offsets of groups.

It keeps the promises of Kafka that the platform rests on and no others. A decided transaction is marked in one partition
after another; until then a reader of committed records gets no further than its first record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS, PartitionName
from tests.wholesim.groups import Group
from tests.wholesim.schedule import Schedule, Task

Headers = tuple[tuple[str, bytes], ...]
MARKER_SECONDS_MAX = 0.004
TRANSACTION_SECONDS = 10.0


@dataclass(eq=False, slots=True)
class Transaction:
    """`marked`: partitions with the mark of its end. `offsets` and `notes`, their metadata: of groups, which
    count when it is committed."""

    transactional_id: str
    epoch: int
    began_ms: int
    state: Literal["open", "committed", "aborted"] = "open"
    places: list[PartitionName] = field(default_factory=list)
    marked: set[PartitionName] = field(default_factory=set)
    offsets: dict[tuple[str, PartitionName], int] = field(default_factory=dict)
    notes: dict[tuple[str, PartitionName], str] = field(default_factory=dict)
    is_settled: bool = False
    """Whether all partitions and groups know how it ended."""


@dataclass(slots=True)
class Entry:
    """A record, or the mark of the end of a transaction."""

    offset: int
    key: bytes
    value: bytes | None
    headers: Headers
    time_ms: int
    transaction: Transaction | None = None
    is_mark: bool = False

    @property
    def is_given_up(self) -> bool:
        """Whether its transaction was aborted."""
        return self.transaction is not None and self.transaction.state != "committed"


@dataclass(slots=True)
class Partition:
    """Its entries; offsets are places in the list."""

    entries: list[Entry] = field(default_factory=list)
    open: list[tuple[int, Transaction]] = field(default_factory=list)
    """First offsets of transactions of which this partition does not know the end."""
    listeners: list[list[Task]] = field(default_factory=list)
    """Queues of those who wait for news of it."""

    @property
    def end(self) -> int:
        """The offset after the last entry."""
        return len(self.entries)

    @property
    def stable_end(self) -> int:
        """As far as readers of committed records get."""
        return min(first for first, _ in self.open) if self.open else len(self.entries)

    @property
    def decided_end(self) -> int:
        """As far as every transaction is decided, whether this partition knows its end or not."""
        undecided = (first for first, transaction in self.open if transaction.state == "open")
        return min(undecided, default=len(self.entries))

    def visible(self, offset: int, most: int, is_committed: bool = True) -> tuple[list[Entry], int]:
        """Records from an offset on, committed ones or all, and the offset up to which there are no others."""
        found: list[Entry] = []
        end = self.stable_end if is_committed else self.end
        while offset < end and len(found) < most:
            entry = self.entries[offset]
            offset += 1
            if not entry.is_mark and not (is_committed and entry.is_given_up):
                found.append(entry)
        return found, offset


class Kafka:
    """All topics of the platform. What is done to it is done at once; clients bring the delays."""

    def __init__(self, schedule: Schedule, settings: KafkaSettings) -> None:
        self.schedule = schedule
        self.settings = settings
        self.partitions: dict[PartitionName, Partition] = {
            (topic.name_in(settings), number): Partition()
            for topic in TOPICS
            for number in range(topic.partitions(settings))
        }
        self.epochs: dict[str, int] = {}
        self.transactions: dict[str, Transaction] = {}
        self.offsets: dict[tuple[str, PartitionName], int] = {}
        self.notes: dict[tuple[str, PartitionName], str] = {}
        self.groups: dict[str, Group] = {}
        self.away_until = 0.0
        self.slow_until: dict[str, float] = {}
        """Processes whose copies and tails get nothing until then."""
        self.on_append: Callable[[PartitionName, Entry], None] = lambda place, entry: None

    def append(
        self,
        place: PartitionName,
        key: bytes,
        value: bytes | None,
        headers: Iterable[tuple[str, bytes]] = (),
        transaction: Transaction | None = None,
        is_mark: bool = False,
    ) -> Entry:
        """One more entry."""
        partition = self.partitions[place]
        if transaction is not None and not is_mark and place not in transaction.places:
            transaction.places.append(place)
            partition.open.append((partition.end, transaction))
        entry = Entry(
            partition.end, key, value, tuple(headers), self.schedule.true_ms(), transaction, is_mark
        )
        partition.entries.append(entry)
        self.on_append(place, entry)
        for waiters in partition.listeners:
            self.schedule.wake_all(waiters)
        return entry

    def init_transactions(self, transactional_id: str) -> int:
        """A new epoch: the previous user of the id is fenced, and the transaction it left open is aborted."""
        epoch = self.epochs[transactional_id] = self.epochs.get(transactional_id, 0) + 1
        left = self.transactions.get(transactional_id)
        if left is not None and left.state == "open":
            self.end(left, "aborted")
        return epoch

    def begin(self, transactional_id: str, epoch: int) -> Transaction:
        """A new transaction, the one before being settled."""
        transaction = Transaction(transactional_id, epoch, self.schedule.true_ms())
        self.transactions[transactional_id] = transaction
        return transaction

    def end(self, transaction: Transaction, state: Literal["committed", "aborted"]) -> None:
        """Decide a transaction for good; partitions and groups learn it one after another."""
        transaction.state = state
        left: list[PartitionName | None] = [*transaction.places, None]
        self.schedule.random.shuffle(left)
        self._mark_next(transaction, left)

    def _mark_next(self, transaction: Transaction, left: list[PartitionName | None]) -> None:
        if not left:
            transaction.is_settled = True
            return
        seconds = self.schedule.random.uniform(0, MARKER_SECONDS_MAX)
        self.schedule.call_later(max(seconds, self.away_seconds), lambda: self._mark(transaction, left))

    def _mark(self, transaction: Transaction, left: list[PartitionName | None]) -> None:
        place = left.pop()
        if place is not None:
            partition = self.partitions[place]
            partition.open = [each for each in partition.open if each[1] is not transaction]
            self.append(place, b"", None, (), transaction, is_mark=True)
        else:
            if transaction.state == "committed":
                self.offsets |= transaction.offsets
                self.notes |= transaction.notes
            transaction.offsets, transaction.notes = {}, {}
        self._mark_next(transaction, left)

    def expire(self) -> None:
        """Abort what is open for too long, and fence its writer."""
        for name, transaction in list(self.transactions.items()):
            age_ms = self.schedule.true_ms() - transaction.began_ms
            if transaction.state == "open" and age_ms > TRANSACTION_SECONDS * 1000:
                self.epochs[name] += 1
                self.end(transaction, "aborted")
        for group in self.groups.values():
            group.expire()

    def group(self, name: str, places: list[PartitionName]) -> Group:
        """The group of this name, made when it is first asked for."""
        return self.groups.setdefault(name, Group(self.schedule, places))

    @property
    def away_seconds(self) -> float:
        """For how long nobody will have an answer."""
        return max(0.0, self.away_until - self.schedule.now)

    def has_pending_offsets(self, group: str, place: PartitionName) -> bool:
        """Whether the group's offset depends on a transaction that is not settled."""
        return any((group, place) in each.offsets for each in self.transactions.values())
