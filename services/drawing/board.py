"""The whole picture: heading, map, share prices, phases, trains, companies and players, as far as the title has them."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from services.drawing.chart import price_chart
from services.drawing.colours import PAPER
from services.drawing.holdings import company_panel, in_play, player_panel
from services.drawing.legend import best_panel
from services.drawing.lettering import shortened
from services.drawing.mapdrawing import map_panel
from services.drawing.owntables import own_table
from services.drawing.panel import Panel, shelves, stacked
from services.drawing.picture import Fragment, Part, Picture, grouped, text_of
from services.drawing.routes import BestRuns, best_lines, train_lines
from services.drawing.sketch import sketch_panel
from services.drawing.supply import depot_panel, phase_panel, tile_panel
from services.drawing.svg import element, group, lettering
from services.drawing.wording import describe_state, headline
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import has_map
from services.rules.parts.market.data import has_market
from services.rules.parts.presentation import Presentation
from services.rules.parts.trains.data import has_trains

MARGIN = 24.0
GAP = 28.0
HEAD_HEIGHT = 64.0
LINE_SIZE = 15.0
LEAST_WIDTH = 1320.0
DEPOT_WIDTH = 520.0


def draw_board(
    words: Presentation,
    data: TitleData,
    game: Game,
    run_of: Sequence[str] | None = None,
    best: Sequence[BestRuns] | None = None,
) -> str:
    """A game as an SVG document; see `picture_of`."""
    return picture_of(words, data, game, run_of, best).document()


def picture_of(
    words: Presentation,
    data: TitleData,
    game: Game,
    run_of: Sequence[str] | None = None,
    best: Sequence[BestRuns] | None = None,
) -> Picture:
    """The picture of a game: the same state always gives the same one.

    `words`: how the title is shown to people. `run_of` names the companies whose last runs are drawn over the track; None
    draws those of all in play. `best` are best runs to draw instead, with a legend."""
    panels, width = _panels(words, data, game, run_of, best)
    placed, height = shelves(panels, width, GAP)
    width, height = width + 2 * MARGIN, height + 2 * MARGIN + HEAD_HEIGHT
    description = element("desc", escape(describe_state(words, data, game)), id="board-description")
    paper = element("rect", id="board-paper", width=width, height=height, fill=PAPER)
    parts: list[Part] = [
        Fragment("board-description", description),
        Fragment("board-paper", paper),
        "\n",
        *_head(words, data, game, width - 2 * MARGIN),
        "\n",
    ]
    for at, name, panel in placed:
        parts += [*_placed(f"panel-{name}", panel, at + complex(MARGIN, MARGIN + HEAD_HEIGHT)), "\n"]
    return Picture(f"{data.header.title}: board", width, height, tuple(parts))


def _panels(
    words: Presentation,
    data: TitleData,
    game: Game,
    run_of: Sequence[str] | None,
    best: Sequence[BestRuns] | None,
) -> tuple[dict[str, Panel], float]:
    """All panels by name, and how much width they have."""
    lines = train_lines(game, in_play(data, game) if run_of is None else run_of)
    last_lines = lines
    if best is not None:
        lines, last_lines = best_lines(best), []
    panels = {"map": map_panel(words, data, game, lines)} if has_map(data) else {}
    if words.sketch:
        panels["sketch"] = sketch_panel(words.sketch(data, game))
    width = max([LEAST_WIDTH, *(panel.width for panel in panels.values())])
    if best is not None:
        panels["best"] = best_panel(words, data, game, best, lines, width)
    if has_market(data):
        panels["market"] = price_chart(words, data, game)
    own = enumerate(words.tables(data, game))
    panels |= {f"table-{number}": own_table(data, shown) for number, shown in own}
    panels |= _supply_panels(words, data, game)
    panels["companies"] = company_panel(words, data, game, last_lines, width)
    beside = 0.0
    if has_trains(data):
        panels["trains"] = depot_panel(words, data, game)
        beside = DEPOT_WIDTH + GAP
    panels["players"] = player_panel(words, data, game, width - beside)
    return panels, width


def _supply_panels(words: Presentation, data: TitleData, game: Game) -> dict[str, Panel]:
    """Phases, and the tiles that are left, of a title that has them."""
    panels = [phase_panel(words, data, game)] if has_trains(data) else []
    if has_trains(data) and has_map(data):
        panels.append(tile_panel(data, game))
    return {"supply": stacked(panels, GAP)} if panels else {}


def _placed(name: str, panel: Panel, at: complex) -> tuple[Part, ...]:
    """A panel at its place: one fragment, unless it consists of fragments."""
    parts = grouped(panel.parts, at=at, id=name)
    if any(isinstance(part, Fragment) for part in panel.parts):
        return parts
    return (Fragment(name, text_of(parts)),)


def _head(words: Presentation, data: TitleData, game: Game, room: float) -> tuple[Part, ...]:
    at = complex(MARGIN, MARGIN + 12)
    layout = f" ({data.header.layout})" if data.header.layout else ""
    name = f"{data.header.title} {data.header.name}{layout}"
    line = headline(words, data, game)
    return lettering(at, name, 22, anchor="start", bold=True), _headline(at + 28j, line, room)


def _headline(at: complex, line: str, room: float) -> Fragment:
    """The line of the status of the game. One that has no room is named in full for pointers."""
    id_, short = "board-headline", shortened(line, LINE_SIZE, room)
    if short == line:
        return Fragment(id_, lettering(at, line, LINE_SIZE, anchor="start", id_=id_))
    return Fragment(id_, group([lettering(at, short, LINE_SIZE, anchor="start")], line, id=id_))
