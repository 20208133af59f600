"""A route problem as a picture: its stops and track laid out on paper, the runs of an answer as coloured lines.

A problem says what is connected, not where it lies. Stops with positions are drawn there; else they are spread so that
connected ones are near each other, always in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from services.drawing.colours import PAPER, TILE_GROUNDS, route_colour
from services.drawing.svg import INK, box, circle, element, group, lettering, number, pair
from services.routing.domain.problem import RouteProblem, Segment, Stop
from services.routing.domain.solution import RouteSolution

STEP = 110.0
MARGIN = 70.0
ROUNDS = 300
FIRST_MOVE, LAST_MOVE = 0.3, 0.005
PULL_TO_THE_MIDDLE = 0.02
BEND, LINE_GAP, LINE_WIDTH, TRACK_WIDTH = 46.0, 6.0, 5.0, 2.5
CITY_RADIUS, TOWN_RADIUS, BOX_WIDTH, BOX_HEIGHT = 17.0, 12.0, 44.0, 28.0
ROW_HEIGHT, LETTER_SIZE, LETTER_WIDTH = 20.0, 12.0, 7.5
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
    width = 2 * MARGIN + max((point.real for point in at.values()), default=0.0)
    height = 2 * MARGIN + max((point.imag for point in at.values()), default=0.0)
    rows = _legend(solution) if solution is not None else []
    content = [
        element("rect", x=0, y=0, width="100%", height="100%", fill=PAPER),
        *_tracks(problem, at, solution),
        *(_stop(stop, at[stop.id], stop.id in problem.token_stops) for stop in _by_id(problem)),
        *(_row(row, line, complex(MARGIN / 2, height + line * ROW_HEIGHT)) for line, row in enumerate(rows)),
    ]
    widest = max((MARGIN + len(row) * LETTER_WIDTH for row in rows), default=0.0)
    size = f"0 0 {number(max(width, widest))} {number(height + ROW_HEIGHT * len(rows))}"
    return element(
        "svg", "".join(content), xmlns="http://www.w3.org/2000/svg", viewBox=size, font_family="sans-serif"
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
    for move in np.geomspace(FIRST_MOVE, LAST_MOVE, ROUNDS):
        apart = points[:, None] - points[None]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.01)[:, :, None]
        force = (apart / distance**2 - apart * distance * linked[:, :, None]).sum(axis=1)
        force -= PULL_TO_THE_MIDDLE * points
        length = np.maximum(np.linalg.norm(force, axis=1), 1e-9)[:, None]
        points += force / length * np.minimum(length, move)
    return points


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
                lines.append(_line(*way, shift, route_colour(user), LINE_WIDTH, segment.id))
    return tracks + lines


def _lines_of(solution: RouteSolution | None) -> list[tuple[str, ...]]:
    """The segments of each run, or of each direct route."""
    if solution is None:
        return []
    direct = [route.segments for goal in solution.goals for route in goal.routes]
    return [run.segments for run in solution.runs] + direct


def _line(
    start: complex, end: complex, bend: float, shift: float, colour: str, width: float, name: str
) -> str:
    """A way from stop to stop, its middle `bend` aside and all of it `shift` aside."""
    along = end - start
    aside = along / (abs(along) or 1.0) * 1j
    start, end = start + aside * shift, end + aside * shift
    middle = (start + end) / 2 + aside * bend
    path = f"M{pair(start)}Q{pair(middle)} {pair(end)}"
    return group([element("path", d=path, fill="none", stroke=colour, stroke_width=width)], name)


def _stop(stop: Stop, at: complex, has_token: bool) -> str:
    rim, ground = 4.0 if has_token else 1.2, GROUNDS[stop.kind]
    if stop.kind in ("city", "town"):
        radius = CITY_RADIUS if stop.kind == "city" else TOWN_RADIUS
        shape = circle(at, radius, fill=ground, stroke=INK, stroke_width=rim)
    else:
        shape = box(at, BOX_WIDTH, BOX_HEIGHT, fill=ground, stroke=INK, stroke_width=rim)
    value = lettering(at, str(stop.revenue), LETTER_SIZE)
    label = lettering(at - (CITY_RADIUS + LETTER_SIZE) * 1j, stop.id, LETTER_SIZE, bold=True, halo=PAPER)
    return group([shape, value, label], f"{stop.kind} {stop.id}")


def _legend(solution: RouteSolution) -> list[str]:
    rows = [
        f"{run.train}: {' - '.join(run.stops)}  {run.revenue}"
        + (f" + {run.treasury_income} treasury" if run.treasury_income else "")
        for run in solution.runs
    ]
    rows += [
        f"{' - '.join(route.stops)}  cost {route.cost}, traffic {route.traffic}"
        for goal in solution.goals
        for route in goal.routes
    ]
    certain = "proven" if solution.proven else f"at most {solution.upper_bound}"
    if solution.goals:
        certain = "proven" if solution.proven else "not proven"
        return [*rows, f"total traffic covered {solution.revenue}, {certain}"]
    return [*rows, f"total {solution.revenue}, treasury {solution.treasury_income}, {certain}"]


def _row(text: str, index: int, at: complex) -> str:
    is_total = text.startswith("total ")
    colour = "" if is_total else route_colour(index)
    mark = "" if is_total else box(at, LETTER_SIZE, LETTER_SIZE, fill=colour, stroke=INK, stroke_width=0.5)
    return mark + lettering(at + LETTER_SIZE, text, LETTER_SIZE, anchor="start", bold=is_total)
