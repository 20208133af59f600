"""One hex of a game: its face, its layout and the tokens in its spaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from services.drawing.facelayout import FaceLayout, layout_face
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, face
from services.rules.parts.map.boardview import has_token, home_city
from services.rules.parts.map.data import Hex, map_data
from services.rules.parts.map.state import map_of
from services.rules.parts.map.tiles import Face, Stop
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import companies_of

WITH_TOKENS = frozenset(("city", "mine"))
# A scene takes about 3 KB.
SCENES_KEPT = 4_096


class Slot(NamedTuple):
    """A token space: the symbol of the token in it, or of the company it is kept for; both empty when free."""

    token: str = ""
    kept_for: str = ""


class HexContent(NamedTuple):
    """All that decides how a hex of a title looks, whatever the game: its tile, its token spaces by stop, and the companies
    still to come for which no space is left."""

    hex: str
    laid: LaidTile | None
    slots: tuple[tuple[int, tuple[Slot, ...]], ...]
    homes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HexScene:
    """A hex to draw. `slots` by stop; `homes` are companies still to come for which no space is left."""

    printed: Hex
    laid: LaidTile | None
    face: Face
    layout: FaceLayout
    slots: dict[int, tuple[Slot, ...]]
    homes: tuple[str, ...]


def scenes_of(data: TitleData, game: Game) -> dict[str, HexScene]:
    """Every hex of the map."""
    return {hex_id: scene_of(data, content) for hex_id, content in contents_of(data, game).items()}


def contents_of(data: TitleData, game: Game) -> dict[str, HexContent]:
    """What lies on every hex of the map."""
    homes = homes_to_come(data, game)
    return {
        hex_id: _content(data, game, hex_id, homes.get(hex_id, ())) for hex_id in sorted(map_data(data).hexes)
    }


def homes_to_come(data: TitleData, game: Game) -> dict[str, tuple[tuple[int, str], ...]]:
    """By hex, the city and symbol of every company in the game whose home token is not there yet."""
    found: dict[str, tuple[tuple[int, str], ...]] = {}
    for symbol, company in cards_of(data).items():
        state = companies_of(game).get(symbol)
        if company.home is None or state is None or state.closed or has_token(map_of(game).tokens, symbol):
            continue
        hex_id = company.home.hex
        city = home_city(data, map_of(game).tiles, hex_id, company.home.stop)
        found[hex_id] = (*found.get(hex_id, ()), (city, symbol))
    return found


def _content(data: TitleData, game: Game, hex_id: str, homes: tuple[tuple[int, str], ...]) -> HexContent:
    slots: list[tuple[int, tuple[Slot, ...]]] = []
    left_over: list[str] = []
    for number, stop in enumerate(face(data, map_of(game).tiles, hex_id).stops):
        if stop.kind in WITH_TOKENS:
            waiting = [symbol for city, symbol in homes if city == number]
            slots.append((number, _slots(stop, map_of(game).tokens.get((hex_id, number), ()), waiting)))
            left_over += waiting
    return HexContent(hex_id, map_of(game).tiles.get(hex_id), tuple(slots), tuple(left_over))


@lru_cache(maxsize=SCENES_KEPT)
def scene_of(data: TitleData, content: HexContent) -> HexScene:
    """A hex with what lies on it."""
    printed = map_data(data).hexes[content.hex]
    tiles = {} if content.laid is None else {content.hex: content.laid}
    shown = face(data, tiles, content.hex)
    return HexScene(
        printed=printed,
        laid=content.laid,
        face=shown,
        layout=layout_face(shown, map_data(data).figures.orientation, printed.draw),
        slots=dict(content.slots),
        homes=content.homes,
    )


def _slots(stop: Stop, tokens: tuple[str, ...], waiting: list[str]) -> tuple[Slot, ...]:
    """The spaces of a stop; companies that find a free one are taken off `waiting`."""
    tokens = tokens or ("",) * max(stop.slots, 1)
    slots = []
    for token in tokens:
        kept_for = waiting.pop(0) if not token and waiting else ""
        slots.append(Slot(token, kept_for))
    return tuple(slots)
