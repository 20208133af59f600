"""What the bank offers and when the game changes: trains in the depot and the table of phases."""

from __future__ import annotations

from collections import Counter

from services.drawing.colours import ground
from services.drawing.lettering import width_of
from services.drawing.panel import TEXT_SIZE, Column, Drawn, Panel, Row, table
from services.drawing.svg import INK, box
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.parts.map.board import base_of
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.presentation import Presentation, TrainTerms
from services.rules.parts.trains.data import Phase, TrainKind, phases_of, train_kinds_of
from services.rules.parts.trains.depot import on_sale
from services.rules.parts.trains.state import phase_of, trains_of

PHASE_COLUMNS = (
    Column("phase", 50),
    Column("printed", 60),
    Column("tiles", 90),
    Column("operating rounds", 115, right=True),
    Column("train limits", 290),
)
TILE_COLUMNS = (Column("colour", 80), Column("number of the tile (pieces left)", 526))


def depot_panel(words: Presentation, data: TitleData, game: Game) -> Panel:
    """All kinds of trains: prices, how many are left, what is on sale now."""
    offered = {kind_name(train) for train in on_sale(game, data)}
    rows = [
        _train_row(words, data, kind, game, name in offered) for name, kind in train_kinds_of(data).items()
    ]
    return table("Trains", _depot_columns(words.train_terms), rows)


def _depot_columns(terms: TrainTerms) -> tuple[Column, ...]:
    """A title without notes on its trains has more room for how far they run."""
    noted = bool(terms.note_heading)
    return (
        Column("train", 60),
        Column(terms.reach_heading, 50 if noted else 140, right=noted),
        Column("price", 55, right=True),
        Column(terms.note_heading, 110 if noted else 20),
        Column("left", 45, right=True),
        Column("removed by", 120),
        Column("", 80),
    )


def _train_row(words: Presentation, data: TitleData, kind: TrainKind, game: Game, offered: bool) -> Row:
    left = kind.count - trains_of(game).depot_gone.get(kind.name, 0)
    gone = kind.count > 0 and left <= 0
    terms = words.train_terms
    cells = (
        kind.name,
        terms.reach(data, kind.name) or str(kind.stops),
        str(kind.price),
        terms.note(data, kind.name),
        "∞" if kind.count == 0 else str(left),
        ", ".join(kind.removed_by),
        "on sale" if offered else "",
    )
    return Row(cells, marked=offered, faint=gone)


def phase_panel(words: Presentation, data: TitleData, game: Game) -> Panel:
    """All phases, the present one marked."""
    rows = [
        _phase_row(words, data, phase, phase.name == phase_of(game)) for phase in phases_of(data).values()
    ]
    return table("Phases", PHASE_COLUMNS, rows)


def _phase_row(words: Presentation, data: TitleData, phase: Phase, present: bool) -> Row:
    swatches = "".join(
        box(complex(10 + 20 * number, 0), 16, 12, fill=ground(colour), stroke=INK, stroke_width=0.6)
        for number, colour in enumerate(phase.tiles)
    )
    each = words.limit_note(data, phase.name)
    limits = ", ".join(f"{kind.replace('_', '-')} {limit}{each}" for kind, limit in phase.train_limit.items())
    printed = phase.printed if phase.printed != phase.name else ""
    return Row((phase.name, printed, Drawn(swatches), str(phase.operating_rounds), limits), marked=present)


def tile_panel(data: TitleData, game: Game) -> Panel:
    """The tiles that are not on the map, those of colours not yet in use faint."""
    in_use = phases_of(data)[phase_of(game)].tiles
    on_map = Counter(base_of(data, laid.tile) for laid in map_of(game).tiles.values())
    rows = []
    for colour in map_data(data).figures.tile_colours:
        words = [
            f"{tile.id} ({left})"
            for tile in map_data(data).tiles.values()
            if not tile.base and tile.face.colour == colour and (left := tile.count - on_map[tile.id]) > 0
        ]
        for number, line in enumerate(_filled(words, TILE_COLUMNS[1].width - 12)):
            rows.append(Row((colour if number == 0 else "", line), faint=colour not in in_use))
    return table("Tiles left", TILE_COLUMNS, rows)


def _filled(words: list[str], room: float) -> list[str]:
    """Lines of words, each as full as there is room."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}, {word}" if lines[-1] else word
        if width_of(longer, TEXT_SIZE) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
