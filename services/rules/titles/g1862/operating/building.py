"""Building track in a company's turn of 1862: new tiles, an upgrade, or a small station (7.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.map.board import face
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.laying import allowed_lay, lay_of, position_of
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.map.tilelay import Position, legal_tiles
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.operating.homes import (
    check_home_upgrade,
    has_home_token,
    home_place,
    home_upgrade_choices,
    lacks_home,
    perform_home_upgrade,
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


def _position(game: Game, data: TitleData) -> Position:
    by_station = plays(game, "upgrade_connection", "new_track_or_station")
    return position_of(game, data, "new_track_or_station" if by_station else "new_track_or_value")


def _may_go_on(game: Game, data: TitleData) -> bool:
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


def _check(game: Game, context: Context, player: str, command: LayTile) -> None:
    data = context.data
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    if lacks_home(game, data, command.company):
        check_home_upgrade(game, data, command)
        return
    reject_if(command.hex not in map_data(data).hexes, "unknown_hex", detail=command.hex)
    reject_if(command.tile not in map_data(data).tiles, "unknown_tile", detail=command.tile)
    if track_turn(game).laid:
        may_lay = _may_go_on(game, data) and _is_second_tile(data, command)
        reject_if(not may_lay, "tile_already_laid", _clause_of_second(game, data, command))
    if must_build_at_home(game, data, command.company):
        home = home_place(game, data, command.company)[0]
        reject_if(command.hex != home, "1862.home_first", "1862/7.2-b", home)
    if is_small_station(game, data, command):
        check_small_station(game, data, command)
    else:
        allowed_lay(view_of(data, game), _position(game, data), lay_of(command))


def _perform(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    data, game = context.data, draft.game
    if lacks_home(game, data, command.company):
        perform_home_upgrade(draft, data, command)
    elif is_small_station(game, data, command):
        perform_small_station(draft, data, command)
    else:
        outcome = allowed_lay(view_of(data, game), _position(game, data), lay_of(command))
        lay_tile(draft, data, command.company, command.hex, outcome)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data = context.data
    if lacks_home(game, data, game.actor):
        yield from home_upgrade_choices(game, data, player)
        return
    at_home = must_build_at_home(game, data, game.actor)
    for lay in legal_tiles(
        _position(game, data), home_place(game, data, game.actor)[:1] if at_home else None
    ):
        command = LayTile(game.actor, lay.hex, lay.tile, lay.rotation)
        if not track_turn(game).laid or _is_second_tile(data, command):
            yield Choice(player, command)
    if not track_turn(game).laid and not at_home:
        yield from small_station_choices(game, data, player)


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    """Building is optional, but for the upgrade that makes room for the home token (1862/7.2-c)."""
    reject_if(lacks_home(game, context.data, game.actor), "may_not_pass", "1862/7.2-c")


def _is_waiting(game: Game, context: Context) -> bool:
    return not in_receivership(game, game.actor) and _may_go_on(game, context.data)


def _begin(draft: Draft, context: Context) -> None:
    """A merger may have made room for the home token (1862/7.2-h)."""
    settle_home(draft, context.data, draft.game.actor)


_PASS = replace(PASS, check=_check_pass)
BUILD = TurnStep(
    Step("lay_track", {LayTile: Action(_check, _perform, _candidates), Pass: _PASS}, decides),
    _is_waiting,
    _begin,
)
