"""Games to draw: one just begun, one made by hand in its middle, and recorded ones at some stage."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from msgspec.structs import replace

from services.drawing.board import draw_board
from services.drawing.routes import BestRuns
from services.rules.importer.files import read_record
from services.rules.importer.reduce import reduce_steps
from services.rules.importer.replay import play
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, create
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.state import MapState
from services.rules.parts.market.state import MarketState
from services.rules.parts.presentation import presentation_of
from services.rules.parts.shares.state import Company, SharesState
from services.rules.parts.trains.state import Run, TrainsState
from services.rules.titles import TITLES
from tests.rules.board.boards import laid

SVG = "{http://www.w3.org/2000/svg}"
RECORDED = ("1824_game_end_reason_bank", "p3-s201", "p4-s138", "p5-s207")


def drawn_board(
    data: TitleData,
    game: Game,
    run_of: Sequence[str] | None = None,
    best: Sequence[BestRuns] | None = None,
) -> str:
    """The picture of a game, in the way of its title."""
    return draw_board(presentation_of(TITLES[game.title]), data, game, run_of, best)


def begun(*options: str) -> tuple[TitleData, Game]:
    """1824 for three players before the first turn."""
    title = TITLES["1824"]
    outcome = create(title, CreateGame("1824", ("ann", "bob", "cleo"), options))
    assert isinstance(outcome, Accepted)
    return title.data_of(outcome.game), outcome.game


def in_the_middle() -> tuple[TitleData, Game]:
    """1824 with track from Prag to the towns of B13 and both of BK's trains on it, MS in Brünn, a closed mine."""
    data, game = begun()
    board = MapState.to_write(game)
    board.tiles = laid("B9:57/1 B11:9/1 B13:55/0 C12:14/0 E12:491/0")
    board.tokens = {("B9", 0): ("BK",), ("C12", 0): ("", "MS"), ("C6", 0): ("B",)}
    board.unplaced |= {"BK": (40, 100), "MS": (40, 100)}
    run = Run("3-0", ("B9.0", "B13.1"), ("B13/2+B11/0+B9/1",), ("B9", "B11", "B13"), 30, 0)
    trains = TrainsState.to_write(game)
    trains.phase = "4"
    trains.last_runs = {"BK": (run, replace(run, train="3-1"))}
    trains.owned = {"BK": ("3-0", "3-1")}
    market = MarketState.to_write(game)
    market.cells = {(2, 2): ("BK", "MS"), (0, 2): ("SD", "UG", "KK", "SB")}
    market.markers = {symbol: cell for cell, symbols in market.cells.items() for symbol in symbols}
    companies = SharesState.to_write(game).companies
    for symbol in ("BK", "MS"):
        companies[symbol] = Company(opened=True, director="ann", shares=10, par=100)
    companies["EPP"] = Company(closed=True)
    return data, game


@lru_cache(maxsize=32)
def recorded(shared: Path, name: str, quarter: int) -> tuple[TitleData, Game]:
    """A recorded game of 1824 after so many quarters of its actions."""
    record = read_record(shared / "fixtures" / "18xx.games" / "1824" / f"{name}.json.gz")
    steps = reduce_steps(record.steps)
    wanted = replace(record, steps=tuple(steps[: len(steps) * quarter // 4]))
    replay = play(wanted, TITLES["1824"], time.perf_counter)
    assert replay.refusal is None
    return replay.data, replay.game


def parsed(drawn: str) -> ElementTree.Element:
    """The root of an SVG document."""
    return ElementTree.fromstring(drawn)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """All elements that bear this class among others."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(root: ElementTree.Element) -> list[str]:
    """All text in the order in which it is drawn."""
    return [element.text or "" for element in root.iter(SVG + "text")]
