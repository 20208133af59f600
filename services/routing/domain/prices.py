"""Prices on track that keep the trains apart and so lower the bound on their joint score.

If every piece of exclusive track costs something, each train by itself chooses the route worth most to it, and the
worths together with the prices of all track are a bound on every packing (a Lagrangian relaxation). Track that several
trains want becomes dearer, track that none uses cheaper, as long as that lowers the bound. Going through a stop is
priced alike, where less trains can go through it than there are: of three ways that leave a stop one train uses two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.budget import Budget
from services.routing.domain.finder import Route, Terms
from services.routing.domain.network import Network
from services.routing.domain.problem import Train

ROUNDS_WITHOUT_GAIN = 6
STEP_FIRST, STEP_LEAST = 1.0, 0.005


class Chooser(Protocol):
    """Finds the worthiest route of a train."""

    @property
    def bound(self) -> int: ...

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None: ...


class Priced(NamedTuple):
    """Terms with prices: the worth of the best route of each sort of train, and the sum of all prices."""

    terms: Terms
    worth: Mapping[Train, int]
    price_total: int

    def bound(self, sorts: Sequence[Train]) -> int:
        """No packing of these trains scores more."""
        return sum(self.worth[sort] for sort in sorts) + self.price_total


class PriceSearch:
    """The search for prices under which the bound is lowest; `best` is the lowest so far."""

    def __init__(
        self,
        network: Network,
        start: Priced,
        sorts: Sequence[Train],
        choosers: Mapping[Train, Chooser],
        on_routes: Callable[[Mapping[Train, Route | None]], int],
        budget: Budget,
    ) -> None:
        """`on_routes` gets the trains' choices of each round and returns the best score known."""
        self._bits = np.unpackbits(network.track.view(np.uint8), axis=1)
        budget.spend(0)
        track_count = self._bits.shape[1]
        self._segments, self._tracks = np.divmod(np.flatnonzero(self._bits.view(np.bool_)), track_count)
        budget.spend(0)
        most = np.concatenate((np.ones(track_count, np.int64), network.through_most(budget)))
        self._most = most
        self._is_scarce = most < len(sorts)
        self._track_count = track_count
        self._prices: NDArray[np.float64] = np.zeros(len(most))
        self._sorts = sorts
        self._choosers = choosers
        self._on_routes = on_routes
        self._step, self._idle = STEP_FIRST, 0
        self.best = start

    @property
    def exhausted(self) -> bool:
        """Whether more rounds would hardly lower the bound."""
        return self._step < STEP_LEAST

    def go_on(self, rounds: int) -> None:
        """Adjust the prices `rounds` times, or until the bound reaches the best score known."""
        for _ in range(rounds):
            priced, routes = self._choose()
            score = self._on_routes(routes)
            bound, lowest = priced.bound(self._sorts), self.best.bound(self._sorts)
            self._idle += 1
            if bound < lowest:
                self.best, self._idle = priced, 0
            if min(bound, lowest) <= score:
                return
            if self._idle == ROUNDS_WITHOUT_GAIN:
                self._step, self._idle = self._step / 2, 0
            excess = self._used(routes) - self._most
            excess[(self._prices == 0) & (excess < 0) | ~self._is_scarce] = 0
            length = float(excess @ excess)
            if length == 0 or self.exhausted:
                self._step = 0.0
                return
            change = self._step * (bound - score) / length
            self._prices = np.maximum(0.0, self._prices + change * excess)

    def _choose(self) -> tuple[Priced, dict[Train, Route | None]]:
        whole = np.floor(self._prices).astype(np.int64)
        track, through = whole[: self._track_count], whole[self._track_count :]
        # Whole numbers of this size are exact in floating point.
        of_segments = np.bincount(self._segments, track[self._tracks], len(self._bits)).astype(np.int64)
        at = self.best.terms._replace(price=of_segments, through=through, is_free=False)
        routes = {sort: chooser.best(at) for sort, chooser in self._choosers.items()}
        worth = {sort: max(0, chooser.bound) for sort, chooser in self._choosers.items()}
        return Priced(at, worth, int(whole @ self._most)), routes

    def _used(self, routes: Mapping[Train, Route | None]) -> NDArray[np.float64]:
        """How many of the trains use each piece of track and go through each stop."""
        used: NDArray[np.float64] = np.zeros(len(self._most))
        for sort in self._sorts:
            route = routes[sort]
            if route is not None:
                used[: self._track_count] += self._bits[[*route.segments, *route.claims]].any(axis=0)
                used[self._track_count + np.array(route.stops[1:-1], np.int64)] += 1
        return used
