"""The whole picture: heading, map, share prices, phases, trains, companies and players, as far as the title has them."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from services.drawing.chart import price_chart
from services.drawing.colours import PAPER, ground
from services.drawing.geometry import corners, hex_centre
from services.drawing.holdings import company_panel, in_play, player_panel
from services.drawing.labels import labels_of
from services.drawing.legend import best_panel
from services.drawing.lettering import shortened
from services.drawing.marks import stop_marks
from services.drawing.owntables import own_table
from services.drawing.panel import Panel, shelves, stacked
from services.drawing.routes import BestRuns, TrainLine, best_lines, route_marks, train_lines
from services.drawing.scene import HexScene, scenes_of
from services.drawing.sides import KEY_HEIGHT, kinds_of_sides, side_key, side_lines
from services.drawing.sketch import sketch_panel
from services.drawing.supply import depot_panel, phase_panel, tile_panel
from services.drawing.svg import FONT, INK, element, group, lettering, line_through, titled
from services.drawing.trackdrawing import track_marks
from services.drawing.wording import describe_hex, describe_state, headline
from services.rules.kernel.game import Game
from services.rules.kernel.presentation import Presentation
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import has_map, map_data
from services.rules.parts.map.hexes import EDGES, neighbour
from services.rules.parts.market.data import has_market
from services.rules.parts.trains.data import has_trains, phases_of
from services.rules.parts.trains.state import phase_of

MARGIN = 24.0
GAP = 28.0
HEAD_HEIGHT = 64.0
LINE_SIZE = 15.0
LEAST_WIDTH = 1320.0
DEPOT_WIDTH = 520.0
EDGE_WIDTH = 1.2
BARRIER = "#d0021b"
BARRIER_WIDTH = 5.0
NAME_OF_SVG = "http://www.w3.org/2000/svg"


def draw_board(
    words: Presentation,
    data: TitleData,
    game: Game,
    run_of: Sequence[str] | None = None,
    best: Sequence[BestRuns] | None = None,
) -> str:
    """A game as an SVG document: the same state always gives the same text.

    `words`: how the title is shown to people. `run_of` names the companies whose last runs are drawn over the track; None
    draws those of all in play. `best` are best runs to draw instead, with a legend."""
    companies = in_play(data, game) if run_of is None else run_of
    lines = train_lines(game, companies) if best is None else best_lines(best)
    last_lines = lines if best is None else []
    board = [_map_panel(words, data, game, lines)] if has_map(data) else []
    board += [sketch_panel(words.sketch(data, game))] if words.sketch else []
    width = max([LEAST_WIDTH, *(panel.width for panel in board)])
    legend = [] if best is None else [best_panel(words, data, game, best, lines, width)]
    panels = [
        *board,
        *legend,
        *([price_chart(words, data, game)] if has_market(data) else []),
        *(own_table(data, shown) for shown in words.tables(data, game)),
        *_supply_panels(words, data, game),
        company_panel(words, data, game, last_lines, width),
        *([depot_panel(words, data, game)] if has_trains(data) else []),
        player_panel(words, data, game, width - (DEPOT_WIDTH + GAP if has_trains(data) else 0)),
    ]
    placed, height = shelves(panels, width, GAP)
    body = [_head(words, data, game, width)] + [
        group([panel.drawn], at=at + complex(MARGIN, MARGIN + HEAD_HEIGHT)) for at, panel in placed
    ]
    return _document(words, data, game, width + 2 * MARGIN, height + 2 * MARGIN + HEAD_HEIGHT, body)


def _supply_panels(words: Presentation, data: TitleData, game: Game) -> list[Panel]:
    """Phases, and the tiles that are left, of a title that has them."""
    panels = [phase_panel(words, data, game)] if has_trains(data) else []
    if has_trains(data) and has_map(data):
        panels.append(tile_panel(data, game))
    return [stacked(panels, GAP)] if panels else []


def _head(words: Presentation, data: TitleData, game: Game, width: float) -> str:
    at = complex(MARGIN, MARGIN + 12)
    layout = f" ({data.header.layout})" if data.header.layout else ""
    name = f"{data.header.title} {data.header.name}{layout}"
    parts = [lettering(at, name, 22, anchor="start", bold=True)]
    line = headline(words, data, game)
    short = shortened(line, LINE_SIZE, width)
    state = lettering(at + 28j, short, LINE_SIZE, anchor="start")
    parts.append(state if short == line else group([state], line))
    return "".join(parts)


def _document(
    words: Presentation, data: TitleData, game: Game, width: float, height: float, body: list[str]
) -> str:
    title = element("title", escape(f"{data.header.title}: board"), id="board-title")
    description = element("desc", escape(describe_state(words, data, game)), id="board-description")
    paper = element("rect", width=width, height=height, fill=PAPER)
    return element(
        "svg",
        title + description + paper + "\n" + "\n".join(body) + "\n",
        xmlns=NAME_OF_SVG,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width),
        height=round(height),
        role="img",
        aria_labelledby="board-title board-description",
        font_family=FONT,
        fill=INK,
    )


def _map_panel(words: Presentation, data: TitleData, game: Game, lines: Sequence[TrainLine]) -> Panel:
    orientation = map_data(data).figures.orientation
    centres = {hex_id: hex_centre(hex_id, orientation) for hex_id in sorted(map_data(data).hexes)}
    shape = corners(orientation)
    left = min(point.real for point in centres.values()) + min(corner.real for corner in shape)
    top = min(point.imag for point in centres.values()) + min(corner.imag for corner in shape)
    right = max(point.real for point in centres.values()) + max(corner.real for corner in shape)
    bottom = max(point.imag for point in centres.values()) + max(corner.imag for corner in shape)
    scenes = scenes_of(data, game)
    layers = group(_layers(words, data, game, scenes, centres, lines), at=-complex(left, top))
    if not kinds_of_sides(data):
        return Panel(right - left, bottom - top, layers)
    key = side_key(words, data, complex(0, bottom - top + KEY_HEIGHT / 2))
    return Panel(right - left, bottom - top + KEY_HEIGHT, layers + key)


def _layers(
    words: Presentation,
    data: TitleData,
    game: Game,
    scenes: dict[str, HexScene],
    centres: dict[str, complex],
    lines: Sequence[TrainLine],
) -> list[str]:
    """From the ground up: hexes, track, runs, stops, words."""
    phase = phases_of(data)[phase_of(game)]
    hexes, tracks, stops, labels = [], [], [], []
    signs = words.place_marks(data)
    for hex_id, scene in scenes.items():
        at = centres[hex_id]
        hexes.append(_ground(data, game, scene, at))
        tracks.append(group(track_marks(scene, map_data(data).figures.orientation), at=at))
        stops.append(group(stop_marks(data, scene), at=at))
        written = labels_of(data, scene, phase, signs.get(hex_id, ()))
        labels.append(group([label.drawn for label in written], at=at))
    edges = element(
        "path",
        d="".join(_edges(data, scene, centres[hex_id]) for hex_id, scene in scenes.items()),
        fill="none",
        stroke="#6b6b6b",
        stroke_width=EDGE_WIDTH,
    )
    sides = side_lines(words, data, centres)
    layers = {"hexes": [*hexes, edges, *sides, *_barriers(data, centres)], "tracks": tracks}
    layers |= {"routes": route_marks(data, game, scenes, lines), "stops": stops, "words": labels}
    return [group(content, class_=name) + "\n" for name, content in layers.items()]


def _ground(data: TitleData, game: Game, scene: HexScene, at: complex) -> str:
    shape = line_through([at + corner for corner in corners(map_data(data).figures.orientation)], closed=True)
    name = titled(describe_hex(data, game, scene))
    return element("path", name, class_=f"hex {scene.face.colour}", d=shape, fill=ground(scene.face.colour))


def _barriers(data: TitleData, centres: dict[str, complex]) -> list[str]:
    """The sides between two hexes of the map that no track can ever pass."""
    orientation = map_data(data).figures.orientation
    shape = corners(orientation)
    sides = "".join(
        line_through([centres[hex_id] + shape[edge], centres[hex_id] + shape[(edge + 1) % 6]])
        for hex_id in centres
        for edge in EDGES
        if map_data(data).neighbours[hex_id][edge] is None
        and neighbour(hex_id, edge, orientation) in map_data(data).hexes
    )
    if not sides:
        return []
    barrier = element(
        "path",
        titled("no track can pass here"),
        class_="barrier",
        d=sides,
        fill="none",
        stroke=BARRIER,
        stroke_width=BARRIER_WIDTH,
        stroke_linecap="round",
    )
    return [barrier]


def _edges(data: TitleData, scene: HexScene, at: complex) -> str:
    """The sides of a hex, without those that the title leaves open; edge `k` joins the corners `k` and `k + 1`."""
    shape = corners(map_data(data).figures.orientation)
    return "".join(
        line_through([at + shape[edge], at + shape[(edge + 1) % 6]])
        for edge in range(6)
        if edge not in scene.printed.draw.open_edges
    )
