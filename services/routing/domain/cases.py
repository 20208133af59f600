"""Which bonuses a route is searched for: a case for each set of them that one route of a sort of train may have.

In a case what its bonuses pay is part of the values of stops, and what they need is a set of marks that the route must
collect. A route is found in every case whose bonuses it has, so the best of all cases is the best route. Bonuses that
few runs have are claimed: a claim is a row of `Network.track` like a segment, so no two routes have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.network import Flags, Network, Numbers
from services.routing.domain.problem import Bonus, Requirement, Train, Where, concerns, is_optional

WHERES: tuple[Where, ...] = ("visited", "counted", "ends", "counted_ends")
Slot = tuple[Bonus, tuple[int, ...]]


class Case(NamedTuple):
    """What bonuses and requirements make of the stops, by number; money as scores.

    A stop of the route adds `add` where it matters, the route adds `base`. It collects `marks` alike, as bits, and must
    have all of `needed`. `may_end`, `may_end_passed`: whether the route may end there at all, counting the stop or not.
    `more_most`: no route adds more than that by the bonuses claimed.
    """

    claims: tuple[int, ...]
    base: int
    more_most: int
    add: Mapping[Where, Numbers]
    marks: Mapping[Where, Numbers]
    needed: int
    mark_count: int
    may_end: Flags
    may_end_passed: Flags

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the values of stops matters."""
        return self.add is self.marks


def first_case(network: Network, train: Train) -> Case:
    """The case for such a train without any bonus that could be left out."""
    if not network.bonuses and not network.requirements:
        return _plain_case(len(network.stops))
    return _case(network, train, _bonuses_for(network, train)[0], ())


def cases_of(network: Network, train: Train, budget: Budget) -> list[Case]:
    """All cases for such a train: the first, then by what they may add. Raises `BudgetSpent`."""
    cases = [first_case(network, train)]
    always, optional = _bonuses_for(network, train)
    choices: list[list[Slot | None]] = [
        [None, *((bonus, rows) for rows in network.claims[bonus.id] or [()])] for bonus in optional
    ]
    for chosen in islice(product(*choices), 1, None):
        budget.spend(0)
        case = _case(network, train, always, [slot for slot in chosen if slot is not None])
        if case.may_end.any():
            cases.append(case)
    return sorted(cases, key=lambda case: (bool(case.more_most), -case.more_most))


def _bonuses_for(network: Network, train: Train) -> tuple[list[Bonus], list[Bonus]]:
    """Those that concern such a train: which it has always, and which could be left out."""
    bonuses = [bonus for bonus in network.bonuses if concerns(bonus, train)]
    optional = [bonus for bonus in bonuses if is_optional(bonus)]
    return [bonus for bonus in bonuses if bonus not in optional], optional


def _plain_case(stop_count: int) -> Case:
    zeros, ones = np.zeros(stop_count, np.int64), np.ones(stop_count, np.bool_)
    nothing = dict.fromkeys(WHERES, zeros)
    return Case((), 0, 0, nothing, nothing, 0, 0, ones, ones)


def _case(network: Network, train: Train, always: Sequence[Bonus], claimed: Sequence[Slot]) -> Case:
    scores, number = network.scores, network.number
    count = len(network.stops)
    add = {where: np.zeros(count, np.int64) for where in WHERES}
    marks = {where: np.zeros(count, np.int64) for where in WHERES}
    base = more_most = 0
    for bonus in (*always, *(bonus for bonus, _ in claimed)):
        paid = [
            (number[name], scores.of_money(bonus.money_for(train, money), bonus.to_treasury))
            for group in bonus.groups
            for name, money in group.items()
        ]
        for stop, score in paid:
            add[bonus.where][stop] += score
        if bonus not in always:
            pays = scores.of_money(bonus.money_for(train, bonus.pays), bonus.to_treasury)
            base += pays
            more_most += pays + _most(train, bonus, [score for _, score in paid])
    mark_count = 0
    for term, group in _needs(network, train, claimed):
        marks[term.where][[number[name] for name in group]] |= 1 << mark_count
        mark_count += 1
    for where in ("counted", "counted_ends"):
        add[where][network.is_mine] = 0
        marks[where][network.is_mine] = 0
    needed = (1 << mark_count) - 1
    return Case(
        claims=tuple(row for _, rows in claimed for row in rows),
        base=base,
        more_most=more_most,
        add=add,
        marks=marks,
        needed=needed,
        mark_count=mark_count,
        may_end=_may_end(marks, marks["ends"] | marks["counted_ends"]),
        may_end_passed=_may_end(marks, marks["ends"]),
    )


def _needs(
    network: Network, train: Train, claimed: Sequence[Slot]
) -> Iterator[tuple[Bonus | Requirement, tuple[str, ...]]]:
    """The groups of which the route must have a stop."""
    for requirement in network.requirements:
        if concerns(requirement, train):
            yield requirement, requirement.stops
    for bonus, _ in claimed:
        if bonus.pays or len(bonus.groups) > 1:
            for group in bonus.groups:
                yield bonus, tuple(group)


def _most(train: Train, bonus: Bonus, scores: Sequence[int]) -> int:
    """The most that so many stops as a route may have of the bonus add."""
    if bonus.where in ("ends", "counted_ends"):
        most = 2
    elif train.reach and train.measure == "stops" and train.towns == "stop":
        most = train.reach + 1
    else:
        most = len(scores)
    return sum(sorted(scores, reverse=True)[:most])


def _may_end(marks: Mapping[Where, Numbers], own: Numbers) -> Flags:
    """Whether each stop, with its own marks as an end, has another with which it makes all that ends must."""
    at_ends = marks["ends"] | marks["counted_ends"]
    needed = int(np.bitwise_or.reduce(at_ends)) if len(at_ends) else 0
    others = np.unique(at_ends)
    may: Flags = ((own[:, None] | others[None, :]) & needed == needed).any(axis=1)
    return may
