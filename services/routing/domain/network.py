"""A problem turned into numbers: stops and segments by index in order of id, exclusions as bits of one integer.

Each place has a bit and each piece of exclusive track has one. Two parts of a route may be joined, and two routes
may run side by side, when their masks have no bit in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train, TrainKind, is_blocked


class Route(msgspec.Struct, frozen=True, gc=False):
    """A legal route. `score` as told in `Scores`; `track` is its mask without the places.

    `key` is the canonical form: stops and segments by index, from the mine or else in the smaller direction.
    """

    score: int
    track: int
    key: tuple[tuple[int, ...], tuple[int, ...]]


class Arc(msgspec.Struct, frozen=True, gc=False):
    """A segment in one direction. `mask` holds its track and the place it leads to."""

    segment: int
    target: int
    mask: int
    leaves_terminal: bool
    ends_route: bool


class Scores:
    """One integer per route that orders sets of routes: money first, then what decides between equal money.

    A route of revenue r and mine income m scores (r * k + m) * n + 1, under `compare_treasury_income`
    ((r + m) * k + r) * n + 1, with k and n so large that the later parts only decide ties. The 1 makes a run of
    no worth better than none, since every train must run.
    """

    def __init__(self, problem: RouteProblem) -> None:
        train_count = len(problem.trains)
        mine_most = max((stop.revenue for stop in problem.stops if stop.kind == "mine"), default=0)
        total = sum(stop.revenue for stop in problem.stops if stop.kind != "mine")
        self._compare_income = problem.parameters.compare_treasury_income
        self._money_factor = 1 + train_count * (total if self._compare_income else mine_most)
        self._run_factor = 1 + train_count

    def of_stop(self, stop: Stop) -> int:
        """What `stop` adds to the score of a route."""
        if self._compare_income:
            weight = self._money_factor + (stop.kind != "mine")
        else:
            weight = 1 if stop.kind == "mine" else self._money_factor
        return stop.revenue * weight * self._run_factor

    def value(self, score: int) -> int:
        """The maximised money, in whole units, of a set of routes with this total score."""
        return score // (self._money_factor * self._run_factor)


class Network:
    """All that the searches need to know of a problem, by index."""

    def __init__(self, problem: RouteProblem) -> None:
        self.scores = Scores(problem)
        self.stops = tuple(sorted(problem.stops, key=lambda stop: stop.id))
        self.segments = tuple(sorted(problem.segments, key=lambda segment: segment.id))
        self.stop_score = tuple(self.scores.of_stop(stop) for stop in self.stops)
        self.is_mine = tuple(stop.kind == "mine" for stop in self.stops)
        self.is_free_for_goods = tuple(stop.kind in ("town", "mine") for stop in self.stops)
        self.has_token = tuple(stop.id in problem.token_stops for stop in self.stops)
        self.ends_route = tuple(
            stop.kind in ("offboard", "mine") or is_blocked(stop, problem.token_stops) for stop in self.stops
        )
        place_index = {
            place: index for index, place in enumerate(sorted({stop.place for stop in self.stops}))
        }
        self.place_bit = tuple(1 << place_index[stop.place] for stop in self.stops)
        self.segment_track = _track_masks(self.segments, first_bit=len(place_index))
        self.track_bits = sum(1 << bit for bit in _bits_of(self.segment_track)) if self.segments else 0
        self.arcs = self._all_arcs()

    def arcs_for(self, kind: TrainKind) -> tuple[tuple[Arc, ...], ...]:
        """Arcs by the stop they leave, without the mines where a train may not serve them."""
        if kind == "goods":
            return self.arcs
        return tuple(
            () if self.is_mine[stop] else tuple(arc for arc in arcs if not self.is_mine[arc.target])
            for stop, arcs in enumerate(self.arcs)
        )

    def limit_cost(self, kind: TrainKind) -> tuple[int, ...]:
        """How much each stop takes of a train's reach."""
        if kind == "normal":
            return (1,) * len(self.stops)
        return tuple(0 if free else 1 for free in self.is_free_for_goods)

    def route(
        self, train: Train, score: int, mask: int, stops: tuple[int, ...], segments: tuple[int, ...]
    ) -> Route:
        """The route over `stops` by `segments` in canonical form."""
        backwards = self.is_mine[stops[-1]] if train.kind == "goods" else stops[-1] < stops[0]
        key = (stops[::-1], segments[::-1]) if backwards else (stops, segments)
        return Route(score + 1, mask & self.track_bits, key)

    def _all_arcs(self) -> tuple[tuple[Arc, ...], ...]:
        index_of = {stop.id: index for index, stop in enumerate(self.stops)}
        arcs: list[list[Arc]] = [[] for _ in self.stops]
        for number, segment in enumerate(self.segments):
            a, b = index_of[segment.a], index_of[segment.b]
            if self.place_bit[a] == self.place_bit[b]:
                continue
            track = self.segment_track[number]
            for start, end, leaves, arrives in (
                (a, b, segment.terminal_a, segment.terminal_b),
                (b, a, segment.terminal_b, segment.terminal_a),
            ):
                ends_route = arrives or self.ends_route[end]
                arcs[start].append(Arc(number, end, track | self.place_bit[end], leaves, ends_route))
        return tuple(tuple(found) for found in arcs)


def bit_numbers(mask: int) -> list[int]:
    """The numbers of the bits set in `mask`, lowest first."""
    numbers = []
    while mask:
        lowest = mask & -mask
        numbers.append(lowest.bit_length() - 1)
        mask ^= lowest
    return numbers


def _bits_of(masks: Iterable[int]) -> set[int]:
    return {number for mask in masks for number in bit_numbers(mask)}


def _track_masks(segments: tuple[Segment, ...], first_bit: int) -> tuple[int, ...]:
    """A mask per segment such that two masks meet exactly where the segments exclude each other.

    Resources used by the same segments say the same, so they share a bit; a segment that shares nothing has a bit
    of its own.
    """
    users: dict[str, list[int]] = defaultdict(list)
    for number, segment in enumerate(segments):
        for resource in set(segment.resources):
            users[resource].append(number)
    groups = dict.fromkeys(tuple(users[resource]) for resource in sorted(users))
    shared = [group for group in groups if len(group) > 1]
    covered = {number for group in shared for number in group}
    shared.extend((number,) for number in range(len(segments)) if number not in covered)
    masks = [0] * len(segments)
    for bit, group in enumerate(shared, start=first_bit):
        for number in group:
            masks[number] |= 1 << bit
    return tuple(masks)
