"""The runs of trains as coloured lines along the track, side by side where several trains share it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.drawing.colours import route_colour
from services.drawing.geometry import Curve, hex_centre
from services.drawing.scene import HexScene
from services.drawing.svg import INK, element, line_through, titled
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.map.tiles import EdgeEnd
from services.rules.parts.trains.routes import Network, network_of
from services.rules.parts.trains.state import Run, trains_of

LINE_WIDTH = 4.0
RIM_WIDTH = 5.6
LINE_GAP = 4.6
WIDEST = 30.0
POINTS = 9

# One crossing of an edge, named by whichever of the two hexes sorts first.
Crossing = tuple[str, EdgeEnd]


@dataclass(frozen=True, slots=True)
class BestRuns:
    """The solved best runs of a company: revenue and mine income of all, and whether better ones may exist.

    `upper_bound`: no runs earn more revenue than this."""

    company: str
    trains: tuple[str, ...]
    runs: tuple[Run, ...]
    proven: bool
    upper_bound: int


@dataclass(frozen=True, slots=True)
class TrainLine:
    """The run of one train, with its number among the lines drawn."""

    company: str
    run: Run
    number: int

    @property
    def colour(self) -> str:
        """The colour of its line, on the map and in the legend."""
        return route_colour(self.number)


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch on one hex: `curves` in running order, and the edges over which it comes in and goes out."""

    hex_id: str
    curves: tuple[Curve, ...]
    inwards: EdgeEnd | None
    outwards: EdgeEnd | None


@dataclass(slots=True)
class _Bundles:
    """Which lines use which crossing, and which side of each counts as its right."""

    title: TitleData
    users: dict[Crossing, list[int]] = field(default_factory=dict)
    sides: dict[Crossing, int] = field(default_factory=dict)

    def crossing(self, hex_id: str, end: EdgeEnd) -> Crossing:
        beyond = map_data(self.title).neighbours[hex_id][end.edge]
        return min((hex_id, end), (beyond, end.across())) if beyond is not None else (hex_id, end)

    def way(self, hex_id: str, end: EdgeEnd, inwards: bool) -> int:
        """1 when a leg passes the crossing away from the hex that names it, else -1."""
        return 1 if (self.crossing(hex_id, end)[0] == hex_id) != inwards else -1

    def shift(self, leg: Leg, end: EdgeEnd, inwards: bool, line: int) -> float:
        """How far right of the middle the line runs here, in running direction."""
        crossing = self.crossing(leg.hex_id, end)
        lines = self.users[crossing]
        gap = min(LINE_GAP, WIDEST / len(lines))
        place = lines.index(line) - (len(lines) - 1) / 2
        return place * gap * self.sides[crossing] * self.way(leg.hex_id, end, inwards)


def train_lines(game: Game, companies: Iterable[str]) -> list[TrainLine]:
    """The last runs of these companies, in the order in which their lines are numbered."""
    return _numbered(
        (company, run) for company in companies for run in trains_of(game).last_runs.get(company, ())
    )


def best_lines(best: Iterable[BestRuns]) -> list[TrainLine]:
    """The best runs of companies, in the order in which their lines are numbered."""
    return _numbered((each.company, run) for each in best for run in each.runs)


def _numbered(runs: Iterable[tuple[str, Run]]) -> list[TrainLine]:
    return [TrainLine(company, run, number) for number, (company, run) in enumerate(runs)]


def route_marks(
    data: TitleData, game: Game, scenes: dict[str, HexScene], lines: Sequence[TrainLine]
) -> list[str]:
    """The lines over the track of the map."""
    if not lines:
        return []
    network = network_of(data, map_of(game).tiles)
    legs = [_legs(network, scenes, line.run) for line in lines]
    bundles = _bundled(data, legs)
    paths = [
        "".join(_leg_data(data, bundles, leg, line.number) for leg in legs_of)
        for line, legs_of in zip(lines, legs, strict=True)
    ]
    style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "butt"}
    return [
        drawn
        for line, path in zip(lines, paths, strict=True)
        if path
        for drawn in (
            element("path", d=path, stroke=INK, stroke_width=RIM_WIDTH, **style),
            element(
                "path",
                titled(run_in_words(line)),
                class_="route",
                d=path,
                stroke=line.colour,
                stroke_width=LINE_WIDTH,
                **style,
            ),
        )
    ]


def run_in_words(line: TrainLine) -> str:
    """A run in words."""
    run = line.run
    earned = f"{run.revenue} + {run.treasury_income}" if run.treasury_income else str(run.revenue)
    return f"{line.company} {run.train}: {earned} ({', '.join(stop.split('.')[0] for stop in run.stops)})"


