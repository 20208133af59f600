"""Runs over the track."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from services.drawing.geometry import HEX_SIZE, hex_centre
from services.drawing.holdings import in_play
from services.drawing.routes import LINE_GAP, LINE_WIDTH, route_marks, train_lines
from services.drawing.scene import scenes_of
from tests.drawing.games import RECORDED, in_the_middle, recorded

POINT = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def points_of(mark: str) -> list[complex]:
    """The points of a line's path."""
    data = re.search(r' d="([^"]*)"', mark)
    assert data is not None
    return [complex(float(x), float(y)) for x, y in POINT.findall(data.group(1))]


def test_a_line_leads_from_stop_to_stop() -> None:
    """A run's line begins at its first stop and ends at its last, over the hexes between."""
    data, game = in_the_middle()
    lines = train_lines(game, ["BK"])[:1]
    (mark,) = [
        each for each in route_marks(data, game, scenes_of(data, game), lines) if 'class="route"' in each
    ]
    points = points_of(mark)
    assert abs(points[0] - hex_centre("B9", "pointed")) < 1
    assert abs(points[-1] - hex_centre("B13", "pointed")) < HEX_SIZE / 2
    assert any(abs(point - hex_centre("B11", "pointed")) < HEX_SIZE for point in points)


def test_trains_on_the_same_track_run_side_by_side() -> None:
    """Lines of two trains over one edge keep clear of each other all the way."""
    data, game = in_the_middle()
    marks = route_marks(data, game, scenes_of(data, game), train_lines(game, ["BK"]))
    first, second = (points_of(mark) for mark in marks if 'class="route"' in mark)
    gaps = [abs(one - other) for one, other in zip(first, second, strict=True)]
    assert all(LINE_WIDTH <= gap < LINE_GAP + 0.1 for gap in gaps)


def test_each_train_has_its_colour() -> None:
    """Two trains of one company have lines of different colours."""
    _, game = in_the_middle()
    first, second = train_lines(game, ["BK"])
    assert first.colour != second.colour


@pytest.mark.parametrize("quarter", [2, 3, 4])
@pytest.mark.parametrize("name", RECORDED)
def test_runs_are_found_on_later_track(shared: Path, name: str, quarter: int) -> None:
    """Runs of recorded games are drawn over today's track, also where it was upgraded since: lines never jump."""
    data, game = recorded(shared, name, quarter)
    lines = train_lines(game, in_play(data, game))
    marks = route_marks(data, game, scenes_of(data, game), lines)
    drawn = [mark for mark in marks if 'class="route"' in mark]
    assert lines
    assert len(drawn) == len(lines)
    for mark in drawn:
        points = points_of(mark)
        assert max(abs(one - other) for one, other in pairwise(points)) < HEX_SIZE / 2
