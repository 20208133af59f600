"""The routes of a train without a limit, found by sweeping over the map: the best one, or all of at least some worth."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from services.routing.domain import walkback
from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.finder import Catalogue, Route, Terms
from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, doubled, empty_finds
from services.routing.domain.frontier import Completed, Links, States, advance, advance_linked
from services.routing.domain.network import Flags, Network, Numbers
from services.routing.domain.search import tracks_of
from services.routing.domain.sweepplan import Sweep
from services.routing.domain.walkback import Traces, begin_walk, scores_of, walk_back

STATES_FIRST, STATES_MOST, STATES_GROWTH = 300, 100_000, 8
TRACED_STATES_MOST = 100_000
FIRST_ROOM, ROUTES_MOST, STEPS_AT_ONCE = 256, 1 << 17, 300_000


class SweepFinder:
    """The best route of a train without a limit."""

    def __init__(self, sweep: Sweep, network: Network, budget: Budget) -> None:
        self._sweep = sweep
        self._network = network
        self._budget = budget
        self._ends = [(step.stop_a, step.stop_b) for step in sweep.steps]
        self.found: Route | None = None
        self.bound = int(sweep.map.score.sum()) + 1

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None:
        """The best route on these terms, if it is worth more than given.

        While it searches `found` is the best so far and `bound` what none exceeds in worth; they stand when the budget
        ends.
        """
        self.found, self.bound = None, int(self._sweep.map.score.sum()) + 1
        sweep = self._priced(terms)
        states_most, proven, least = STATES_FIRST, False, worth_more_than
        while not proven:
            least, dropped = self._pass(sweep, least, states_most)
            self.bound = min(self.bound, max(least, dropped))
            proven = dropped <= least or states_most == STATES_MOST
            states_most = min(STATES_MOST, states_most * STATES_GROWTH)
        return self.found

    def _pass(self, sweep: Sweep, worth_more_than: int, states_most: int) -> tuple[int, int]:
        """Sweep once with a limited number of states; returns the best worth, and the highest bound of a dropped state."""
        states = _beginning()
        best = np.array([worth_more_than, -1, 0], np.int64)
        history: list[tuple[Numbers, Flags]] = []
        dropped = 0
        for number, step in enumerate(sweep.steps):
            before = int(best[0])
            made = advance(states, step, sweep.map, best)
            if best[0] > before:
                self.found = self._traced(history, number, int(best[1]), bool(best[2]))
            states, lost = _richest(made, int(best[0]), states_most)
            dropped = max(dropped, lost)
            history.append((states.parent, states.took))
            self._budget.spend(1 + len(made.score))
            if not len(states.score):
                break
        return int(best[0]), dropped

    def collect(self, worth_least: int, terms: Terms) -> Catalogue:
        """All routes on these terms that are worth at least so much.

        Raises `EffortSpent` where the states or the routes are too many to store.
        """
        traces = self._traces(self._priced(terms), worth_least)
        walk, found = (
            begin_walk(len(self._sweep.steps)),
            empty_finds(FIRST_ROOM, FIRST_ROOM * len(self._sweep.steps)),
        )
        why = INTERRUPTED
        while why != FINISHED:
            before = int(walk.scalars[walkback.STEPS])
            why = walk_back(walk, traces, found, worth_least, STEPS_AT_ONCE)
            self._budget.spend(1 + int(walk.scalars[walkback.STEPS]) - before)
            if why == FULL:
                if len(found.worth) >= ROUTES_MOST:
                    raise EffortSpent
                found = doubled(found)
        count = int(walk.scalars[walkback.FOUND])
        order = np.argsort(-found.worth[:count], kind="stable")
        begin, end, worth = found.begin[:count][order], found.end[:count][order], found.worth[:count][order]
        stop_a, stop_b = (np.array([ends[side] for ends in self._ends], np.int64) for side in (0, 1))
        score = scores_of(found, count, stop_a, stop_b, self._sweep.map.score)[order]
        track = tracks_of(begin, end, found.parts, np.array(self._sweep.segments), self._network.track)
        return Catalogue(score, worth, track, begin, end, found.parts)

    def route(self, catalogue: Catalogue, number: int) -> Route:
        """Route `number` of a catalogue."""
        return self._joined(catalogue.arcs[catalogue.begin[number] : catalogue.end[number]].tolist())

    def _traces(self, sweep: Sweep, worth_least: int) -> Traces:
        """Sweep once and keep every state that can be worth at least `worth_least`."""
        states, before = _beginning(), 0
        nothing: Numbers = np.zeros(0, np.int64)
        links, ends, worth = [(nothing,) * 4], [(nothing,) * 3], [states.score]
        for number, step in enumerate(sweep.steps):
            made, ways, completed = advance_linked(states, step, sweep.map, worth_least)
            after = before + len(states.score)
            links.append(_numbered(ways, number, before, after))
            ends.append(_ended(completed, number, before))
            worth.append(made.score)
            states, before = made, after
            self._budget.spend(1 + len(made.score))
            if len(made.score) > TRACED_STATES_MOST:
                raise EffortSpent
            if not len(made.score):
                break
        parent, taken, target, link_worth = (np.concatenate(each) for each in zip(*links, strict=True))
        order = np.argsort(target, kind="stable")
        all_worth = np.concatenate(worth)
        first = np.searchsorted(target[order], np.arange(len(all_worth) + 1)).astype(np.int64)
        end_state, end_taken, end_worth = (np.concatenate(each) for each in zip(*ends, strict=True))
        return Traces(
            first, parent[order], taken[order], link_worth[order], all_worth, end_state, end_taken, end_worth
        )

    def _priced(self, terms: Terms) -> Sweep:
        blocked = np.any(self._network.track & terms.taken, axis=1)
        steps = [
            step._replace(allowed=not blocked[segment], price=int(terms.price[segment]))
            for step, segment in zip(self._sweep.steps, self._sweep.segments, strict=True)
        ]
        return self._sweep._replace(steps=steps, map=self._sweep.map._replace(through=terms.through))

    def _traced(self, history: list[tuple[Numbers, Flags]], number: int, state: int, took: bool) -> Route:
        """The route completed after step `number` from `state`."""
        taken = [number] if took else []
        for earlier in range(number - 1, -1, -1):
            parent, takes = history[earlier]
            if takes[state]:
                taken.append(earlier)
            state = int(parent[state])
        return self._joined(taken)

    def _joined(self, taken: list[int]) -> Route:
        """The route over the segments of these steps, from its smaller end or from its mine."""
        ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number in taken:
            segment, step = self._sweep.segments[number], self._sweep.steps[number]
            ways[step.stop_a].append((step.stop_b, segment))
            ways[step.stop_b].append((step.stop_a, segment))
        ends = sorted(stop for stop, onward in ways.items() if len(onward) == 1)
        if self._sweep.map.is_goods:
            ends.sort(key=lambda stop: not self._sweep.map.is_mine[stop])
        stops, segments = [ends[0]], [-1]
        while len(stops) < len(ways):
            following, segment = next(way for way in ways[stops[-1]] if way[1] != segments[-1])
            stops.append(following)
            segments.append(segment)
        score = 1 + int(self._sweep.map.score[stops].sum())
        return Route(score, tuple(stops), tuple(segments[1:]))


def _beginning() -> States:
    return States(
        np.zeros((1, 3), np.uint64),
        np.ones(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.bool_),
    )


def _numbered(
    links: Links, number: int, before: int, after: int
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Parent, step taken or -1, target and worth of each link, states numbered through all steps."""
    count = int(links.total[0])
    taken = np.where(links.took[:count], number, -1)
    return links.parent[:count] + before, taken, links.target[:count] + after, links.worth[:count]


def _ended(completed: Completed, number: int, before: int) -> tuple[Numbers, Numbers, Numbers]:
    count = int(completed.total[0])
    taken = np.where(completed.took[:count], number, -1)
    return completed.state[:count] + before, taken, completed.worth[:count]


def _richest(made: States, score: int, states_most: int) -> tuple[States, int]:
    """The states that can still lead to the best route, the most promising where there are too many; and the loss."""
    hopeful = made.bound > score
    lost = 0
    if np.count_nonzero(hopeful) > states_most:
        order = np.argsort(-made.bound, kind="stable")
        hopeful = np.zeros(len(made.bound), np.bool_)
        hopeful[order[:states_most]] = True
        lost = int(made.bound[order[states_most]])
    kept = States(
        made.words[hopeful],
        made.score[hopeful],
        made.bound[hopeful],
        made.parent[hopeful],
        made.took[hopeful],
    )
    return kept, lost
