"""The choice of all runs at once as a mixed integer program: trains without a limit as flows, routes of the others as columns.

Trains of one sort are one flow where it does not matter which of them does what, so without bonuses and requirements: a
segment is used or not, a stop is visited by so many of them and is the end of so many runs. Such a flow need not come apart
into runs, so its optimum is a bound; a flow of one train is a run. Connection is added where it is missing: a train that
visits a stop leaves every set of stops around it twice, or ends there; and leaves a set without a token.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.arcs import Arcs
from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.cases import first_case
from services.routing.domain.finder import Catalogue, Route
from services.routing.domain.flow.cuts import is_cut_off, ways_between
from services.routing.domain.flow.program import NO_LIMIT, Optimum, Program, Term, Values
from services.routing.domain.flow.terms import Paid, TermColumns
from services.routing.domain.network import WORD_BITS, Flags, Network, Numbers, Words
from services.routing.domain.problem import Train

# What is missing in a connection is added from here on; less is rounding.
MISSING_LEAST = 1e-4
LEAST = 1e-7
# Bounds are rounded down from so much above, in scores: programs compute with floating point.
MARGIN, ACCURACY = 0.5, 0.4
# Rows or columns that are made between two looks at the clock.
ROWS_PER_LOOK, BITS_PER_LOOK = 100, 20


class Flow(NamedTuple):
    """Trains of one sort without a limit: so many `trains`, the segments they may use with their stops, what stops score."""

    sort: Train
    trains: int
    segments: Numbers
    stop_a: Numbers
    stop_b: Numbers
    stops: Numbers
    score: Numbers
    is_goods: bool


class _Cut(NamedTuple):
    """Stops, as flags, that a train must leave `factor` times or end in, if it visits the one at this place of its flow."""

    factor: int
    place: int
    inside: bytes


class _Columns(NamedTuple):
    """The first columns of a flow: by segment, visits by stop, ends by stop; and the one for how many trains run."""

    used: int
    visits: int
    ends: int
    runs: int


def flow_of(network: Network, train: Train, count: int, taken: Words) -> Flow:
    """The flow of so many trains like this beside what is taken."""
    arcs = Arcs(network, train, first_case(network, train))
    free = ~np.any(arcs.track & taken, axis=1)
    segments = np.unique(arcs.segment[free])
    stop_a, stop_b = network.segment_a[segments], network.segment_b[segments]
    stops = np.unique(np.concatenate((stop_a, stop_b)))
    return Flow(train, count, segments, stop_a, stop_b, stops, arcs.stop_score, arcs.is_goods)


class FlowModel:
    """The program for these flows and, of each limited sort, so many routes as are named."""

    def __init__(
        self, network: Network, flows: Sequence[Flow], limited: Sequence[int], budget: Budget
    ) -> None:
        self._network = network
        self.flows = flows
        self._budget = budget
        self.program = Program(budget)
        self._unit = max(1, gcd(*(int(flow.score[stop]) for flow in flows for stop in flow.stops.tolist())))
        self._paid: list[Paid] = []
        budget.spend(0)
        self._at = [self._add_flow(flow) for flow in flows]
        self._bits = np.zeros((len(network.track), network.track.shape[1] * WORD_BITS), np.uint8)
        for part in budget.in_parts(len(self._bits), ROWS_PER_LOOK):
            self._bits[part] = np.unpackbits(network.track[part].view(np.uint8), axis=1, bitorder="little")
        self._bit_rows = self._add_bits()
        self._sort_rows = [self.program.add_row(0.0, float(count), ()) for count in limited]
        self._routes: list[dict[bytes, tuple[int, int]]] = [{} for _ in limited]
        self.columns: list[dict[int, tuple[Catalogue, int]]] = [{} for _ in limited]
        self._cuts: set[tuple[Train, _Cut]] = set()

    def _add_flow(self, flow: Flow) -> _Columns:
        edges, stops, count = len(flow.segments), len(flow.stops), float(flow.trains)
        scores = self._network.segment_score[flow.segments], flow.score[flow.stops]
        worth: Values = np.concatenate((*scores, np.zeros(stops), np.ones(1))).astype(np.float64)
        most = np.concatenate((np.ones(edges), np.full(2 * stops + 1, count)))
        first = self.program.add_columns(worth / self._unit, most)
        at = _Columns(first, first + edges, first + edges + stops, first + edges + 2 * stops)
        self._add_stops(flow, at)
        self._add_trains(flow, at)
        terms = (self.program, self._network, flow.sort, flow.stops, at.visits, at.ends, at.runs, self._unit)
        self._paid.append(TermColumns(*terms).add())
        return at

    def _add_stops(self, flow: Flow, at: _Columns) -> None:
        """A visit takes two segments, one where it is an end; some stops are only ends, few trains go through others."""
        network, through = self._network, self._network.through_most(self._budget)
        using, terminal = self._using(flow, at)
        for place, stop in enumerate(flow.stops.tolist()):
            if place % ROWS_PER_LOOK == 0:
                self._budget.spend(0)
            visits, ends = at.visits + place, at.ends + place
            self.program.add_row(0.0, 0.0, [*using[stop], (visits, -2.0), (ends, 1.0)])
            most = 0 if network.ends_route[stop] else min(flow.trains, int(through[stop]))
            self.program.add_row(0.0, float(most), [(visits, 1.0), (ends, -1.0)])
            if terminal[stop]:
                self.program.add_row(-NO_LIMIT, 0.0, [*terminal[stop], (ends, -1.0)])

    def _using(self, flow: Flow, at: _Columns) -> tuple[dict[int, list[Term]], dict[int, list[Term]]]:
        """By stop its segments, and those of them that end there."""
        using: dict[int, list[Term]] = defaultdict(list)
        terminal: dict[int, list[Term]] = defaultdict(list)
        for place, segment in enumerate(flow.segments.tolist()):
            for stop, ends in (
                (int(flow.stop_a[place]), self._network.terminal_a[segment]),
                (int(flow.stop_b[place]), self._network.terminal_b[segment]),
            ):
                using[stop].append((at.used + place, 1.0))
                if ends:
                    terminal[stop].append((at.used + place, 1.0))
        return using, terminal

    def _add_trains(self, flow: Flow, at: _Columns) -> None:
        """A run has two ends and a token, one mine if it is a goods train's, and visits a place once."""
        network, stops = self._network, flow.stops.tolist()
        by_place: dict[int, list[Term]] = defaultdict(list)
        for place, stop in enumerate(stops):
            by_place[int(network.place[stop])].append((at.visits + place, 1.0))
        for terms in by_place.values():
            self.program.add_row(-NO_LIMIT, 0.0, [*terms, (at.runs, -1.0)])
        every = range(len(stops))
        self.program.add_row(0.0, 0.0, [*((at.ends + place, 1.0) for place in every), (at.runs, -2.0)])
        tokens = [(at.visits + place, 1.0) for place in every if network.has_token[stops[place]]]
        self.program.add_row(0.0, NO_LIMIT, [*tokens, (at.runs, -1.0)])
        if flow.is_goods:
            mines = [(at.visits + place, 1.0) for place in every if network.is_mine[stops[place]]]
            self.program.add_row(0.0, 0.0, [*mines, (at.runs, -1.0)])

    def _add_bits(self) -> list[int]:
        """Whatever can be used once: track, claims to bonuses, and places that all runs visit once."""
        claims: dict[int, list[int]] = defaultdict(list)
        for paid in self._paid:
            for column, numbers in paid.claims.items():
                for each in np.flatnonzero(self._bits[list(numbers)].any(axis=0)).tolist():
                    claims[each].append(column)
        uses: list[tuple[int, NDArray[np.uint8]]] = []
        for flow, at in zip(self.flows, self._at, strict=True):
            uses.append((at.used, self._bits[flow.segments]))
            if self._network.places_once:
                visited = self._network.stop_track[flow.stops].view(np.uint8)
                uses.append((at.visits, np.unpackbits(visited, axis=1, bitorder="little")))
            self._budget.spend(0)
        rows: list[int] = []
        for part in self._budget.in_parts(self._bits.shape[1], BITS_PER_LOOK):
            by_bit = [(first, np.ascontiguousarray(using[:, part].T)) for first, using in uses]
            for bit in range(part.start, part.stop):
                columns = [first + np.flatnonzero(using[bit - part.start]) for first, using in by_bit]
                every = np.concatenate((np.array(claims[bit], np.int64), *columns))
                rows.append(self.program.add_sum(-NO_LIMIT, 1.0, every, np.ones(len(every))))
        return rows

    def add_routes(self, sort: int, catalogue: Catalogue, most: int) -> int:
        """Columns for the first `most` routes of a limited sort, but for those that use what a better one uses."""
        known, added = self._routes[sort], 0
        for number in range(min(most, len(catalogue.score))):
            key, score = catalogue.track[number].tobytes(), int(catalogue.score[number])
            if key in known and known[key][0] >= score:
                continue
            bits = np.flatnonzero(
                np.unpackbits(catalogue.track[number].view(np.uint8), bitorder="little")
            ).tolist()
            rows = [self._sort_rows[sort], *(self._bit_rows[bit] for bit in bits)]
            column = self.program.add_column(score / self._unit, rows)
            known[key] = score, column
            self.columns[sort][column] = catalogue, number
            added += 1
        return added

    def limit(self, score: int) -> None:
        """No choice scores more than that."""
        terms: list[Term] = []
        for flow, at in zip(self.flows, self._at, strict=True):
            worth = np.concatenate((self._network.segment_score[flow.segments], flow.score[flow.stops]))
            terms += [
                (at.used + place, each) for place, each in enumerate((worth / self._unit).tolist()) if each
            ]
            terms.append((at.runs, 1.0 / self._unit))
        for columns in self.columns:
            terms += [
                (column, int(catalogue.score[number]) / self._unit)
                for column, (catalogue, number) in columns.items()
            ]
        self.program.add_row(-NO_LIMIT, (score + MARGIN) / self._unit, terms)

    def exclude(self, number: int, values: Values) -> None:
        """Flow `number` does not use exactly the segments that it uses in these values."""
        at = self._at[number]
        used = values[at.used : at.visits] > MARGIN
        factors = np.where(used, -1.0, 1.0).tolist()
        terms = [(at.used + place, factor) for place, factor in enumerate(factors)]
        self.program.add_row(1.0 - np.count_nonzero(used), NO_LIMIT, terms)

    def score(self, worth: float) -> float:
        """A program's worth as a score."""
        return worth * self._unit

    @property
    def accuracy(self) -> float:
        """Worths closer to each other than that are of one score."""
        return ACCURACY / self._unit

    def prices(self, optimum: Optimum) -> tuple[Numbers, list[float]]:
        """The price of each row of `Network.track`, rounded down by bit, and the worth of a place among each limited sort."""
        prices = np.maximum(0.0, optimum.row_prices) * self._unit
        by_bit = np.floor(prices[self._bit_rows]).astype(np.int64)
        parts = self._budget.in_parts(len(self._bits), ROWS_PER_LOOK)
        by_row = np.concatenate([self._bits[part] @ by_bit for part in parts])
        return by_row, [float(prices[row]) for row in self._sort_rows]

    def used(self, number: int, values: Values) -> Numbers:
        """The places of the segments that flow `number` uses."""
        at = self._at[number]
        return np.flatnonzero(values[at.used : at.visits] > MARGIN)

    def values_of(self, flows: Sequence[Route | None], limited: Sequence[Sequence[Route]]) -> Values | None:
        """Values for a route of each flow, of one train, and routes of limited sorts; None where one has no column."""
        values: Values = np.zeros(self.program.column_count)
        for route, flow, at in zip(flows, self.flows, self._at, strict=True):
            if route is not None:
                values[at.used + np.searchsorted(flow.segments, route.segments)] = 1.0
                values[at.visits + np.searchsorted(flow.stops, route.stops)] = 1.0
                values[at.ends + np.searchsorted(flow.stops, (route.stops[0], route.stops[-1]))] = 1.0
                values[at.runs] = 1.0
        for known, routes in zip(self._routes, limited, strict=True):
            for route in routes:
                track = self._network.track_of(route.stops, route.segments, ()).tobytes()
                if track not in known:
                    return None
                values[known[track][1]] = 1.0
        return values

    def score_of(self, number: int, values: Values) -> int:
        """What flow `number` scores."""
        flow, at = self.flows[number], self._at[number]
        on_way = self._network.segment_score[flow.segments] @ values[at.used : at.visits]
        visits = flow.score[flow.stops] @ values[at.visits : at.ends]
        paid = sum(score * values[column] for column, score in self._paid[number].score.items())
        return round(float(on_way + visits + values[at.runs] + paid))

    def claims_of(self, number: int, values: Values) -> tuple[int, ...]:
        """The claims to bonuses that the train of flow `number` has."""
        claims = self._paid[number].claims
        return tuple(claim for column in claims if values[column] > MARGIN for claim in claims[column])

    def avoid(self, number: int, stops: Collection[int]) -> None:
        """The train of flow `number` does not come to exactly these stops."""
        flow, at = self.flows[number], self._at[number]
        is_own = np.isin(flow.stops, list(stops))
        terms = [(at.visits + place, -1.0 if own else 1.0) for place, own in enumerate(is_own.tolist())]
        if np.count_nonzero(is_own) == len(stops):
            self.program.add_row(1.0 - len(stops), NO_LIMIT, terms)

    def connect(self, values: Values) -> bool:
        """Add what these values miss of connection; false where they miss nothing.

        Raises `EffortSpent` where they miss what was added before: then rounding has gone wrong.
        """
        missing = [
            (number, cut)
            for number in range(len(self.flows))
            for cut in self._missing(self.flows[number], self._at[number], values)
        ]
        for number, cut in missing:
            self._budget.spend(0)
            # What one train misses those like it will miss as well.
            for alike, at in zip(self.flows, self._at, strict=True):
                if alike.sort == self.flows[number].sort and (alike.sort, cut) not in self._cuts:
                    self.program.add_sum(0.0, NO_LIMIT, *_leaving(alike, at, cut))
        if any((self.flows[number].sort, cut) in self._cuts for number, cut in missing):
            raise EffortSpent
        self._cuts.update((self.flows[number].sort, cut) for number, cut in missing)
        return bool(missing)

    def _missing(self, flow: Flow, at: _Columns, values: Values) -> Iterator[_Cut]:
        network = self._network
        sink = len(network.stops)
        used, visits = values[at.used : at.visits], values[at.visits : at.ends]
        ends = values[at.ends : at.runs]
        on = np.flatnonzero(used > LEAST)
        ways = np.stack((flow.stop_a[on], flow.stop_b[on]), axis=1)
        both = np.stack((used[on], used[on]), axis=1)
        out_of = np.flatnonzero(ends > LEAST)
        home = np.flatnonzero(network.has_token[flow.stops])
        for factor, leaving, capacity in (
            (2, out_of, ends[out_of]),
            (1, home, np.full(len(home), 2.0 * flow.trains)),
        ):
            sinks = np.stack((flow.stops[leaving], np.full(len(leaving), sink)), axis=1)
            capacities = np.stack((capacity, np.zeros(len(leaving))), axis=1)
            network_ways, work = ways_between(
                np.concatenate((ways, sinks)), np.concatenate((both, capacities)), sink + 1
            )
            covered = np.zeros(sink + 1, np.bool_)
            for place in np.argsort(-visits, kind="stable").tolist():
                needed, stop = factor * float(visits[place]), int(flow.stops[place])
                if covered[stop]:
                    continue
                if needed <= 2 * MISSING_LEAST:
                    break
                self._budget.spend(0)
                if is_cut_off(network_ways, work, stop, sink, needed - MISSING_LEAST):
                    covered |= work.inside
                    yield _Cut(factor, place, work.inside.tobytes())


def _leaving(flow: Flow, at: _Columns, cut: _Cut) -> tuple[Numbers, Values]:
    """What leaves the stops of a cut, less `factor` times the visits of one of them."""
    inside: Flags = np.frombuffer(cut.inside, np.bool_)
    crossing = at.used + np.flatnonzero(inside[flow.stop_a] != inside[flow.stop_b])
    ends = at.ends + np.flatnonzero(inside[flow.stops]) if cut.factor > 1 else np.empty(0, np.int64)
    columns = np.concatenate((crossing, ends, [at.visits + cut.place]))
    factors = np.ones(len(columns))
    factors[-1] = -cut.factor
    return columns, factors
