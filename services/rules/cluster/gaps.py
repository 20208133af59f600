"""Partitions that stay without an owner.

A member that is killed while it gives partitions up, and comes back under its name before its session has ended, gets those
that it was to keep. Kafka never asks it again about the others, and nobody gets these until the group divides all of them
anew. So a member that sees them leaves the group and joins again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger
from services.rules.cluster.group import OwnersGroup
from services.rules.cluster.placement import Member

NOTHING: frozenset[int] = frozenset()


def to_be_mended_by(name: str, members: Collection[Member], partitions: int) -> frozenset[int]:
    """The partitions that no member has, where this replica is the one of the group that is to do something about it."""
    if name != min((each.name for each in members), default=None):
        return NOTHING
    owned: frozenset[int] = frozenset().union(*(each.partitions for each in members))
    return frozenset(range(partitions)) - owned


class GapWatch:
    """Looks at the group again and again, in a thread of its own between `start` and `close`."""

    def __init__(self, kafka: KafkaSettings, seconds: float) -> None:
        """`seconds`: between two looks. Partitions that move from one member to another have no owner for less than that."""
        self._name = kafka.instance
        self._partitions = COMMANDS.partitions(kafka)
        self._group = OwnersGroup(kafka)
        self._log = get_logger("owner")
        self._seen = NOTHING
        self._thread = RepeatingThread("gaps", lambda: self.look(self._group.members), seconds)
        self.found = NOTHING
        """Partitions that were without an owner at two looks: this replica has to join the group anew."""

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """End. May be called again, and without `start`."""
        self._thread.close()
        self._group.close()

    def mended(self) -> None:
        """This replica has left the group."""
        self._seen = self.found = NOTHING

    def look(self, members: Callable[[], Collection[Member] | None]) -> None:
        """Compare what the members have now with what they had at the last look."""
        try:
            now = members()
        except Exception as problem:
            # Whatever it is, for example a password file that is missing for a moment: the next look may see the group.
            self._log.warning("the group of owners is not seen", problem=repr(problem))
            now = None
        # While the group divides them all partitions may be without an owner.
        without = NOTHING if now is None else to_be_mended_by(self._name, now, self._partitions)
        self.found, self._seen = without & self._seen, without
