"""Best runs on the map, with their legend."""

from services.drawing.colours import route_colour
from services.drawing.legend import BEST_HEADING
from services.drawing.routes import BestRuns, best_lines
from services.rules.parts.trains.state import Run
from tests.drawing.games import drawn_board, in_the_middle, of_class, parsed, texts

FIRST = Run("3-0", ("B9.0", "B13.1"), ("B13/2+B11/0+B9/1",), ("B9", "B11", "B13"), 30, 0)
SECOND = Run("1g-0", ("C6.0", "B9.0"), ("B9/0+C8/0+C6/0",), ("C6", "C8", "B9"), 20, 40)
BEST = (
    BestRuns("BK", ("3-0", "3-1", "1g-0"), (FIRST, SECOND), True, 50),
    BestRuns("MS", ("4-0",), (), False, 170),
)


def test_best_runs_take_the_place_of_the_last_ones() -> None:
    """The lines are those of the best runs, and the last runs keep their figures without lines."""
    data, game = in_the_middle()
    drawn = parsed(drawn_board(data, game, best=BEST[:1]))
    (line,) = [mark for mark in of_class(drawn, "route") if "3-0" in (mark[0].text or "")]
    assert line.get("stroke") == route_colour(0)
    assert sum(words == "3: 30" for words in texts(drawn)) == 2
    swatches = [
        each for each in drawn.iter() if each.get("fill") == route_colour(1) and each.get("height") == "7"
    ]
    assert len(swatches) == 1


def test_the_legend_tells_every_train() -> None:
    """Company, train, revenue, income and stops of each; the whole of a company with its proof or its bound."""
    data, game = in_the_middle()
    words = texts(parsed(drawn_board(data, game, best=BEST)))
    begin = words.index(BEST_HEADING)
    rows = words[begin : words.index("phase", begin)]
    assert rows[rows.index("3") : rows.index("3") + 5] == ["3", "30", "50 + 40", "proven", "B9 - B13"]
    assert rows[rows.index("1g") : rows.index("1g") + 4] == ["1g", "20", "40", "C6 - B9"]
    assert rows[rows.index("4") : rows.index("4") + 4] == ["4", "0", "not proven: at most 170", "no run"]
    assert rows.count("no run") == 2
    assert BEST_HEADING not in texts(parsed(drawn_board(data, game)))


def test_nothing_to_run_leaves_an_empty_legend() -> None:
    """Without trains the map has no lines and the legend only its headings."""
    data, game = in_the_middle()
    drawn = parsed(drawn_board(data, game, best=()))
    assert of_class(drawn, "route") == []
    assert BEST_HEADING in texts(drawn)


def test_many_trains_have_different_colours() -> None:
    """Sixty lines, more than any board has trains, are all of different colours."""
    lines = best_lines([BestRuns("BK", (), (FIRST,) * 60, True, 0)])
    assert len({line.colour for line in lines}) == 60
