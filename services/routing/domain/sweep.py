"""The routes of a train without a limit, found by sweeping over the map: the best one, or all of at least some worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.routing.domain import walkback
from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.cases import Case
from services.routing.domain.chains import route_over
from services.routing.domain.finder import (
    Catalogue,
    Route,
    Terms,
    claim_price,
    claim_track,
    routes_at_once,
    unions_of,
)
from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, empty_finds, grown
from services.routing.domain.frontier import advance, advance_part, by_target, first_states, work_for
from services.routing.domain.network import Flags, Network, Numbers, Words
from services.routing.domain.search import tracks_of
from services.routing.domain.states import Completed, Links, States
from services.routing.domain.steps import Step
from services.routing.domain.sweepplan import Sweep
from services.routing.domain.walkback import Traces, begin_walk, step_prices, walk_back

STATES_FIRST, STATES_MOST, STATES_GROWTH = 300, 100_000, 8
TRACED_STATES_MOST, COPIED_AT_ONCE = 100_000, 500_000
FIRST_ROOM, ROOM_GROWTH, ROUTES_MOST = 1 << 8, 8, 1 << 17
PARTS_OF_A_ROUTE, STEPS_AT_ONCE = 128, 25_000
# States of a step that take no more than a few milliseconds.
STATES_AT_ONCE = 16_000


class SweepFinder:
    """The routes of a train without a limit in one case."""

    def __init__(self, sweep: Sweep, network: Network, budget: Budget, case: Case) -> None:
        self._sweep = sweep
        self._network = network
        self._budget = budget
        self._stop_a, self._stop_b = (
            np.array([ends[side] for ends in sweep.steps], np.int64) for side in (0, 1)
        )
        self._segment = np.array(sweep.segments, np.int64)
        self._track = network.way_track(self._stop_a, self._stop_b, self._segment)
        self._most = 1 + case.base + int(sweep.map.score.sum()) + 2 * sweep.map.end_most
        self._most += int(network.segment_score[self._segment].sum())
        self.case = case
        self.found: Route | None = None
        self.worth = 0
        self.bound = self._most

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None:
        """The best route on these terms, if it is worth more than given.

        While it searches `found` is the best so far, of `worth`, and `bound` what none exceeds in worth; they stand when
        the budget ends.
        """
        self.found, self.worth, self.bound = None, 0, self._most
        self._budget.spend(0)
        sweep = self._priced(terms)
        self._budget.spend(0)
        states_most, proven, least = STATES_FIRST, False, worth_more_than
        while not proven:
            least, dropped = self._pass(sweep, terms, least, states_most)
            self.bound = min(self.bound, max(least, dropped))
            proven = dropped <= least or states_most == STATES_MOST
            states_most = min(STATES_MOST, states_most * STATES_GROWTH)
        return self.found

    def _pass(self, sweep: Sweep, terms: Terms, worth_more_than: int, states_most: int) -> tuple[int, int]:
        """Sweep once with a limited number of states; returns the best worth, and the highest bound of a dropped state."""
        states = self._beginning(terms)
        best = np.array([worth_more_than, -1, 0], np.int64)
        history: list[tuple[Numbers, Flags]] = []
        dropped = 0
        for number, step in enumerate(sweep.steps):
            before = int(best[0])
            made = self._advanced(states, step, sweep, best)
            if best[0] > before:
                self.worth = int(best[0])
                self.found = self._traced(history, number, int(best[1]), bool(best[2]), terms)
            states, lost = _richest(made, int(best[0]), states_most)
            dropped = max(dropped, lost)
            history.append((states.parent, states.took))
            self._budget.spend(1 + len(made.score))
            if not len(states.score):
                break
        return int(best[0]), dropped

    def _advanced(self, states: States, step: Step, sweep: Sweep, best: Numbers) -> States:
        """The states after a step, see `advance`; where they are many the budget is asked meanwhile."""
        if len(states.score) <= STATES_AT_ONCE:
            return advance(states, step, sweep.map, best)
        return self._advanced_in_parts(states, step, sweep, best, linked=False)[0]

    def _advanced_in_parts(
        self, states: States, step: Step, sweep: Sweep, best: Numbers, linked: bool
    ) -> tuple[States, Links, Completed]:
        work, number = work_for(states, best, linked), 0
        for part in self._budget.in_parts(len(states.score), STATES_AT_ONCE):
            number = advance_part(work, states, step, sweep.map, part.start, part.stop, number)
        return first_states(work.made, number), work.links, work.completed

    def collect(self, worth_least: int, terms: Terms) -> Catalogue:
        """All routes on these terms that are worth at least so much.

        Raises `EffortSpent` where the states or the routes are too many to store.
        """
        traces = self._traces(self._priced(terms), terms, worth_least)
        walk, found = (
            begin_walk(len(self._sweep.steps)),
            empty_finds(FIRST_ROOM, FIRST_ROOM * PARTS_OF_A_ROUTE),
        )
        why = INTERRUPTED
        while why != FINISHED:
            before = int(walk.scalars[walkback.STEPS])
            why = walk_back(walk, traces, found, worth_least, STEPS_AT_ONCE)
            self._budget.spend(1 + int(walk.scalars[walkback.STEPS]) - before)
            if why == FULL:
                if len(found.worth) >= ROUTES_MOST:
                    raise EffortSpent
                found = grown(found, ROOM_GROWTH)
        found = found._replace(parts=found.parts[: walk.scalars[walkback.USED_STEPS]])
        count = int(walk.scalars[walkback.FOUND])
        order = np.argsort(-found.worth[:count], kind="stable")
        begin, end, worth = found.begin[:count][order], found.end[:count][order], found.worth[:count][order]
        own, claimed = terms.price[self._segment], claim_track(self.case, self._network)
        prices, track = np.empty(count, np.int64), np.empty((count, self._track.shape[1]), np.uint64)
        for part in self._budget.in_parts(count, routes_at_once(begin, end, track.shape[1])):
            each = begin[part], end[part], found.parts
            prices[part] = step_prices(*each, self._stop_a, self._stop_b, own, terms.through)
            track[part] = tracks_of(*each, self._track) | claimed
        score = worth + prices + claim_price(self.case, terms)
        return Catalogue(score, worth, track, begin, end, found.parts, np.zeros_like(begin))

    def route(self, catalogue: Catalogue, number: int) -> Route:
        """Route `number` of a catalogue."""
        taken = catalogue.arcs[catalogue.begin[number] : catalogue.end[number]].tolist()
        return self._joined(taken, int(catalogue.score[number]))

    def stop_sets(self, catalogue: Catalogue) -> Words:
        """The stops that each route of a catalogue comes to, as bits."""
        met = self._network.stops_met(self._stop_a, self._stop_b)
        return unions_of(catalogue, met, self._budget)

    def _traces(self, sweep: Sweep, terms: Terms, worth_least: int) -> Traces:
        """Sweep once and keep every state that can be worth at least `worth_least`."""
        states, before = self._beginning(terms), 0
        floor = np.array([worth_least - 1, 0, 0], np.int64)
        nothing: Numbers = np.zeros(0, np.int64)
        links, ends, worth = [(nothing,) * 3], [(nothing,) * 3], [states.score]
        first, total = [np.zeros(1, np.int64)], 0
        for number, step in enumerate(sweep.steps):
            made, ways, completed = self._advanced_in_parts(states, step, sweep, floor, linked=True)
            after = before + len(states.score)
            sorted_ways, begin = _sorted_ways(ways, number, before, len(made.score))
            links.append(sorted_ways)
            first.append(total + begin)
            total += len(sorted_ways[0])
            ends.append(_ended(completed, number, before))
            worth.append(made.score)
            states, before = made, after
            self._budget.spend(1 + len(made.score))
            if len(made.score) > TRACED_STATES_MOST:
                raise EffortSpent
            if not len(made.score):
                break
        parts = [[*first, np.full(1, total)], *zip(*links, strict=True), worth, *zip(*ends, strict=True)]
        return Traces(*(self._whole(each) for each in parts))

    def _whole(self, parts: Sequence[Numbers]) -> Numbers:
        """One array of these parts; where that takes long, the budget is asked after each."""
        total = sum(map(len, parts))
        if total < COPIED_AT_ONCE:
            return np.concatenate(parts)
        whole: Numbers = np.empty(total, np.int64)
        begin = 0
        for part in parts:
            whole[begin : begin + len(part)] = part
            begin += len(part)
            self._budget.spend(0)
        return whole

    def _priced(self, terms: Terms) -> Sweep:
        allowed = ~np.any(self._track & terms.taken, axis=1)
        prices = terms.price[self._segment] - self._network.segment_score[self._segment]
        steps = [
            step._replace(allowed=may, price=price)
            for step, may, price in zip(self._sweep.steps, allowed.tolist(), prices.tolist(), strict=True)
        ]
        return self._sweep._replace(steps=steps, map=self._sweep.map._replace(through=terms.through))

    def _traced(
        self, history: list[tuple[Numbers, Flags]], number: int, state: int, took: bool, terms: Terms
    ) -> Route:
        """The route completed after step `number` from `state`."""
        taken = [number] if took else []
        for earlier in range(number - 1, -1, -1):
            parent, takes = history[earlier]
            if takes[state]:
                taken.append(earlier)
            state = int(parent[state])
        route = self._joined(taken, 0)
        price = (
            terms.price[[*route.segments, *route.claims]].sum() + terms.through[list(route.stops[1:-1])].sum()
        )
        return route._replace(score=self.worth + int(price))

    def _joined(self, taken: list[int], score: int) -> Route:
        """The route over the segments of these steps, from its smaller end or from its mine."""
        segments = [self._sweep.segments[number] for number in taken]
        return route_over(self._network, segments, self._sweep.map.is_goods, score, self.case.claims)

    def _beginning(self, terms: Terms) -> States:
        return States(
            np.zeros((1, 3), np.uint64),
            np.full(1, 1 + self.case.base - claim_price(self.case, terms)),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(1, np.bool_),
        )


def _sorted_ways(
    links: Links, number: int, before: int, target_count: int
) -> tuple[tuple[Numbers, Numbers, Numbers], Numbers]:
    """Parent, step taken or -1 and worth of each link, by target; and the first link of each target.

    Parents are numbered through all steps.
    """
    order, begin = by_target(links, target_count)
    taken = np.where(links.took[order], number, -1)
    return (links.parent[order] + before, taken, links.worth[order]), begin


def _ended(completed: Completed, number: int, before: int) -> tuple[Numbers, Numbers, Numbers]:
    count = int(completed.total[0])
    taken = np.where(completed.took[:count], number, -1)
    return completed.state[:count] + before, taken, completed.worth[:count]


def _richest(made: States, score: int, states_most: int) -> tuple[States, int]:
    """The states that can still lead to the best route, the most promising where there are too many; and the loss."""
    hopeful = made.bound > score
    lost = 0
    if np.count_nonzero(hopeful) > states_most:
        place = len(made.bound) - states_most - 1
        lost = int(np.partition(made.bound, place)[place])
        hopeful = made.bound > lost
        equal = np.flatnonzero(made.bound == lost)
        hopeful[equal[: states_most - np.count_nonzero(hopeful)]] = True
    kept = States(
        made.words[hopeful],
        made.score[hopeful],
        made.bound[hopeful],
        made.parent[hopeful],
        made.took[hopeful],
    )
    return kept, lost
