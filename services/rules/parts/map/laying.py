"""From a command to lay a tile to the facts it leads to: the part that titles share."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, face
from services.rules.parts.map.boardview import BoardView, follow_lay, view_of
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.events import TileLaid, TokensArranged
from services.rules.parts.map.foundsofar import FoundSoFar
from services.rules.parts.map.state import CityTokens, map_of
from services.rules.parts.map.tilelay import (
    AllowedLay,
    Position,
    TileLay,
    TileRejection,
    UpgradeConnection,
    check_tile,
    legal_tiles,
)
from services.rules.parts.trains.state import phase_of

TILE_REASONS = {
    "hex_unknown": "unknown_hex",
    "tile_unknown": "unknown_tile",
    "rotation_unknown": "value_out_of_range",
    "hex_fixed": "tile_fixed",
    "colour_not_in_phase": "tile_colour",
    "colour_step": "tile_colour",
    "label": "tile_label",
    "plain_hex_needs_plain_tile": "tile_kind",
    "towns_differ": "tile_kind",
    "cities_differ": "tile_kind",
    "tile_used_up": "tile_exhausted",
    "copy_not_free": "tile_exhausted",
    "track_not_kept": "tile_drops_track",
    "runs_off_the_map": "tile_off_map",
    "runs_into_closed_side": "tile_off_map",
    "not_connected": "tile_not_connected",
    "upgrade_not_connected": "tile_not_connected",
    "no_new_track_or_value": "tile_not_connected",
}


def position_of(
    game: Game, data: TitleData, upgrade_connection: UpgradeConnection, may_keep_colour: bool = False
) -> Position:
    """The map as the company at turn finds it."""
    view, company = view_of(data, game), game.actor
    return Position(
        title=data,
        tiles=view.tiles,
        tokens=view.tokens,
        track=view.track,
        company=company,
        phase=phase_of(game),
        found=view.reach(company),
        upgrade_connection=upgrade_connection,
        may_keep_colour=may_keep_colour,
    )


def lay_of(command: LayTile) -> TileLay:
    """The lay that a command names; copy -1 stands for the lowest free piece."""
    return TileLay(command.hex, command.tile, command.rotation, command.copy if command.copy >= 0 else None)


def allowed_lay(view: BoardView, position: Position, lay: TileLay) -> AllowedLay:
    """What the lay does; raises `Rejected` when a check fails. Worked out once for a state of the map."""
    outcome = view.once(("lay", *_key(position), lay), lambda: check_tile(position, lay))
    if isinstance(outcome, TileRejection):
        raise Rejected(TILE_REASONS[outcome.reason.value], outcome.clause, outcome.sentence)
    return outcome


def legal_lays(
    view: BoardView, position: Position, hexes: tuple[str, ...] | None = None
) -> Iterator[TileLay]:
    """Every lay that `allowed_lay` allows, on these hexes, else on those the company reaches. Looked for once in a state of
    the map, and only as far as anybody asks."""

    def search() -> Iterator[TileLay]:
        for lay, outcome in legal_tiles(position, hexes):
            view.keep(("lay", *_key(position), lay), outcome)
            yield lay

    return iter(view.once(("lays", *_key(position), hexes), lambda: FoundSoFar(search)))


def _key(position: Position) -> tuple[Hashable, ...]:
    """What an answer about lays depends on beside the map and its tokens."""
    return (
        position.company,
        position.phase,
        position.upgrade_connection,
        position.anywhere,
        position.may_keep_colour,
    )


def record_lay(draft: Draft, data: TitleData, company: str, hex_id: str, outcome: AllowedLay) -> None:
    """Record the tile, and the tokens of its hex where it moves them."""
    before, laid = map_of(draft.game).tiles, outcome.laid
    upgrade = bool(face(data, before, hex_id).paths)
    arranged = {city: slots for city, slots in map_of(draft.game).tokens.items() if city[0] == hex_id}
    new = {city: slots for city, slots in outcome.tokens.items() if city[0] == hex_id}
    record_tile(draft, data, company, hex_id, laid, upgrade)
    if new != arranged:
        cities = tuple(CityTokens(city, slots) for (_, city), slots in new.items())
        draft.emit(TokensArranged(hex_id, cities))


def record_tile(
    draft: Draft, data: TitleData, company: str, hex_id: str, laid: LaidTile, upgrade: bool
) -> None:
    """Record the tile alone."""
    before = map_of(draft.game).tiles
    draft.emit(TileLaid(company, hex_id, laid.tile, laid.rotation, laid.copy, upgrade))
    follow_lay(data, before, hex_id, laid, map_of(draft.game).tiles)
