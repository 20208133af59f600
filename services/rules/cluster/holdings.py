"""Keeps this replica's copy of the log to the partitions that it owns and those that it stands by for, and knows which replicas
have the others. What the group of owners says is the only source: who owns what, and where its replicas are."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.process.repeating import RepeatingThread
from services.common.process.stopping import StopFlag
from services.common.telemetry.logs import get_logger
from services.rules.cluster.group import OwnersGroup, own_member
from services.rules.cluster.placement import Member, Placement, placement_after_joining, placement_of

SAME_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class HoldingTiming:
    """`follow_seconds`: how long a partition is followed after it went to others, so that commands which wait here for their
    outcome get it. `keep_seconds`: how long its copy stays in the file, so that one that comes back is not read anew."""

    look_seconds: float = 1.0
    follow_seconds: float = 35.0
    keep_seconds: float = 900.0


@dataclass(frozen=True, slots=True)
class Sharing:
    """`copies`: how many replicas keep a copy of each partition. `address`: host:port where others reach this one."""

    copies: int
    address: str
    timing: HoldingTiming = HoldingTiming()


class Holdings:
    """Looks at the group again and again, in a thread of its own between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        sharing: Sharing,
        copy: LogCopy,
        assigned: Callable[[], Collection[int]],
        dropped: Callable[[Collection[int]], None],
        is_fresh: Callable[[int], bool],
    ) -> None:
        """`assigned`: what the group has given to this replica; `dropped` is called before copies of partitions are deleted;
        `is_fresh`: whether the copy of a partition is no older than an answer may be."""
        self._kafka = kafka
        self._sharing = sharing
        self._copy = copy
        self._assigned = assigned
        self._dropped = dropped
        self._is_fresh = is_fresh
        self._partitions = COMMANDS.partitions(kafka)
        self._group = OwnersGroup(kafka)
        self._log = get_logger("holdings")
        self._looking = threading.Lock()
        self._thread = RepeatingThread("holdings", self._watch, sharing.timing.look_seconds)
        self._listeners: list[Callable[[], None]] = []
        self._left_at: dict[int, float] = {}
        self._looked_at = float("-inf")
        self._holding: frozenset[int] = frozenset()
        self.placement = Placement()
        """Who has what, as far as is known."""
        self.followed: frozenset[int] = frozenset()
        """The partitions that the copy follows."""
        copy.follow(self.followed)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` in the thread that looks, whenever other partitions are followed than before."""
        self._listeners.append(listener)

    def foresee(self, stop_event: StopFlag | None) -> None:
        """Have the copy follow what this replica will have once it has joined the group. Blocks while the group is dividing its
        partitions, or until `stop_event`. Raises `KafkaUnreachable`."""
        name, address = self._kafka.instance, self._sharing.address
        while stop_event is None or not stop_event.is_set():
            members = self._group.members()
            if members is None:
                time.sleep(self._sharing.timing.look_seconds)
                continue
            if not members:
                # All begin together: what each has is as good a guess as any, and nobody waits longer for it.
                self._hold(self._copy.saved_partitions())
                return
            if all(each.name != name for each in members):
                own, copies = own_member(self._kafka, address), self._sharing.copies
                self.placement = placement_after_joining(members, own, self._partitions, copies)
            else:
                # The group gives a member that returns within its session what it had.
                self.placement = placement_of(members, self._partitions, self._sharing.copies)
            self._hold(self._wanted(members))
            return

    def hold_all(self) -> None:
        """Have the copy follow everything, where there is no group yet that could say what this replica will have."""
        self._hold(frozenset(range(self._partitions)))

    def has_all(self, seconds: float) -> bool:
        """Wait until everything that this replica should have is here; False if it takes longer."""
        end = time.monotonic() + seconds
        while not self._has_all_now():
            if time.monotonic() >= end:
                return False
            time.sleep(SAME_LOOK_SECONDS)
        return True

    def _has_all_now(self) -> bool:
        return bool(self.placement.holders) and all(map(self.is_here, self._holding))

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking. May be called again, and without `start`."""
        self._thread.close()
        # A look that waits for a broker ends with the process.
        if self._looking.acquire(timeout=SAME_LOOK_SECONDS):
            self._group.close()
            self._looking.release()

    def is_here(self, partition: int) -> bool:
        """Whether this replica has read all of a partition, follows it, and is not too far behind to answer."""
        return partition in self.followed and self._copy.has_read(partition) and self._is_fresh(partition)

    def read_partitions(self) -> list[int]:
        """The partitions that this replica has read and follows."""
        return [each for each in sorted(self.followed) if self._copy.has_read(each)]

    def look(self) -> None:
        """Look at the group now, unless that was done just before. From any thread; nothing changes while Kafka does not
        answer."""
        with self._looking:
            is_news = time.monotonic() - self._looked_at >= SAME_LOOK_SECONDS
            if not is_news or self._thread.is_closing:
                return
            try:
                members = self._group.members()
            except KafkaUnreachable as problem:
                self._log.warning("the owners are not known", problem=str(problem))
                members = None
            if members is None:
                self._hold(self._holding | frozenset(self._assigned()))
            else:
                found = placement_of(members, self._partitions, self._sharing.copies)
                # A partition on its way from one owner to the next belongs to nobody for a moment.
                holders = {**self.placement.holders, **found.holders}
                self.placement = Placement(holders, {**self.placement.addresses, **found.addresses})
                self._hold(self._wanted(members) | frozenset(self._assigned()))
            self._looked_at = time.monotonic()

    def _wanted(self, members: Collection[Member]) -> frozenset[int]:
        """What this replica should have: everything, as long as there are members that nobody can ask."""
        if all(each.address for each in members):
            return self.placement.held_by(self._kafka.instance)
        return frozenset(range(self._partitions))

    def _watch(self) -> None:
        try:
            self.look()
        except Exception as problem:
            # For example a password file that is missing for a moment.
            self._log.error("the owners are looked for again", problem=repr(problem))

    def _hold(self, wanted: frozenset[int]) -> None:
        now, timing = time.monotonic(), self._sharing.timing
        self._holding = wanted
        left = (self.followed | self._copy.saved_partitions()) - wanted
        self._left_at = {number: self._left_at.get(number, now) for number in left}
        kept = {n for n in self.followed - wanted if now - self._left_at[n] < timing.follow_seconds}
        if (followed := wanted | kept) != self.followed:
            self._log.info("partitions held", owned_or_standby=sorted(wanted), still_followed=sorted(kept))
            self.followed = followed
            self._copy.follow(followed)
            for listener in self._listeners:
                listener()
        old = {n for n, at in self._left_at.items() if now - at >= timing.keep_seconds and n not in followed}
        if old:
            self._dropped(old)
            self._copy.drop(old)
