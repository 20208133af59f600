"""What the bank offers and when the game changes: trains in the depot and the table of phases."""

from __future__ import annotations

from collections import Counter

from services.drawing.colours import ground
from services.drawing.lettering import width_of
from services.drawing.panel import TEXT_SIZE, Column, Drawn, Panel, Row, table
from services.drawing.svg import INK, box
from services.rules.domain.board import base_of
from services.rules.domain.depot import kind_name, on_sale
from services.rules.domain.game import Game
from services.rules.domain.titledata import Phase, TitleData, TrainKind

DEPOT_COLUMNS = (
    Column("train", 60),
    Column("stops", 50, right=True),
    Column("price", 55, right=True),
    Column("trade-in", 110),
    Column("left", 45, right=True),
    Column("removed by", 120),
    Column("", 80),
)
DEPOT_COLUMNS_WITH_FACES = (
    DEPOT_COLUMNS[0],
    Column("runs as", 140),
    DEPOT_COLUMNS[2],
    Column("", 20),
    *DEPOT_COLUMNS[4:],
)
PHASE_COLUMNS = (
    Column("phase", 50),
    Column("printed", 60),
    Column("tiles", 90),
    Column("operating rounds", 115, right=True),
    Column("train limits", 290),
)
TILE_COLUMNS = (Column("colour", 80), Column("number of the tile (pieces left)", 526))


def depot_panel(data: TitleData, game: Game) -> Panel:
    """All kinds of trains: prices, how many are left, what is on sale now."""
    offered = {kind_name(train) for train in on_sale(game, data)}
    rows = [_train_row(kind, game, name in offered) for name, kind in data.trains.items()]
    with_faces = any(kind.faces for kind in data.trains.values())
    return table("Trains", DEPOT_COLUMNS_WITH_FACES if with_faces else DEPOT_COLUMNS, rows)


def _train_row(kind: TrainKind, game: Game, offered: bool) -> Row:
    left = kind.count - game.depot_gone.get(kind.name, 0)
    gone = kind.count > 0 and left <= 0
    faces = " ".join(face.name for face in kind.faces.values())
    trade_in = f"{kind.trade_in.price} for a {kind.trade_in.train}" if kind.trade_in else ""
    cells = (
        kind.name,
        faces or str(kind.stops),
        str(kind.price),
        trade_in,
        "∞" if kind.count == 0 else str(left),
        ", ".join(kind.removed_by),
        "on sale" if offered else "",
    )
    return Row(cells, marked=offered, faint=gone)


def phase_panel(data: TitleData, game: Game) -> Panel:
    """All phases, the present one marked."""
    rows = [_phase_row(phase, phase.name == game.phase) for phase in data.phases.values()]
    return table("Phases", PHASE_COLUMNS, rows)


def _phase_row(phase: Phase, present: bool) -> Row:
    swatches = "".join(
        box(complex(10 + 20 * number, 0), 16, 12, fill=ground(colour), stroke=INK, stroke_width=0.6)
        for number, colour in enumerate(phase.tiles)
    )
    each = " of each kind of train" if phase.limit_of_each_kind else ""
    limits = ", ".join(f"{kind.replace('_', '-')} {limit}{each}" for kind, limit in phase.train_limit.items())
    printed = phase.printed if phase.printed != phase.name else ""
    return Row((phase.name, printed, Drawn(swatches), str(phase.operating_rounds), limits), marked=present)


def tile_panel(data: TitleData, game: Game) -> Panel:
    """The tiles that are not on the map, those of colours not yet in use faint."""
    in_use = data.phases[game.phase].tiles
    on_map = Counter(base_of(data, laid.tile) for laid in game.tiles.values())
    rows = []
    for colour in data.figures.tile_colours:
        words = [
            f"{tile.id} ({left})"
            for tile in data.tiles.values()
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
