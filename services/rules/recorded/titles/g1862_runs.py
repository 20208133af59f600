"""The runs of a company of 1862 as a trace shows them: the stops each train counts, and what each brought.

The peer shows every stop that a train counts, also where another train has its value, and gives the value to the first
train of the file that counts it. A train that leaves stops out leaves out those by which all trains together count most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from services.routing.domain.joint.meeting import FreightRun, LongerRun, longer_runs
from services.rules.domain.board import face, stop_value
from services.rules.domain.game import Game
from services.rules.domain.hexes import axial
from services.rules.domain.titledata import TitleData
from services.rules.domain.ways import stop_id
from services.rules.recorded.spelling import Drawn, Fields
from services.rules.recorded.titles.g1862_names import place_name, train_name
from services.rules.recorded.trace_actions import split_stop, visited_fields
from services.rules.titles.g1862.depots import is_permanent, train_face

Place = tuple[str, int]
BEYOND = ("port", "offboard")


class _Board:
    """The stops as they were when the trains ran."""

    def __init__(self, game: Game, data: TitleData) -> None:
        self.game, self.data = game, data

    def kind(self, stop: Place) -> str:
        return face(self.data, self.game.tiles, stop[0]).stops[stop[1]].kind

    def value(self, stop: Place) -> int:
        return stop_value(self.data, self.game.tiles, *stop, self.game.phase)

    def place(self, stop: Place) -> object:
        """What counts once: an area with all its hexes, else the stop."""
        return face(self.data, self.game.tiles, stop[0]).stops[stop[1]].area or stop

    def bonus(self, ends: Sequence[Place], entered: Mapping[Place, str]) -> int:
        """For every hex between the ends of a longer freight run; ports and areas lie one beyond where they are entered."""
        limits = self.data.figures.limits
        kinds = [self.kind(end) for end in ends]
        per_hex = limits["freight_bonus_per_hex_port" if "port" in kinds else "freight_bonus_per_hex"]
        (q, r), (to_q, to_r) = (axial(entered[end], self.data.figures.orientation) for end in ends)
        apart = max(abs(q - to_q), abs(r - to_r), abs(q + r - to_q - to_r))
        return max(0, apart - 1 + sum(kind in BEYOND for kind in kinds)) * per_hex

    def service(self, drawn: Drawn) -> str:
        return self.game.train_kinds[drawn.route.train]


def route_fields(runs: Sequence[Drawn], before: Game, data: TitleData) -> list[Fields]:
    """The runs of a company; the file's revenue, and ours beside it where the two differ."""
    board = _Board(before, data)
    joined = _joined(runs, board)
    counted = _counted(runs, joined, board)
    revenues, subsidies = _spread(runs, counted, joined, board), _subsidies(runs, board)
    return [
        _run(drawn, stops, revenue, subsidy, board)
        for drawn, stops, revenue, subsidy in zip(runs, counted, revenues, subsidies, strict=True)
    ]


def _run(drawn: Drawn, counted: Sequence[Place], revenue: int, subsidy: int, board: _Board) -> Fields:
    route, data, game = drawn.route, board.data, board.game
    fields: Fields = {
        "train": route.train,
        "name": train_name(data, game, route.train),
        "hexes": list(route.hexes),
        "path": drawn.path,
        "visited": visited_fields(data, game, drawn.stops, place_name),
        "stops": [f"{place_name(data, game, stop)}={board.value(stop)}" for stop in counted],
        "revenue": route.revenue,
        "subsidy": subsidy,
        "text": route.revenue_str,
    }
    if revenue != route.revenue:
        fields["recomputed"] = revenue
    return fields


def _joined(runs: Sequence[Drawn], board: _Board) -> list[LongerRun]:
    freight = [drawn for drawn in runs if board.service(drawn) == "freight"]
    told = [
        FreightRun(
            drawn.route.train,
            stop_id(drawn.stops[0]),
            stop_id(drawn.stops[-1]),
            not is_permanent(board.data, drawn.route.train),
        )
        for drawn in freight
    ]
    return longer_runs(told) or []


def _counted(runs: Sequence[Drawn], joined: Sequence[LongerRun], board: _Board) -> list[list[Place]]:
    """What every train counts: of several ways the first of those that bring most."""
    ends_of = {part.train: (longer.begin, longer.end) for longer in joined for part in longer.parts}
    options = [
        [_ends_among(drawn, ends_of[drawn.route.train])]
        if board.service(drawn) == "freight"
        else list(_ways(drawn, board))
        for drawn in runs
    ]
    best = max(product(*options), key=lambda way: _worth(way, board))
    return [_with_towns(drawn, chosen, board) for drawn, chosen in zip(runs, best, strict=True)]


def _ends_among(drawn: Drawn, ends: Sequence[str]) -> list[Place]:
    """The ends of a longer run that are ends of this run."""
    return [stop for stop in dict.fromkeys((drawn.stops[0], drawn.stops[-1])) if stop_id(stop) in ends]


def _ways(drawn: Drawn, board: _Board) -> Iterator[list[Place]]:
    """The sets of large stops that a train may count."""
    large = [stop for stop in drawn.stops if board.kind(stop) != "town"]
    counts = train_face(board.game, board.data, drawn.route.train).counts or len(large)
    return map(list, combinations(large, min(counts, len(large))))


def _with_towns(drawn: Drawn, chosen: list[Place], board: _Board) -> list[Place]:
    """A local train counts its towns beside: in their places, or last where it leaves stops out."""
    if board.service(drawn) != "local":
        return chosen
    if not train_face(board.game, board.data, drawn.route.train).counts:
        return drawn.stops
    return [*chosen, *(stop for stop in drawn.stops if board.kind(stop) == "town")]


def _worth(way: Sequence[Sequence[Place]], board: _Board) -> int:
    return sum(board.value(stop) for stop in {stop for stops in way for stop in stops})


def _spread(
    runs: Sequence[Drawn],
    counted: Sequence[Sequence[Place]],
    joined: Sequence[LongerRun],
    board: _Board,
) -> list[int]:
    """The value of every stop to the first train that counts it, a bonus to the first train of those joined."""
    paid: set[object] = set()
    freight = [drawn for drawn in runs if board.service(drawn) == "freight"]
    entered = {end: hex_id for drawn in freight[::-1] for end, hex_id in _entries(drawn, board)}
    ends_of = {longer.leader: [split_stop(longer.begin), split_stop(longer.end)] for longer in joined}
    revenues = []
    for drawn, stops in zip(runs, counted, strict=True):
        new = [stop for stop in stops if board.place(stop) not in paid]
        paid.update(board.place(stop) for stop in stops)
        ends = ends_of.get(drawn.route.train)
        revenues.append(sum(map(board.value, new)) + (board.bonus(ends, entered) if ends else 0))
    return revenues


def _subsidies(runs: Sequence[Drawn], board: _Board) -> list[int]:
    """What every local train brings: each hex pays the first of them that comes to it."""
    paid: set[str] = set()
    found = []
    for drawn in runs:
        new = set(drawn.path) - paid if board.service(drawn) == "local" else set()
        paid |= new
        found.append(len(new) * board.data.figures.limits["subsidy_per_hex"])
    return found


def _entries(drawn: Drawn, board: _Board) -> Iterator[tuple[Place, str]]:
    """The ends of a run with the hexes from which they are measured."""
    for end, beside in ((drawn.stops[0], drawn.path[1]), (drawn.stops[-1], drawn.path[-2])):
        yield end, beside if board.kind(end) in BEYOND else end[0]
