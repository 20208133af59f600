"""Consumer groups: which member has which partition, sent to each member when it next asks.

A member gives a partition back before another one gets it, unless it was not heard of for a session.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from services.common.kafka.topics import PartitionName
from tests.wholesim.schedule import Schedule


@dataclass(eq=False)
class Member:
    """`instance`: its name over restarts, empty where it has none. `owned`: the partitions it knows to be its own."""

    name: str
    instance: str
    session_seconds: float
    last_heard: float
    generation: int = 0
    owned: set[PartitionName] = field(default_factory=set)
    is_gone: bool = False
    is_fenced: bool = False
    """Another member with its instance name has come."""
    known: int = -1
    """The number of changes of its group that it was sent."""


@dataclass(slots=True)
class Change:
    """What a member is sent: lost partitions when it was not heard of, else those it gives back and those it gets.

    `known`: how many changes of the group what it gives back takes into account."""

    lost: list[PartitionName] = field(default_factory=list)
    revoked: list[PartitionName] = field(default_factory=list)
    assigned: list[PartitionName] = field(default_factory=list)
    known: int = 0


class Group:
    """One group over some partitions."""

    def __init__(self, schedule: Schedule, places: list[PartitionName]) -> None:
        self._schedule = schedule
        self._places = places
        self.generation = 0
        self._changes = 0
        self.members: list[Member] = []
        self._target: dict[PartitionName, Member] = {}
        self._holder: dict[PartitionName, Member] = {}

    def join(self, member: Member) -> None:
        """A member comes; one with its instance name is fenced, and its partitions are the new one's."""
        for other in [each for each in self.members if member.instance and each.instance == member.instance]:
            other.is_fenced = other.is_gone = True
            self.members.remove(other)
            for place, holder in list(self._target.items()):
                if holder is other:
                    self._target[place] = member
            self._let_go_of_all(other)
        self.members.append(member)
        self._share_out()

    def leave(self, member: Member) -> None:
        """A member goes, and says so."""
        if member in self.members:
            self._remove(member)

    def remove_instance(self, instance: str) -> None:
        """An administrator removes a member by its instance name."""
        for member in [each for each in self.members if each.instance == instance]:
            self._remove(member)

    def heard_of(self, member: Member) -> None:
        """A heartbeat of this one, and a look after all others."""
        if not member.is_gone:
            member.last_heard = self._schedule.now
        self.expire()

    def expire(self) -> None:
        """Who was not heard of for a session is a member no longer."""
        for member in list(self.members):
            if self._schedule.now - member.last_heard > member.session_seconds:
                self._remove(member)

    def has_news_for(self, member: Member) -> bool:
        """Whether anything changed since the member last asked and gave back what it had to."""
        return member.known != self._changes

    def sync(self, member: Member) -> Change:
        """What changes for a member now; a gone one loses everything."""
        if member.is_gone:
            lost, member.owned = sorted(member.owned), set()
            return Change(lost=lost)
        revoked = sorted(place for place in member.owned if self._target.get(place) is not member)
        for place in revoked:
            member.owned.discard(place)
        return Change(revoked=revoked, known=self._changes)

    def given_back(self, member: Member, change: Change) -> Change:
        """After the member has given back what it had to: what it gets."""
        for place in change.revoked:
            if self._holder.get(place) is member:
                del self._holder[place]
                self._changes += 1
        member.generation, member.known = self.generation, change.known
        assigned = sorted(
            place
            for place, target in self._target.items()
            if target is member and place not in member.owned and place not in self._holder
        )
        for place in assigned:
            self._holder[place] = member
            member.owned.add(place)
            self._changes += 1
        return Change(assigned=assigned)

    def given_to(self, member: Member) -> list[PartitionName]:
        """What the group has decided that a member has, whether it knows that yet or not."""
        return sorted(place for place, target in self._target.items() if target is member)

    def is_current(self, member: Member) -> bool:
        """Whether what the member says about offsets counts."""
        return not member.is_gone and member.generation == self.generation

    def _remove(self, member: Member) -> None:
        member.is_gone = True
        self.members.remove(member)
        self._let_go_of_all(member)
        self._share_out()

    def _let_go_of_all(self, member: Member) -> None:
        for place in [place for place, holder in self._holder.items() if holder is member]:
            del self._holder[place]

    def _share_out(self) -> None:
        """Evenly, each keeping what it can; partitions of one number are assigned to the same member."""
        self.generation += 1
        self._changes += 1
        if not self.members:
            self._target = {}
            return
        numbers = sorted({number for _, number in self._places})
        most = -(-len(numbers) // len(self.members))
        have: dict[int, Member] = {}
        for (_, number), member in sorted(self._target.items(), key=lambda each: each[0]):
            if member in self.members and list(have.values()).count(member) < most:
                have.setdefault(number, member)
        for number in numbers:
            if number not in have:
                have[number] = min(self.members, key=lambda each: list(have.values()).count(each))
        self._target = {place: have[place[1]] for place in self._places}
