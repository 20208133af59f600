"""The input of the solver: stops, track, trains and tokens of one company, values resolved.

A problem knows no title and no phase. Its builder has already decided which revenue a stop has now, which
stops count as one place and which pieces of track exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

StopKind = Literal["city", "town", "offboard", "mine", "port"]
TrainKind = Literal["normal", "goods", "freight", "local", "express"]
TownRule = Literal["stop", "skip", "free", "extra"]
Measure = Literal["stops", "hexes"]
Family = Literal["separate_track", "one_network", "direct_routes"]
Links = Literal["cities", "any_stop"]
FreightJoins = Literal["one_route", "ends_meet"]
Where = Literal["visited", "counted", "ends", "counted_ends"]
PlacesOnce = Literal["run", "company"]

STOP_COUNT_MAX = 400
SEGMENT_COUNT_MAX = 4_000
RESOURCE_COUNT_MAX = 200
TRAIN_COUNT_MAX = 8
NETWORK_TRAIN_COUNT_MAX = 24
REVENUE_MAX = 100_000
REACH_MAX = 400
FACTOR_MAX = 10
BONUS_MAX = 10_000
BONUS_COUNT_MAX = 8
REQUIREMENT_COUNT_MAX = 4
GROUP_COUNT_MAX = 3
COUNTED_GROUP_COUNT_MAX = 4
CASE_COUNT_MAX = 128
NODE_BUDGET_DEFAULT = 2_000_000_000


class ProblemError(ValueError):
    """An invalid problem. `field` is the path of the bad field, `reason` a code that never changes meaning."""

    def __init__(self, field: str, reason: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.reason = reason
        self.message = message


def require(condition: bool, field: str, reason: str, message: str) -> None:
    """Raise `ProblemError` unless `condition` holds."""
    if not condition:
        raise ProblemError(field, reason, message)


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A location that yields revenue.

    `place`: stops with the same place are one location, visited at most once by a route.
    `revenue`: whole currency units in the present phase; for a mine it is the income of the treasury. For direct routes
    it is the traffic of the stop.
    `slots`: occupant of each token space, "" for a free one; no slots means that nothing can block the stop.
    `tariffs`: what the stop yields instead of `revenue` to trains of these tariffs.
    `position`: axial coordinates of its hex, for the bonus of freight trains: hexes (q, r) are as far from each other
    as the largest of the differences of q, of r and of q + r.
    `beyond`: hexes from that position on to the stop itself, added to every distance from it: so that a way in that
    several hexes of an area have can be measured from the hex before it.
    """

    id: str
    kind: StopKind
    place: str
    revenue: int
    slots: tuple[str, ...] = ()
    tariffs: dict[str, int] = {}
    position: tuple[int, int] | None = None
    beyond: int = 0

    def value_for(self, train: Train, has_token: bool = True) -> int:
        """What the stop yields to `train`, in whole currency units; `has_token`: it holds a token of the company."""
        if train.only_tokens and not has_token:
            return 0
        return self.tariffs.get(train.tariff, self.revenue) * train.factor


class Segment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way along track from stop `a` to stop `b` with no stop between them.

    `resources`: names of what only one train run may use, once: hex sides with their lane, merging junctions.
    `hexes`: the hexes passed, from `a` to `b`, both included; may be left out.
    `length`: hex sides crossed, for trains whose reach is measured in hexes; 0 where `hexes` gives it.
    `terminal_a`, `terminal_b`: a route that uses this end must begin or end at that stop.
    `revenue`: what a run earns on the way, beside its stops, in whole currency units.
    `cost`: what a direct route pays for it, in whole currency units.
    A segment excludes itself even without resources; one that returns to its own stop is legal but useless.
    """

    id: str
    a: str
    b: str
    resources: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    terminal_a: bool = False
    terminal_b: bool = False
    length: int = 0
    revenue: int = 0
    cost: int = 0

    @property
    def hex_sides(self) -> int:
        """Hex sides crossed on the way from `a` to `b`."""
        return self.length or max(0, len(self.hexes) - 1)


class Train(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A train of the company.

    `kind`: a normal train never serves a mine; a goods train begins at one mine and ends at none. In one network there
    are freight, local and express trains instead, for which `towns`, `measure` and `tariff` mean nothing.
    `reach`: the most that a route may measure, 0 for no limit. Measured in stops, every stop of the route but mines
    takes one; measured in hexes, every hex side crossed takes one.
    `towns`: what towns are to a train measured in stops. stop: they are like any other stop. free: they take no
    reach and always yield. skip: they yield only when they take reach, and may be passed without; a route neither
    begins nor ends at a town that is passed. extra: they take `town_reach` instead, of which a route visits no more.
    `counts`: a route yields its best so many stops, 0 for all that it visits (a train 5/8 has counts 5, reach 8).
    `tariff`: the name under which stops may have another value for this train.
    For direct routes it is a normal train, and `reach` is how much traffic it covers.
    `joins`: a freight train that may not run beside other freight trains but only joined with them.
    `town_reach`: the towns that a train with towns `extra` may visit beside its reach (M of a train N+M).
    `factor`: what stops yield to it is multiplied by this. `only_tokens`: stops without a token of the company yield
    nothing to it.
    """

    id: str
    kind: TrainKind
    reach: int
    towns: TownRule = "stop"
    counts: int = 0
    measure: Measure = "stops"
    tariff: str = ""
    joins: bool = False
    town_reach: int = 0
    factor: int = 1
    only_tokens: bool = False


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run earns for coming to certain stops, beside what these yield.

    `groups`: sets of stops, each stop with what it pays. A run has the bonus if it has a stop of every group; then all its
    stops of the groups pay, and `pays` once. Whole currency units.
    `where`: which stops of a run matter. visited: all. counted: those that make up its revenue. ends: the first and the
    last. counted_ends: these if they are counted.
    `runs`: so many runs of the company have it at most, those with which the total is the highest; 0 for all.
    `tariffs`: only trains of these tariffs have it; none for all trains.
    `to_treasury`: it is income of the treasury and no part of the revenue.
    `times_factor`: what it pays is multiplied by the factor of the train.
    """

    id: str
    groups: tuple[dict[str, int], ...]
    where: Where = "visited"
    pays: int = 0
    runs: int = 0
    tariffs: tuple[str, ...] = ()
    to_treasury: bool = False
    times_factor: bool = False

    def money_for(self, train: Train, money: int) -> int:
        """What `train` gets of `money` that the bonus pays, in whole currency units."""
        return money * train.factor if self.times_factor else money


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every run must have one of `stops`, as `where` says; only of trains of `tariffs` where some are given."""

    id: str
    stops: tuple[str, ...]
    where: Where = "visited"
    tariffs: tuple[str, ...] = ()


class LockedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fixed run: the solver keeps it and solves for the other trains."""

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rulings of the rule family.

    `compare_treasury_income`: income of the treasury counts in what is maximised. Without it revenue alone is
    maximised and that income decides between equal revenues.

    Where no two runs share track: `bonuses` and `requirements` beside the values of stops, and `places_once`: whether a
    place is visited once by a run, or once by all runs of the company.

    The others belong to one network. `home`: the stop that one route must contain; "" where there is none, so that
    nothing can run. `links`: what connects two routes, a common city or any common stop.
    `freight_joins`: whether the longer run of joined freight trains must be one route itself, or ends need only meet.
    `bonus_per_hex`, `bonus_per_hex_port`: for each hex between the ends of a freight run, and if an end is a port.
    `subsidy_per_hex`: for each hex that local trains touch, as income of the treasury. Whole currency units.

    Of direct routes: `traffic`: how much the company has; `coverage_beside`: how much of it is covered beside its trains,
    if it has one. `goals`: stops to which routes are asked for though no token can be placed there.
    """

    compare_treasury_income: bool = False
    bonuses: tuple[Bonus, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    places_once: PlacesOnce = "run"
    home: str = ""
    links: Links = "cities"
    freight_joins: FreightJoins = "one_route"
    bonus_per_hex: int = 0
    bonus_per_hex_port: int = 0
    subsidy_per_hex: int = 0
    traffic: int = 0
    coverage_beside: int = 0
    goals: tuple[str, ...] = ()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to solve. Options never change what is legal, only what is kept and how long to search.

    `deadline_ms`: wall time the caller grants, 0 for none; it is measured at the edge, not in the solver.
    `node_budget`: search steps after which the best answer so far is given with its bound; 0 for the default.
    `explain`: the answer says why nothing is better, see `Explanation`; that takes some more time.
    """

    locked_runs: tuple[LockedRun, ...] = ()
    deadline_ms: int = 0
    node_budget: int = 0
    explain: bool = False


class RouteProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which runs earn `company` the most? Or, in the family of direct routes: which ways lead to other cities and mines?
    `token_stops` are the stops that hold a token of the company."""

    company: str
    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]
    trains: tuple[Train, ...]
    token_stops: tuple[str, ...]
    family: Family = "separate_track"
    parameters: Parameters = Parameters()
    options: Options = Options()


def takes_reach(train: Train, stop: Stop) -> bool:
    """Whether a visit at `stop` takes one of the reach of `train`, which is measured in stops."""
    return stop.kind != "mine" and not (stop.kind == "town" and train.towns in ("free", "extra"))


def concerns(term: Bonus | Requirement, train: Train) -> bool:
    """Whether a bonus or requirement is meant for `train`."""
    return not term.tariffs or train.tariff in term.tariffs


def is_optional(bonus: Bonus) -> bool:
    """Whether a run may come to a stop of it and not have it: it pays under a condition, or to few runs."""
    return bool(bonus.runs or bonus.pays or len(bonus.groups) > 1)


def needs_counting(term: Bonus | Requirement) -> bool:
    """Whether only stops that a run counts matter to it."""
    return term.where in ("counted", "counted_ends")


def is_blocked(stop: Stop, token_stops: Iterable[str]) -> bool:
    """Whether other companies' tokens fill every space of `stop` and none is the running company's."""
    return bool(stop.slots) and all(stop.slots) and stop.id not in token_stops
