"""Building track in a company's turn of 1862: new tiles, an upgrade, or a small station (7.6)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_unless
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.parts.map.board import face
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.map.tilelay import UpgradeConnection
from services.rules.parts.map.trackstep import LayTerms, lay_action
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.operating.homes import (
    UPGRADE_HOME,
    has_home_token,
    home_place,
    lacks_home,
    settle_home,
)
from services.rules.titles.g1862.operating.smallstations import (
    check_small_station,
    is_small_station,
    lay_tile,
    perform_small_station,
    small_station_choices,
)
from services.rules.titles.g1862.rulings import plays

FIRST_COLOUR = "yellow"
SINGLE_LABEL = "N"


def must_build_at_home(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the first tile on the company's own home hex has to come before all else (1862/7.2-b, 7.2-i)."""
    if not plays(game, "first_building", "at_home"):
        return False
    return home_place(game, data, symbol)[0] not in map_of(game).tiles and has_home_token(game, data, symbol)


def _upgrade_connection(game: Game) -> UpgradeConnection:
    by_station = plays(game, "upgrade_connection", "new_track_or_station")
    return "new_track_or_station" if by_station else "new_track_or_value"


def _has_room(game: Game, data: TitleData) -> bool:
    """Whether something may be built still: after one yellow tile that is not N another (1862/7.6-a, 7.6.2-a)."""
    turn = track_turn(game)
    is_full = len(turn.laid) >= figures_of(data).yellow_tiles_most
    if turn.upgraded or is_full or "small_station" in game.turn.actions:
        return False
    return all(face(data, map_of(game).tiles, hex_id).label != SINGLE_LABEL for hex_id in turn.laid)


def _is_second_tile(data: TitleData, command: LayTile) -> bool:
    shown = map_data(data).tiles[command.tile].face
    return shown.colour == FIRST_COLOUR and shown.label != SINGLE_LABEL


def _clause_of_second(game: Game, data: TitleData, command: LayTile) -> str:
    """The clause that forbids this after what was built already."""
    if map_data(data).tiles[command.tile].face.colour != FIRST_COLOUR:
        return "1862/7.6.3-h" if track_turn(game).upgraded else "1862/7.6-a"
    return (
        "1862/7.6-a" if track_turn(game).upgraded or "small_station" in game.turn.actions else "1862/7.6.2-a"
    )


def _check_turn(game: Game, data: TitleData, command: LayTile) -> None:
    """Refuse what may not follow the tiles of this turn, or not yet be built (1862/7.6-a, 7.2-b)."""
    reject_if(command.hex not in map_data(data).hexes, "unknown_hex", detail=command.hex)
    reject_if(command.tile not in map_data(data).tiles, "unknown_tile", detail=command.tile)
    if track_turn(game).laid:
        may_lay = _has_room(game, data) and _is_second_tile(data, command)
        reject_if(not may_lay, "tile_already_laid", _clause_of_second(game, data, command))
    if must_build_at_home(game, data, command.company):
        home = home_place(game, data, command.company)[0]
        reject_if(command.hex != home, "1862.home_first", "1862/7.2-b", home)


def _hexes(game: Game, data: TitleData) -> tuple[str, ...] | None:
    if not must_build_at_home(game, data, game.actor):
        return None
    home, _ = home_place(game, data, game.actor)
    return (home,)


def _check_station(game: Game, context: Context, player: str, command: LayTile) -> None:
    _check_turn(game, context.data, command)
    check_small_station(game, context.data, command)


def _add_station(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    perform_small_station(draft, context.data, command)


def _stations(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from small_station_choices(game, context.data, player)


_LAY = lay_action(
    LayTerms(_check_turn, _upgrade_connection, hexes=_hexes, record=lay_tile, has_room=_has_room)
)
_STATION = Action(_check_station, _add_station, _stations)


def _way(game: Game, data: TitleData, command: LayTile) -> Action:
    """What the command comes to: the upgrade that makes room for the home token, a small station, or a tile."""
    if lacks_home(game, data, game.actor):
        return UPGRADE_HOME
    return _STATION if is_small_station(game, data, command) else _LAY


def _check(game: Game, context: Context, player: str, command: LayTile) -> None:
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    _way(game, context.data, command).check(game, context, player, command)


def _perform(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    _way(draft.game, context.data, command).perform(draft, context, player, command)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    ways = (UPGRADE_HOME,) if lacks_home(game, context.data, game.actor) else (_LAY, _STATION)
    for way in ways:
        yield from way.candidates(game, context, player)


def _must_upgrade(game: Game, context: Context) -> bool:
    """Building is optional, but for the upgrade that makes room for the home token (1862/7.2-c)."""
    return lacks_home(game, context.data, game.actor)


def _asked_in_vain(game: Game, context: Context) -> bool:
    """By one ruling a director is asked while the turn has room for a tile, though none may fit."""
    return plays(game, "idle_turns", "asked") and _has_room(game, context.data)


def _begin(draft: Draft, context: Context) -> None:
    """A merger may have made room for the home token (1862/7.2-h)."""
    settle_home(draft, context.data, draft.game.actor)


BUILD = optional_step(
    "lay_track",
    {LayTile: Action(_check, _perform, _candidates)},
    director_of_actor,
    begin=_begin,
    passing=pass_unless(_must_upgrade, "1862/7.2-c"),
    asked_in_vain=_asked_in_vain,
)
