"""A route problem as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import msgspec

from services.drawing.colours import route_colour
from services.drawing.problem import CITY_RADIUS, draw_problem
from services.routing.domain.solver import solve
from services.routing.json_form import problem_from_json
from tests.conftest import REPOSITORY
from tests.routing.boards import HARD_VARIANTS, hard_board
from tests.routing.joint_boards import random_network

EXAMPLES = REPOSITORY / "docs" / "examples" / "routes"
CIRCLE = re.compile(r'<circle cx="([0-9.]+)" cy="([0-9.]+)"')


def test_every_stop_and_run_is_drawn() -> None:
    """For every example: a shape for each stop and piece of track, a line for each piece of a run or direct route, a row
    for each of them."""
    for path in sorted(EXAMPLES.glob("*.json")):
        if path.name.endswith(".expected.json"):
            continue
        problem = problem_from_json(path.read_bytes())
        solution = solve(problem)
        picture = draw_problem(problem, solution)
        titles = [each.text for each in ElementTree.fromstring(picture).iter() if each.tag.endswith("title")]
        direct = [route.segments for goal in solution.goals for route in goal.routes]
        lines = [run.segments for run in solution.runs] + direct
        steps = sum(map(len, lines))
        assert len(titles) == len(problem.stops) + len(problem.segments) + steps, path.name
        for number, segments in enumerate(lines):
            assert picture.count(route_colour(number)) == len(segments) + 1, path.name


def test_stops_do_not_cover_each_other() -> None:
    """On a board of 45 stops without positions no two cities are nearer than they are wide."""
    picture = draw_problem(hard_board(1, (), HARD_VARIANTS["dense"]))
    centres = [complex(float(x), float(y)) for x, y in CIRCLE.findall(picture)]
    assert len(centres) > 30
    nearest = min(abs(one - other) for number, one in enumerate(centres) for other in centres[:number])
    assert nearest > 2 * CITY_RADIUS


def test_the_picture_depends_on_the_problem_alone() -> None:
    """The order of stops and track changes nothing; with positions those are used."""
    for problem in (hard_board(2, (), HARD_VARIANTS["dense"]), random_network(3, "freight")):
        turned = msgspec.structs.replace(problem, stops=problem.stops[::-1], segments=problem.segments[::-1])
        assert draw_problem(turned) == draw_problem(problem)
