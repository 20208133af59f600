"""Which line on the map is which train's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.drawing.marks import token
from services.drawing.panel import Column, Drawn, Panel, Row, table
from services.drawing.routes import BestRuns, TrainLine, run_in_words
from services.drawing.svg import INK, box, group
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import Presentation
from services.rules.parts.shares.data import cards_of

BEST_COLUMNS = (
    Column("", 34),
    Column("company", 250),
    Column("line", 50),
    Column("train", 60),
    Column("revenue", 70, right=True),
    Column("to treasury", 90, right=True),
    Column("company in all", 130, right=True),
    Column("", 190),
)
BEST_HEADING = "Best runs on this map"
LEAST_STOPS_WIDTH = 300.0


def swatch(line: TrainLine, at: complex) -> str:
    """A piece of a train's line, with its run in words."""
    return group([box(at, 20, 7, fill=line.colour, stroke=INK, stroke_width=1)], run_in_words(line))


def best_panel(
    words: Presentation,
    data: TitleData,
    game: Game,
    best: Sequence[BestRuns],
    lines: Sequence[TrainLine],
    width: float,
) -> Panel:
    """A row for every train: its line, what it earns and where it runs; with the first of a company, what all earn and
    whether that is proven."""
    fixed = sum(column.width for column in BEST_COLUMNS)
    columns = (*BEST_COLUMNS, Column("stops", max(width - fixed, LEAST_STOPS_WIDTH)))
    rows = [row for each in best for row in _rows(words, data, game, each, lines)]
    return table(BEST_HEADING, columns, rows)


def _rows(
    words: Presentation, data: TitleData, game: Game, best: BestRuns, lines: Sequence[TrainLine]
) -> Iterator[Row]:
    by_train = {line.run.train: line for line in lines if line.company == best.company}
    for number, train in enumerate(best.trains):
        first = number == 0
        company = (Drawn(token(data, best.company, 12 + 0j, 10)), cards_of(data)[best.company].name)
        total = (_all_earn(best), _proof(best))
        yield Row(
            (
                *(company if first else ("", "")),
                *_run_cells(words.train_name(data, game, train), by_train.get(train)),
                *(total if first else ("", "")),
                _stops(by_train.get(train)),
            )
        )


def _run_cells(name: str, line: TrainLine | None) -> tuple[str | Drawn, ...]:
    if line is None:
        return ("", name, "", "")
    income = line.run.treasury_income
    mark = Drawn(swatch(line, 12 + 0j))
    return (mark, name, str(line.run.revenue), str(income) if income else "")


def _all_earn(best: BestRuns) -> str:
    revenue = sum(run.revenue for run in best.runs)
    income = sum(run.treasury_income for run in best.runs)
    return f"{revenue} + {income}" if income else str(revenue)


def _proof(best: BestRuns) -> str:
    return "proven" if best.proven else f"not proven: at most {best.upper_bound}"


def _stops(line: TrainLine | None) -> str:
    if line is None:
        return "no run"
    return " - ".join(stop.split(".")[0] for stop in line.run.stops)
