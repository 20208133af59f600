"""Choosing one route per train so that no two share track and the total is the highest.

Candidates are numbered from the best score down, and for each piece of exclusive track an integer holds, bit by
bit, the candidates that use it. What is still possible beside a chosen route is then one expression, and the lowest
bit of it is the best that is still possible: a bound as tight as one pairwise check can give.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from services.routing.domain.budget import Budget
from services.routing.domain.network import Route, bit_numbers

Packing = tuple[Route | None, ...]


class Catalogue:
    """The candidate routes of one sort of train, best first."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self.routes = tuple(sorted(routes, key=lambda route: -route.score))
        self._losses = tuple(-route.score for route in self.routes)
        self.everything = (1 << len(self.routes)) - 1
        users: dict[int, bytearray] = defaultdict(lambda: bytearray(len(self.routes) // 8 + 1))
        for number, route in enumerate(self.routes):
            for bit in bit_numbers(route.track):
                users[bit][number >> 3] |= 1 << (number & 7)
        self._users = {bit: int.from_bytes(numbers, "little") for bit, numbers in users.items()}

    def beside(self, among: int, track: int) -> int:
        """Those of `among` that share nothing with `track`."""
        for bit in bit_numbers(track):
            among &= ~self._users.get(bit, 0)
        return among

    def at_least(self, score: int) -> int:
        """The candidates of at least this score."""
        return (1 << bisect_right(self._losses, -score)) - 1

    def best_score(self, among: int) -> int:
        """The best score in `among`, 0 if that is empty: the train then has no run."""
        return self.routes[(among & -among).bit_length() - 1].score if among else 0


class _Search:
    """Branch and bound over the trains in order; `best` is the best packing above the score asked for."""

    def __init__(self, catalogues: Sequence[Catalogue], score_more_than: int, budget: Budget) -> None:
        self._catalogues = catalogues
        self._budget = budget
        self.score = score_more_than
        self.best: Packing | None = None

    def run(self, chosen: Packing, score: int, free: tuple[int, ...]) -> None:
        """Complete `chosen`; `free` are the candidates left for each later train."""
        position = len(chosen)
        if position == len(self._catalogues):
            if score > self.score:
                self.score, self.best = score, chosen
            return
        catalogue, later = self._catalogues[position], self._catalogues[position + 1 :]
        most_later = sum(other.best_score(rest) for other, rest in zip(later, free[1:], strict=True))
        candidates = free[0] & catalogue.at_least(self.score + 1 - score - most_later)
        while candidates:
            lowest = candidates & -candidates
            candidates ^= lowest
            route = catalogue.routes[lowest.bit_length() - 1]
            if score + route.score + most_later <= self.score:
                break
            self._budget.spend()
            self._choose(chosen, route, score, free[1:], above=-lowest << 1)
        if score + most_later > self.score:
            self._choose(chosen, None, score, free[1:], above=0)

    def _choose(
        self, chosen: Packing, route: Route | None, score: int, free: tuple[int, ...], above: int
    ) -> None:
        """Go on with `route`. Trains of one sort take candidates in rising order, those without a run last."""
        catalogue, later = self._catalogues[len(chosen)], self._catalogues[len(chosen) + 1 :]
        gained, track = (route.score, route.track) if route else (0, 0)
        rests = []
        most = score + gained
        for other, rest in zip(later, free, strict=True):
            left = other.beside(rest & above if other is catalogue else rest, track)
            rests.append(left)
            most += other.best_score(left)
        if most > self.score:
            self.run((*chosen, route), score + gained, tuple(rests))


def best_packing(
    catalogues: Sequence[Catalogue], score_more_than: int, budget: Budget
) -> tuple[int, Packing] | None:
    """The best packing of one candidate or none per catalogue with more than this score, and its score."""
    order = sorted(range(len(catalogues)), key=lambda number: (len(catalogues[number].routes), number))
    ordered = [catalogues[number] for number in order]
    search = _Search(ordered, score_more_than, budget)
    search.run((), 0, tuple(catalogue.everything for catalogue in ordered))
    if search.best is None:
        return None
    by_number = dict(zip(order, search.best, strict=True))
    return search.score, tuple(by_number[number] for number in range(len(catalogues)))


def canonical_packing(catalogues: Sequence[Catalogue], score: int, budget: Budget) -> Packing | None:
    """Among all packings of exactly the optimal `score` the one whose routes have the smallest keys in order."""
    return _smallest(catalogues, score, tuple(catalogue.everything for catalogue in catalogues), budget)


def _smallest(
    catalogues: Sequence[Catalogue], score: int, free: tuple[int, ...], budget: Budget
) -> Packing | None:
    if not catalogues:
        return () if score == 0 else None
    catalogue, later = catalogues[0], catalogues[1:]
    most_later = sum(other.best_score(rest) for other, rest in zip(later, free[1:], strict=True))
    numbers = bit_numbers(free[0] & catalogue.at_least(score - most_later))
    routes = sorted((catalogue.routes[number] for number in numbers), key=lambda route: route.key)
    for route in (*routes, None):
        budget.spend()
        gained, track = (route.score, route.track) if route else (0, 0)
        rests = tuple(other.beside(rest, track) for other, rest in zip(later, free[1:], strict=True))
        most = gained + sum(other.best_score(rest) for other, rest in zip(later, rests, strict=True))
        if most < score:
            continue
        completed = _smallest(later, score - gained, rests, budget)
        if completed is not None:
            return (route, *completed)
    return None
