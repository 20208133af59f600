"""Moves a platform into a set of topics with another number of partitions, by way of a store.

The new set takes no commands before the switch, and the old one takes nothing after it: brokers refuse what is written into a
closed topic, and no service starts on one. Each step may be repeated after it was cut off.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from services.backup.backup import BackedUp, Backup
from services.backup.bringing import Bringing, Brought
from services.backup.catalogue import Catalogue
from services.backup.contents import TOPICS
from services.backup.format import Point
from services.backup.prepared import PreparedTargets
from services.backup.target import NotEmpty, check_unused, filled_now
from services.common.errors import SignalboxError
from services.common.kafka.administration import apply_topics, topic_states
from services.common.kafka.closing import close_topics, open_topics
from services.common.kafka.offsets import ends, identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import FACTS, TOPICS as ALL_TOPICS
from services.common.objectstore.port import ObjectStore
from services.common.process import crashpoints
from services.migration.kafka_endpoint import check_stopped

# Without them no service starts.
NOT_IN_BACKUP = tuple(topic for topic in ALL_TOPICS if topic not in TOPICS)


class NotMoved(SignalboxError):
    """A step cannot be made now; the message says why. Nothing was changed by it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a step copied out of the old topics, and what the new ones have now."""

    backed_up: BackedUp
    brought: Brought


class Repartition:
    """The way of one platform from the topics of `old` into those of `new`."""

    def __init__(self, old: KafkaSettings, new: KafkaSettings, store: ObjectStore) -> None:
        """`store`: of this way alone. Raises `NotMoved` where both are the same topics."""
        if old.topic_prefix == new.topic_prefix:
            raise NotMoved(f"the new topics need another prefix than {old.topic_prefix!r}")
        self._old = old
        self._new = new
        self._store = store

    def prepare(self) -> Moved:
        """Copy what is there into the new topics, while the platform plays in the old ones.

        Raises `NotMoved` after a switch, `NotEmpty` and `InUse` where the new topics are not of this move, and what a backup
        and a restore raise."""
        self._check_new_topics()
        if any(state.is_closed for state in topic_states(self._old, FACTS)):
            raise NotMoved("the old topics are closed: go on with switch, or with back")
        self._make_closed()
        return self._copy()

    def switch(self) -> Moved:
        """Close the old topics, copy the rest and open the new ones. The services must be stopped.

        Raises `InUse` while they run, and as `prepare`."""
        check_stopped(self._old)
        self._check_new_topics()
        self._make_closed()
        close_topics(self._old, [topic for topic in ALL_TOPICS if topic not in FACTS], is_proven=False)
        close_topics(self._old, FACTS)
        crashpoints.reach("repartition.after-close")
        moved = self._copy()
        self._check_all_copied(moved.backed_up.point)
        crashpoints.reach("repartition.before-open")
        open_topics(self._new, NOT_IN_BACKUP)
        apply_topics(self._new)
        return moved

    def go_back(self) -> None:
        """Open the old topics again, and close the new ones, in which no service may have run.

        Raises `InUse`, `NotEmpty` where one has."""
        self._check_new_topics()
        # Before that nobody could use them, and the copy may be cut off in the middle.
        has_opened = self._has_opened()
        if has_opened:
            self._check_only_copied()
        # Those of facts first: a repeat after a kill still sees that the others were open.
        close_topics(self._new, FACTS)
        if has_opened:
            self._check_only_copied()
        close_topics(self._new, NOT_IN_BACKUP, is_proven=False)
        check_unused(self._new)
        open_topics(self._old)
        apply_topics(self._old)

    def _has_opened(self) -> bool:
        is_there = not any(state.is_missing for state in topic_states(self._new, TOPICS))
        return is_there and not all(state.is_closed for state in topic_states(self._new, NOT_IN_BACKUP))

    def _check_only_copied(self) -> None:
        """Raises `NotEmpty` where the new topics have facts that are not of the copy: a service writes some, such as a sign-up,
        before it is in a group."""
        filled = PreparedTargets(self._store, identity_of(self._new, FACTS)).newest().filled
        found = filled_now(self._new, FACTS, filled).content
        others = {source[0] for source, content in found.items() if filled.content.get(source) != content}
        if others:
            raise NotEmpty(
                f"{', '.join(sorted(others))}: the new topics have records that were not copied there"
            )

    def _check_new_topics(self) -> None:
        check_stopped(self._new)
        check_unused(self._new)

    def _make_closed(self) -> None:
        """The new topics: those that take commands are closed before the first of the others is there."""
        missing = [state.topic for state in topic_states(self._new, NOT_IN_BACKUP) if state.is_missing]
        apply_topics(self._new, missing)
        close_topics(self._new, NOT_IN_BACKUP, is_proven=False)
        closed = [state.topic for state in topic_states(self._new, TOPICS) if state.is_closed]
        open_topics(self._new, closed)
        apply_topics(self._new, TOPICS)

    def _copy(self) -> Moved:
        with closing(Backup(self._old, self._store)) as backup:
            backed_up = backup.run()
        crashpoints.reach("repartition.after-backup")
        targets = PreparedTargets(self._store, identity_of(self._new, FACTS))
        with TemporaryDirectory(prefix="repartition-") as folder:
            catalogue, prepared = Catalogue(self._store), targets.newest()
            bringing = Bringing(self._new, catalogue, backed_up.point, prepared, Path(folder))
            brought = bringing.run(lambda *_: None)
        targets.keep(brought.prepared)
        return Moved(backed_up, brought)

    def _check_all_copied(self, point: Point) -> None:
        """Raises `NotMoved` where the old topics have more than was copied."""
        copied = {(each.topic, each.partition): each.next for each in point.partitions}
        for topic in TOPICS:
            for (name, partition), end in ends(self._old, [topic]).items():
                if copied[topic.name, partition] != end:
                    raise NotMoved(f"{name}, partition {partition}, got records after it was closed; repeat")
