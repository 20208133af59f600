"""A route problem as a picture: its stops and track laid out on paper, the runs of an answer as coloured lines.

A problem says what is connected, not where it lies. Stops with positions are drawn there; else they are spread so that
connected ones are near each other, always in the same way, broader than high.
"""

from __future__ import annotations

import cmath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.drawing.colours import PAPER, TILE_GROUNDS, route_colour
from services.drawing.svg import INK, box, circle, element, group, lettering, number, pair
from services.routing.domain.problem import RouteProblem, Segment, Stop, is_blocked
from services.routing.domain.solution import RouteSolution, Run

STEP = 110.0
MARGIN = 70.0
# Rounds of the layout, fewer for many stops: each takes time with the square of their number.
ROUNDS, LEAST_ROUNDS, ROUNDS_WORK = 300, 20, 3_000_000
FIRST_MOVE, LAST_MOVE = 0.3, 0.005
PULL_TO_THE_MIDDLE = 0.02
BEND, LINE_GAP, LINE_WIDTH, RIM_WIDTH, TRACK_WIDTH = 46.0, 7.0, 5.0, 1.0, 2.5
CITY_RADIUS, TOWN_RADIUS, BOX_WIDTH, BOX_HEIGHT = 17.0, 12.0, 44.0, 28.0
ROW_HEIGHT, LETTER_SIZE, LETTER_WIDTH, LEAST_WIDTH = 20.0, 12.0, 7.0, 560.0
# Where the name of a stop may be, best first: above, below, right, left.
NAME_SIDES = (-1j, 1j, 1 + 0j, -1 + 0j)
TRACK_COLOUR = "#9a9a9a"
GROUNDS = {
    "city": PAPER,
    "town": TILE_GROUNDS["yellow"],
    "offboard": TILE_GROUNDS["red"],
    "mine": TILE_GROUNDS["grey"],
    "port": TILE_GROUNDS["blue"],
}
Points = NDArray[np.float64]


def draw_problem(problem: RouteProblem, solution: RouteSolution | None = None) -> str:
    """The SVG document of a valid problem; with an answer its runs and what each earns below."""
    at = _places(problem)
    width = max(LEAST_WIDTH, 2 * MARGIN + max((point.real for point in at.values()), default=0.0))
    height = 1.7 * MARGIN + max((point.imag for point in at.values()), default=0.0)
    columns = int((width - MARGIN) / LETTER_WIDTH)
    rows = [*_legend(problem, solution, columns), *_key(problem)]
    corner = complex(MARGIN / 2, height)
    sides = _name_sides(problem, at)
    content = [
        element("rect", x=0, y=0, width="100%", height="100%", fill=PAPER),
        *_tracks(problem, at, solution),
        *(_stop(problem, stop, at[stop.id], sides[stop.id]) for stop in _by_id(problem)),
        *(_row(row, corner + line * ROW_HEIGHT * 1j) for line, row in enumerate(rows)),
    ]
    height += ROW_HEIGHT * len(rows)
    return element(
        "svg",
        "".join(content),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        font_family="sans-serif",
    )


def _by_id(problem: RouteProblem) -> list[Stop]:
    return sorted(problem.stops, key=lambda stop: stop.id)


def _places(problem: RouteProblem) -> dict[str, complex]:
    """Where each stop lies, from the upper left corner."""
    stops = _by_id(problem)
    if not stops:
        return {}
    positions = [stop.position for stop in stops if stop.position is not None]
    if len(positions) == len(stops):
        points = np.array([(q * np.sqrt(0.75), r + q / 2) for q, r in positions])
        points += (
            0.35 * _circle(len(stops)) * np.array([[Counter(positions)[each] > 1] for each in positions])
        )
    else:
        points = _spread(problem, stops)
    points = (points - points.min(axis=0)) * STEP + MARGIN
    return {stop.id: complex(x, y) for stop, (x, y) in zip(stops, points.tolist(), strict=True)}


def _circle(count: int) -> Points:
    angles = np.arange(count) * (2 * np.pi / max(1, count))
    around: Points = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return around


