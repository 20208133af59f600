"""Plans a sweep: the order of the track, and the data of each step."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from services.routing.domain.arcs import Arcs
from services.routing.domain.budget import Budget
from services.routing.domain.frontier import (
    FIRST_MARK,
    LAST_WORD_BITS,
    SLOTS_MOST,
)
from services.routing.domain.narrow import narrow_order
from services.routing.domain.network import Network, Numbers, Words
from services.routing.domain.steps import NO_STOP, Map, Step

STARTS_TRIED_MOST = 64
# Steps that are planned between two looks at the clock.
STEPS_PER_LOOK = 50


class Sweep(NamedTuple):
    """The steps of a sweep, the segment of each, and their map."""

    steps: list[Step]
    segments: list[int]
    map: Map


def sweep_order(network: Network, arcs: Arcs, budget: Budget) -> list[int]:
    """The stops that such a train may serve, in the cheapest order found until the budget ends."""
    live = np.unique(arcs.source)
    if not len(live) or budget.is_over:
        return [int(stop) for stop in live]
    number = np.full(len(network.stops), -1)
    number[live] = np.arange(len(live))
    linked = np.zeros((len(live), len(live)), np.bool_)
    linked[number[arcs.source], number[arcs.target]] = True
    starts = np.argsort(linked.sum(axis=1), kind="stable")[:STARTS_TRIED_MOST]
    order, cost = narrow_order(linked, int(starts[0]), look=budget.look)
    for start in starts[1:]:
        if budget.is_over:
            break
        other, other_cost = narrow_order(linked, int(start), cost, budget.look)
        if other_cost < cost:
            order, cost = other, other_cost
    return [int(live[stop]) for stop in order]


def plan_sweep(network: Network, arcs: Arcs, order: Sequence[int], budget: Budget) -> Sweep | None:
    """The sweep over the stops in this order for a train that travels by these arcs, None where the map is too wide or the
    budget has ended."""
    if budget.is_over:
        return None
    position = {stop: number for number, stop in enumerate(order)}
    leads_on = network.is_useful & (network.place[network.segment_a] != network.place[network.segment_b])
    ways = np.stack((network.segment_a, network.segment_b), axis=1)[leads_on].tolist()
    pairs = [
        (max(position[a], position[b]), min(position[a], position[b]), number, a, b)
        for number, (a, b) in zip(np.flatnonzero(leads_on).tolist(), ways, strict=True)
        if a in position and b in position
    ]
    planner = _Planner(network, arcs, [(number, a, b) for *_, number, a, b in sorted(pairs)])
    return planner.plan(budget) if planner.prepare(budget) else None


def _map(network: Network, arcs: Arcs) -> Map:
    case = arcs.case
    end_score = case.add["ends"] + case.add["counted_ends"]
    return Map(
        score=arcs.stop_score,
        through=np.zeros_like(arcs.stop_score),
        is_end=network.ends_route,
        is_mine=network.is_mine,
        has_token=network.has_token,
        is_goods=arcs.is_goods,
        may_end=case.may_end,
        end_score=end_score,
        end_most=int(end_score.max()) if len(end_score) else 0,
        marks=_as_bits(case.marks["visited"] | case.marks["counted"]),
        end_marks=_as_bits(case.marks["ends"] | case.marks["counted_ends"]),
        needed=np.uint64(case.needed << FIRST_MARK),
    )


def _as_bits(marks: Numbers) -> Words:
    return marks.astype(np.uint64) << np.uint64(FIRST_MARK)


class _Planner:
    """Gives slots to stops and bits to exclusions while they matter."""

    def __init__(self, network: Network, arcs: Arcs, ways: list[tuple[int, int, int]]) -> None:
        self._network = network
        self._ways = ways
        self._map = _map(network, arcs)
        scores = network.segment_score[[segment for segment, _, _ in ways]]
        self._ways_to_come = (int(scores.sum()) - np.cumsum(scores)).tolist()
        self._last_step: dict[tuple[str, int], int] = {}
        self._single: set[tuple[str, int]] = set()
        self._slots = list(range(SLOTS_MOST))
        self._bits = list(range(FIRST_MARK + arcs.case.mark_count, LAST_WORD_BITS))
        self._held: dict[tuple[str, int], int] = {}

    def prepare(self, budget: Budget) -> bool:
        """Find when each stop and exclusion is over, and which matter to one step alone; false where the budget has ended."""
        for step, (segment, a, b) in enumerate(self._ways):
            if step % STEPS_PER_LOOK == 0 and budget.is_over:
                return False
            for thing in (("stop", a), ("stop", b), *self._exclusions_of(segment), *self._places(a, b)):
                if thing not in self._last_step:
                    self._single.add(thing)
                elif self._last_step[thing] < step:
                    self._single.discard(thing)
                self._last_step[thing] = step
        self._single.update(("place", place) for place in self._places_of_one())
        return True

    def _places_of_one(self) -> list[int]:
        """Places of which one stop alone is on the way."""
        stops = np.unique(np.array([stop for _, *both in self._ways for stop in both], np.int64))
        alone: list[int] = np.flatnonzero(np.bincount(self._network.place[stops]) == 1).tolist()
        return alone

    def _exclusions_of(self, segment: int) -> list[tuple[str, int]]:
        shared = self._network.shared_count
        return [("track", bit) for bit in sorted(self._network.bits_of[segment]) if bit < shared]

    def _places(self, *stops: int) -> list[tuple[str, int]]:
        return [("place", int(self._network.place[stop])) for stop in stops]

    def plan(self, budget: Budget) -> Sweep | None:
        """All steps, or None when slots, bits or the budget do not suffice."""
        coming = {stop for _, a, b in self._ways for stop in (a, b)}
        occupants = np.full(SLOTS_MOST, NO_STOP)
        steps: list[Step] = []
        width = 0
        for number, (segment, a, b) in enumerate(self._ways):
            if number % STEPS_PER_LOOK == 0 and budget.is_over:
                return None
            for stop in (a, b):
                if stop in coming:
                    coming.discard(stop)
                    slot = self._hold(("stop", stop), self._slots)
                    if slot is None:
                        return None
                    occupants[slot] = stop
                    width = max(width, slot + 1)
            excludes = self._mask(self._exclusions_of(segment))
            first = [self._mask(self._places(stop)) for stop in (a, b)]
            if excludes is None or first[0] is None or first[1] is None:
                return None
            steps.append(self._step(number, segment, a, b, (excludes, first[0], first[1]), occupants, coming))
        if budget.is_over:
            return None
        return Sweep(
            [step._replace(stops=step.stops[:width].copy()) for step in steps],
            [segment for segment, _, _ in self._ways],
            self._map,
        )

    def _hold(self, thing: tuple[str, int], free: list[int]) -> int | None:
        if thing not in self._held:
            if not free:
                return None
            self._held[thing] = heappop(free)
        return self._held[thing]

    def _mask(self, things: list[tuple[str, int]]) -> int | None:
        mask = 0
        for thing in things:
            if thing not in self._single:
                bit = self._hold(thing, self._bits)
                if bit is None:
                    return None
                mask |= 1 << bit
        return mask

    def _release(self, number: int) -> int:
        """Free what is over after step `number`; the mask of the bits that still hold."""
        for thing in [thing for thing in self._held if self._last_step[thing] == number]:
            free = self._slots if thing[0] == "stop" else self._bits
            heappush(free, self._held.pop(thing))
        return ((1 << LAST_WORD_BITS) - 1) & ~sum(1 << bit for bit in self._bits)

    def _step(
        self,
        number: int,
        segment: int,
        a: int,
        b: int,
        masks: tuple[int, int, int],
        occupants: Numbers,
        coming: set[int],
    ) -> Step:
        network, score = self._network, self._map.score
        slot_a, slot_b = self._held["stop", a], self._held["stop", b]
        leaves_a, leaves_b = (self._last_step["stop", stop] == number for stop in (a, b))
        keeps = self._release(number)
        for slot, leaves in ((slot_a, leaves_a), (slot_b, leaves_b)):
            if leaves:
                occupants[slot] = NO_STOP
        ends = sorted((int(score[stop]) for stop in coming if network.ends_route[stop]), reverse=True)
        return Step(
            stop_a=a,
            stop_b=b,
            slot_a=slot_a,
            slot_b=slot_b,
            final_a=bool(network.terminal_a[segment] or network.ends_route[a]),
            final_b=bool(network.terminal_b[segment] or network.ends_route[b]),
            leaves_a=leaves_a,
            leaves_b=leaves_b,
            excludes=np.uint64(masks[0]),
            first_a=np.uint64(masks[1]),
            first_b=np.uint64(masks[2]),
            keeps=np.uint64(keeps),
            stops=occupants.copy(),
            to_come=sum(int(score[stop]) for stop in coming if not network.ends_route[stop]),
            end_to_come=ends[0] if ends else 0,
            next_end_to_come=ends[1] if len(ends) > 1 else 0,
            ways_to_come=self._ways_to_come[number],
            allowed=True,
            price=-int(network.segment_score[segment]),
        )
