"""Which replica keeps a copy of which partition of the log: its owner, and as standbys those that the group would choose next.

The group decides who owns what, with the sticky assignor of its client library (KIP-54, KIP-429). The assignor is a function of
what the members have, so its next decision is known beforehand: that of the death of an owner says who stands by, and that of the
arrival of a replica says what it has to read before it joins. Where a forecast fails, for example because two die together, the
new owner reads the partition before it takes it over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the owners' group. `key`: how the assignor orders it among the others; `name`: that of its replica.

    `address`: host:port at which other replicas reach it; empty where it has none."""

    key: str
    name: str
    address: str
    partitions: frozenset[int]


@dataclass(frozen=True, slots=True)
class Placement:
    """The holders of every partition that has an owner, by the names of their replicas: the owner first, then its standbys."""

    holders: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)

    def held_by(self, name: str) -> frozenset[int]:
        """The partitions of which this replica keeps a copy."""
        return frozenset(number for number, names in self.holders.items() if name in names)


def placement_of(members: Collection[Member], partitions: int, copies: int) -> Placement:
    """Who holds which of the `partitions`: `copies` replicas each, or all of them where there are fewer."""
    names = {each.key: each.name for each in members}
    owned = {each.key: sorted(each.partitions) for each in members}
    holders: dict[int, list[str]] = {number: [key] for key, numbers in owned.items() for number in numbers}
    forecasts: dict[frozenset[str], dict[int, str]] = {}
    for _ in range(min(copies, len(members)) - 1):
        for number, keys in holders.items():
            gone = frozenset(keys)
            if gone not in forecasts:
                left = {key: numbers for key, numbers in owned.items() if key not in gone}
                forecasts[gone] = expected_owners(left, partitions)
            keys.append(forecasts[gone][number])
    return Placement(
        {number: tuple(names[key] for key in keys) for number, keys in sorted(holders.items())},
        {each.name: each.address for each in members if each.address},
    )


def placement_after_joining(
    members: Collection[Member], joining: Member, partitions: int, copies: int
) -> Placement:
    """The placement to be expected once this replica has joined the group."""
    others = [each for each in members if each.name != joining.name]
    owned = {each.key: sorted(each.partitions) for each in (*others, joining)}
    owners = expected_owners(owned, partitions)
    expected = [
        Member(
            each.key, each.name, each.address, frozenset(n for n, key in owners.items() if key == each.key)
        )
        for each in (*others, joining)
    ]
    return placement_of(expected, partitions, copies)


def expected_owners(owned: Mapping[str, Collection[int]], partitions: int) -> dict[int, str]:
    """Whom the sticky assignor makes the owner of each partition, with members that have these: what nobody has goes to those
    with the fewest; then partitions move from those with the most until no two differ by more than one."""
    shares = {key: sorted(numbers) for key, numbers in owned.items()}
    order = _reassignment_order(shares)
    taken = frozenset(order)
    # The library goes through its map of partitions from the one entered last.
    without_owner = [number for number in reversed(range(partitions)) if number not in taken]
    for number in without_owner:
        shares[_fewest(shares)].append(number)
    for number in (*without_owner, *order, *without_owner):
        most = max(map(len, shares.values()))
        if most - min(map(len, shares.values())) <= 1:
            break
        owner = next(key for key, numbers in shares.items() if number in numbers)
        fewest = _fewest(shares)
        if len(shares[owner]) > len(shares[fewest]) + 1:
            shares[owner].remove(number)
            shares[fewest].append(number)
    return {number: key for key, numbers in shares.items() for number in numbers}


def _fewest(shares: Mapping[str, Collection[int]]) -> str:
    return min(shares, key=lambda key: (len(shares[key]), key))


def _reassignment_order(shares: Mapping[str, list[int]]) -> list[int]:
    """The partitions in the order in which the assignor considers moving them: always the first of the member with the most."""
    left = {key: list(numbers) for key, numbers in shares.items() if numbers}
    order: list[int] = []
    while left:
        most = max(left, key=lambda key: (len(left[key]), key))
        order.append(left[most].pop(0))
        if not left[most]:
            del left[most]
    return order