def _spread(problem: RouteProblem, stops: Sequence[Stop]) -> Points:
    """Spread the stops from a circle: each pushes all others away and is drawn to those it is connected with."""
    place = {stop.id: index for index, stop in enumerate(stops)}
    linked = np.zeros((len(stops), len(stops)))
    for segment in problem.segments:
        linked[place[segment.a], place[segment.b]] = linked[place[segment.b], place[segment.a]] = 1
    points: Points = _circle(len(stops)) * np.sqrt(len(stops))
    rounds = min(ROUNDS, max(LEAST_ROUNDS, ROUNDS_WORK // len(stops) ** 2))
    for move in np.geomspace(FIRST_MOVE, LAST_MOVE, rounds):
        apart = points[:, None] - points[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)[:, :, None]
        force = (apart / distance**2 - apart * distance * linked[:, :, None]).sum(axis=1)
        force -= PULL_TO_THE_MIDDLE * points
        length = np.maximum(np.linalg.norm(force, axis=1), 1e-9)[:, None]
        points += force / length * np.minimum(length, move)
    return _laid_flat(points, linked)


def _laid_flat(points: Points, linked: Points) -> Points:
    """The points turned so that they reach farthest from left to right, connected ones at a distance of one in the middle."""
    points = points - points.mean(axis=0)
    axes = np.linalg.svd(points, full_matrices=False)[2]
    turned: Points = points @ axes.T
    one, other = np.nonzero(np.triu(linked, 1))
    lengths = np.linalg.norm(points[one] - points[other], axis=1)
    return turned / (np.median(lengths) if len(lengths) else 1.0)


def _name_sides(problem: RouteProblem, at: Mapping[str, complex]) -> dict[str, complex]:
    """On which side of each stop its name crosses the least track."""
    ways: dict[str, list[complex]] = defaultdict(list)
    for segment in problem.segments:
        along = at[segment.b] - at[segment.a]
        if along:
            ways[segment.a].append(along / abs(along))
            ways[segment.b].append(-along / abs(along))

    def nearest(stop: str, side: complex) -> float:
        return min((abs(cmath.phase(way / side)) for way in ways[stop]), default=cmath.pi)

    return {
        stop.id: max(NAME_SIDES, key=lambda side: min(1.0, nearest(stop.id, side))) for stop in problem.stops
    }


def _tracks(problem: RouteProblem, at: dict[str, complex], solution: RouteSolution | None) -> Iterable[str]:
    """Each segment in grey, then a line for each run over it; parallel segments bend away from each other."""
    between: dict[tuple[str, str], list[Segment]] = defaultdict(list)
    for segment in sorted(problem.segments, key=lambda each: each.id):
        between[min(segment.a, segment.b), max(segment.a, segment.b)].append(segment)
    runs_over: dict[str, list[int]] = defaultdict(list)
    for index, segments_of_line in enumerate(_lines_of(solution)):
        for name in segments_of_line:
            runs_over[name].append(index)
    tracks, lines = [], []
    for (one, other), segments in between.items():
        for index, segment in enumerate(segments):
            bend = (index - (len(segments) - 1) / 2) * BEND
            way = at[one], at[other], bend
            tracks.append(_line(*way, 0.0, TRACK_COLOUR, TRACK_WIDTH, segment.id))
            users = runs_over[segment.id]
            for place, user in enumerate(users):
                shift = (place - (len(users) - 1) / 2) * LINE_GAP
                lines.append(_line(*way, shift, route_colour(user), LINE_WIDTH, segment.id, rim=RIM_WIDTH))
    return tracks + lines


def _lines_of(solution: RouteSolution | None) -> list[tuple[str, ...]]:
    """The segments of each run, or of each direct route."""
    if solution is None:
        return []
    direct = [route.segments for goal in solution.goals for route in goal.routes]
    return [run.segments for run in solution.runs] + direct


def _line(
    start: complex,
    end: complex,
    bend: float,
    shift: float,
    colour: str,
    width: float,
    name: str,
    rim: float = 0.0,
) -> str:
    """A way from stop to stop, its middle `bend` aside and all of it `shift` aside, on both sides with a dark rim."""
    along = end - start
    aside = along / (abs(along) or 1.0) * 1j
    start, end = start + aside * shift, end + aside * shift
    middle = (start + end) / 2 + aside * bend
    path = f"M{pair(start)}Q{pair(middle)} {pair(end)}"
    strokes = ((INK, width + 2 * rim), (colour, width)) if rim else ((colour, width),)
    return group(
        [element("path", d=path, fill="none", stroke=each, stroke_width=size) for each, size in strokes], name
    )


def _stop(problem: RouteProblem, stop: Stop, at: complex, name_side: complex) -> str:
    rim = 4.0 if stop.id in problem.token_stops else 1.2
    dashes = "3 3" if is_blocked(stop, problem.token_stops) else None
    ground = GROUNDS[stop.kind]
    if stop.kind in ("city", "town"):
        radius = CITY_RADIUS if stop.kind == "city" else TOWN_RADIUS
        shape = circle(at, radius, fill=ground, stroke=INK, stroke_width=rim, stroke_dasharray=dashes)
    else:
        shape = box(
            at, BOX_WIDTH, BOX_HEIGHT, fill=ground, stroke=INK, stroke_width=rim, stroke_dasharray=dashes
        )
    value = lettering(at, str(stop.revenue), LETTER_SIZE)
    if name_side.imag:
        place, anchor = at + name_side * (CITY_RADIUS + LETTER_SIZE), "middle"
    else:
        place = at + name_side * (BOX_WIDTH / 2 + LETTER_SIZE / 2)
        anchor = "start" if name_side.real > 0 else "end"
    label = lettering(place, stop.id, LETTER_SIZE, anchor=anchor, bold=True, halo=PAPER)
    return group([shape, value, label], f"{stop.kind} {stop.id}")


class _Row(NamedTuple):
    """A line below the picture, with a box of `colour` before it if there is one."""

    text: str
    colour: str = ""
    bold: bool = False


def _legend(problem: RouteProblem, solution: RouteSolution | None, columns: int) -> Iterator[_Row]:
    """What each run earns and for what, and the total."""
    if solution is None:
        return
    for index, run in enumerate(solution.runs):
        first, *others = [*wrap(_run_in_words(run), columns), *wrap(_earned(problem, run), columns)]
        yield _Row(first, route_colour(index))
        yield from map(_Row, others)
    if solution.goals:
        yield from _direct_routes(solution)
        return
    ran = {run.train for run in solution.runs}
    idle = [train.id for train in problem.trains if train.id not in ran]
    if idle:
        yield _Row(f"without a run: {', '.join(idle)}")
    certain = "proven" if solution.proven else f"at most {solution.upper_bound}"
    treasury = f", treasury {solution.treasury_income}" if solution.treasury_income else ""
    yield _Row(f"total {solution.revenue}{treasury}, {certain}", bold=True)


def _direct_routes(solution: RouteSolution) -> Iterator[_Row]:
    """Each direct route with its cost and traffic, and the traffic that trains cover."""
    routes = [route for goal in solution.goals for route in goal.routes]
    for index, route in enumerate(routes, len(solution.runs)):
        stops = " - ".join(route.stops)
        yield _Row(f"{stops}  cost {route.cost}, traffic {route.traffic}", route_colour(index))
    certain = "proven" if solution.proven else "not proven"
    yield _Row(f"total traffic covered {solution.revenue}, {certain}", bold=True)


def _run_in_words(run: Run) -> str:
    treasury = f" + {run.treasury_income} for the treasury" if run.treasury_income else ""
    return f"{run.train}: {' - '.join(run.stops)}, {run.revenue}{treasury}"


def _earned(problem: RouteProblem, run: Run) -> str:
    """Which stops are counted, where it is not all of them, and what else there is; empty if there is nothing to say."""
    mines = {stop.id for stop in problem.stops if stop.kind == "mine"}
    is_all = set(run.counted_stops) | mines >= set(run.stops)
    parts = [] if is_all else [f"counted: {' - '.join(run.counted_stops) or 'nothing'}"]
    if run.bonus:
        parts.append(f"{run.bonus} for {', '.join(run.bonuses) or 'distance or track'}")
    if run.joined_trains:
        parts.append(f"joined: {' + '.join(run.joined_trains)}")
    return "; ".join(parts)


def _key(problem: RouteProblem) -> Iterator[_Row]:
    """What rims mean, as far as there are such."""
    tokens = f"thick rim: a token of {problem.company}" if problem.token_stops else ""
    is_full = any(is_blocked(stop, problem.token_stops) for stop in problem.stops)
    words = [each for each in (tokens, "dashed rim: full, nobody passes" if is_full else "") if each]
    if words:
        yield _Row("; ".join(words))


def _row(row: _Row, at: complex) -> str:
    mark = (
        box(at, LETTER_SIZE, LETTER_SIZE, fill=row.colour, stroke=INK, stroke_width=0.5) if row.colour else ""
    )
    return mark + lettering(at + LETTER_SIZE, row.text, LETTER_SIZE, anchor="start", bold=row.bold)