def _legs(network: Network, scenes: dict[str, HexScene], run: Run) -> list[Leg]:
    """The stretches of a run on the current map; a stretch whose track is gone is left out.

    A run names the track at its time; where tiles were laid since, the same hexes are drawn over the current track."""
    legs: list[Leg] = []
    for index, told_then in enumerate(run.segments):
        hexes = tuple(part.split("/")[0] for part in told_then.split("+"))
        if hexes[0] != run.stops[index].split(".")[0]:
            hexes = hexes[::-1]
        segments = network.by_hexes.get(min(hexes, hexes[::-1]), ())
        ids = [segment.id for segment in segments]
        now = told_then if told_then in ids else next(iter(ids), "")
        if not now:
            continue
        parts = now.split("+") if now.split("/")[0] == hexes[0] else now.split("+")[::-1]
        stretch = _stretch(scenes, parts)
        if legs and legs[-1].outwards is None and legs[-1].hex_id == stretch[0].hex_id:
            legs.append(_joined(legs.pop(), stretch.pop(0)))
        legs += stretch
    return legs


def _stretch(scenes: dict[str, HexScene], parts: list[str]) -> list[Leg]:
    legs = []
    inwards: EdgeEnd | None = None
    for part in parts:
        hex_id, _, number = part.partition("/")
        scene = scenes[hex_id]
        path, curve = scene.face.paths[int(number)], scene.layout.curves[int(number)]
        outwards: EdgeEnd | None
        if inwards is None:
            outwards, curve = path.edges[0], curve if path.stop is None else curve.turned()
        elif path.stop is not None:
            outwards = None
        else:
            forward = path.edges[0] == inwards
            outwards = path.edges[1] if forward else path.edges[0]
            curve = curve if forward else curve.turned()
        legs.append(Leg(hex_id, (curve,), inwards, outwards))
        inwards = outwards.across() if outwards is not None else None
    return legs


def _joined(before: Leg, after: Leg) -> Leg:
    """Two stretches that meet at a stop of one hex."""
    return Leg(before.hex_id, (*before.curves, *after.curves), before.inwards, after.outwards)


def _bundled(data: TitleData, legs: list[list[Leg]]) -> _Bundles:
    bundles = _Bundles(data)
    neighbours: dict[Crossing, list[tuple[Crossing, int]]] = {}
    for number, legs_of in enumerate(legs):
        for leg in legs_of:
            ends = [(end, inwards) for end, inwards in ((leg.inwards, True), (leg.outwards, False)) if end]
            crossings = [bundles.crossing(leg.hex_id, end) for end, _ in ends]
            for crossing in crossings:
                users = bundles.users.setdefault(crossing, [])
                if number not in users:
                    users.append(number)
            if len(crossings) == 2:
                ways = [bundles.way(leg.hex_id, end, inwards) for end, inwards in ends]
                neighbours.setdefault(crossings[0], []).append((crossings[1], ways[0] * ways[1]))
                neighbours.setdefault(crossings[1], []).append((crossings[0], ways[0] * ways[1]))
    for crossing in bundles.users:
        _spread(bundles.sides, crossing, neighbours)
    return bundles


def _spread(
    sides: dict[Crossing, int], begin: Crossing, neighbours: dict[Crossing, list[tuple[Crossing, int]]]
) -> None:
    """Choose the right-hand sides of all crossings joined to one, so that lines keep their side along the track."""
    if begin in sides:
        return
    sides[begin] = 1
    waiting = [begin]
    while waiting:
        crossing = waiting.pop(0)
        for other, relation in neighbours.get(crossing, ()):
            if other not in sides:
                sides[other] = sides[crossing] * relation
                waiting.append(other)


def _leg_data(data: TitleData, bundles: _Bundles, leg: Leg, line: int) -> str:
    """The path of a leg, shifted beside the middle of the track."""
    shifts = [
        bundles.shift(leg, end, inwards, line)
        for end, inwards in ((leg.inwards, True), (leg.outwards, False))
        if end is not None
    ]
    begin, end = shifts[0], shifts[-1]
    centre = hex_centre(leg.hex_id, map_data(data).figures.orientation)
    shares = [index / (POINTS - 1) for index in range(POINTS)]
    steps = [(curve, share, number) for number, curve in enumerate(leg.curves) for share in shares]
    points = []
    for curve, share, number in steps:
        done = (number + share) / len(leg.curves)
        shift = begin + (end - begin) * done
        points.append(centre + curve.at(share) + curve.heading(share) * 1j * shift)
    return line_through(points)
