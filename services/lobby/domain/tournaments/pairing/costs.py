"""What an arrangement of players at tables costs: terms in the order in which they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import msgspec

from services.lobby.domain.tournaments.pairing.problem import (
    WEEK_HOURS,
    Entrant,
    OfferedTitle,
    PairingProblem,
    hour_mask,
)
from services.lobby.domain.tournaments.pairing.sizes import odd_counts

RATING_BANDS = 4


class Cost(msgspec.Struct, frozen=True, order=True):
    """Terms of a cost, the first that differs decides.

    - forbidden: forbidden pairs, and tables that share too few hours
    - repeats: k(k+1) for each pair that has met k times
    - size: 2k+1 for each seat at a table without the preferred size, k being how often the player had one before
    - score: squared distance of score groups, for each pair
    - preference: how far down each player's preferences the title is
    - seats: 2k+1 for each seat, k being how often the player has sat there before
    - hours: hours of the week that a table does not share
    - rating: pairs from the same quarter of the rating list
    """

    forbidden: int = 0
    repeats: int = 0
    size: int = 0
    score: int = 0
    preference: int = 0
    seats: int = 0
    hours: int = 0
    rating: int = 0


SEARCHED = ("forbidden", "repeats", "size", "score", "preference", "hours", "rating")
"""The terms that depend on who sits together. Seats are chosen afterwards, table by table."""


class TableCosts:
    """The cost of each possible table of a problem, as one integer whose digits are the terms.

    Players are numbers: their index in the list of entrants given."""

    def __init__(self, problem: PairingProblem, entrants: Sequence[Entrant], sizes: Sequence[int]) -> None:
        """`entrants` are those who play this round, `sizes` their tables."""
        self.entrants = tuple(entrants)
        self._problem = problem
        self._index = {entrant.player: index for index, entrant in enumerate(entrants)}
        self.meetings = self._meetings()
        self._radix = self._radixes(sizes)
        self.unit = {name: self._weight(name) for name in SEARCHED}
        self._kinds, self._by_kind = self._pairs_by_kind()
        self._special = self._special_pairs()
        odd = odd_counts(problem.past, problem.sizes.preferred)
        self.odd = [odd[entrant.player] for entrant in entrants]
        self._single = {size: self._single_costs(size) for size in set(sizes)}
        self._preference_rows = {size: self._preference_costs(size) for size in set(sizes)}
        self._hours = [hour_mask(entrant) for entrant in entrants]
        self._has_preferences = len(problem.titles) > 1 and any(entrant.preferences for entrant in entrants)
        self._has_hours = bool(problem.hours_min) or any(entrant.hours for entrant in entrants)

    def of(self, members: Sequence[int]) -> int:
        """The cost of these players at one table, with the best title for them."""
        kinds, by_kind, special = self._kinds, self._by_kind, self._special
        single = self._single[len(members)]
        total = 0
        for position, first in enumerate(members):
            total += single[first]
            row, others = by_kind[kinds[first]], special[first]
            for second in members[:position]:
                total += row[kinds[second]]
                if second in others:
                    total += others[second]
        if self._has_preferences:
            costs = self._preference_rows[len(members)]
            rows = [costs[member] for member in members]
            total += self.unit["preference"] * min(map(sum, zip(*rows, strict=True)))
        if self._has_hours:
            total += self._hours_cost(members)
        return total

    def title_for(self, members: Sequence[int]) -> str:
        """The title that these players prefer most, the first offered if several are equal; empty without titles."""
        offers = self._offers(len(members))
        return min(offers, key=lambda offer: self.preference(members, offer.title)).title if offers else ""

    def preference(self, members: Sequence[int], title: str) -> int:
        """How far down the preferences of these players a title is, in sum."""
        return sum(_preference_cost(self.entrants[member], title) for member in members)

    def terms(self, total: int) -> Cost:
        """The terms of a cost, or of a sum of the costs of all tables."""
        values = {}
        for name in reversed(SEARCHED):
            total, values[name] = divmod(total, self._radix[name])
        return Cost(**values)

    def _meetings(self) -> Counter[tuple[int, int]]:
        met: Counter[tuple[int, int]] = Counter()
        for table in self._problem.past:
            present = sorted(self._index[player] for player in table.seats if player in self._index)
            met.update(combinations(present, 2))
        return met

    def _radixes(self, sizes: Sequence[int]) -> dict[str, int]:
        """One more than the largest sum that each term can have."""
        pairs = sum(size * (size - 1) // 2 for size in sizes)
        groups = len({entrant.points for entrant in self.entrants})
        most = max(self.meetings.values(), default=0)
        seats, past = sum(sizes), len(self._problem.past)
        largest = {
            "forbidden": 2 * pairs + 2 * len(sizes),
            "repeats": pairs * most * (most + 1),
            "size": seats * (2 * past + 1),
            "score": pairs * groups**2,
            "preference": seats * len(self._problem.titles),
            "hours": len(sizes) * WEEK_HOURS,
            "rating": pairs,
        }
        return {name: bound + 1 for name, bound in largest.items()}

    def _weight(self, name: str) -> int:
        weight = 1
        for later in SEARCHED[SEARCHED.index(name) + 1 :]:
            weight *= self._radix[later]
        return weight

    def _pairs_by_kind(self) -> tuple[list[int], list[list[int]]]:
        """Players of one score group and quarter of the ratings are of one kind; the cost of a pair of kinds."""
        groups = {
            points: index
            for index, points in enumerate(sorted({entrant.points for entrant in self.entrants}))
        }
        by_rating = sorted(range(len(self.entrants)), key=lambda index: (-self.entrants[index].rating, index))
        rated = any(entrant.rating for entrant in self.entrants)
        band = {index: rank * RATING_BANDS // len(by_rating) for rank, index in enumerate(by_rating)}
        kind_of = [
            (groups[entrant.points], band[index] if rated else 0)
            for index, entrant in enumerate(self.entrants)
        ]
        kinds = sorted(set(kind_of))
        numbers = {kind: number for number, kind in enumerate(kinds)}

        def cost(first: tuple[int, int], second: tuple[int, int]) -> int:
            same_band = rated and first[1] == second[1]
            return self.unit["score"] * (first[0] - second[0]) ** 2 + self.unit["rating"] * same_band

        return [numbers[kind] for kind in kind_of], [[cost(a, b) for b in kinds] for a in kinds]

    def _special_pairs(self) -> list[dict[int, int]]:
        """The costs of pairs that have met or are forbidden, by player."""
        special: list[dict[int, int]] = [{} for _ in self.entrants]

        def add(first: int, second: int, cost: int) -> None:
            special[first][second] = special[second][first] = special[first].get(second, 0) + cost

        for (first, second), times in self.meetings.items():
            add(first, second, self.unit["repeats"] * times * (times + 1))
        for pair in {tuple(sorted(pair)) for pair in self._problem.forbidden}:
            if all(player in self._index for player in pair):
                add(self._index[pair[0]], self._index[pair[1]], self.unit["forbidden"])
        return special

    def _single_costs(self, size: int) -> list[int]:
        if size == self._problem.sizes.preferred:
            return [0] * len(self.entrants)
        return [self.unit["size"] * (2 * odd + 1) for odd in self.odd]

    def _offers(self, size: int) -> list[OfferedTitle]:
        return [offer for offer in self._problem.titles if offer.players_min <= size <= offer.players_max]

    def _preference_costs(self, size: int) -> list[list[int]]:
        """What each title offered for a table of this size costs each player."""
        offers = self._offers(size)
        return [[_preference_cost(entrant, offer.title) for offer in offers] for entrant in self.entrants]

    def _hours_cost(self, members: Sequence[int]) -> int:
        shared = (1 << WEEK_HOURS) - 1
        for member in members:
            shared &= self._hours[member]
        count = shared.bit_count()
        missing = self.unit["forbidden"] if count < self._problem.hours_min else 0
        return missing + self.unit["hours"] * (WEEK_HOURS - count)


def _preference_cost(entrant: Entrant, title: str) -> int:
    """The index of the title among the preferences, their number if it is not one."""
    return entrant.preferences.index(title) if title in entrant.preferences else len(entrant.preferences)
