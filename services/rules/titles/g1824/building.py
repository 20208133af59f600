"""Laying track and placing tokens in a company's turn of 1824 (VII.6 to VII.8)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.laying import record_lay
from services.rules.parts.map.placing import (
    TokenClauses,
    check_connected,
    check_hex_is_new,
    check_slot,
    check_token_cost,
    check_token_left,
    token_action,
)
from services.rules.parts.map.state import map_of
from services.rules.parts.map.tilelay import AllowedLay, UpgradeConnection
from services.rules.parts.map.trackstep import (
    LayTerms,
    cost_of_terrain,
    lay_action,
    nothing_laid_yet,
    one_tile_a_turn,
)
from services.rules.parts.shares.companyturns import director_of_actor
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.companies import acts, decides, has_director
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.homes import check_not_kept, first_free_slot, keep_spaces_free
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import construction_of

LAY_TRACK = "lay_track"
PLACE_TOKEN = "place_token"
TOKEN_CLAUSES = TokenClauses(
    none_left="1824/VII.8-b",
    again="1824/VII.8-b",
    in_hex="1824/VII.8-e",
    slot_taken="1824/VII.8-b",
    not_connected="1824/VII.8-f",
    too_dear="1824/VII.8-c",
)


def _upgrade_connection(game: Game) -> UpgradeConnection:
    more = plays(game, "upgrade_connection", "new_track_or_value")
    return "new_track_or_value" if more else "least_restrictive"


def _lay_cost(game: Game, data: TitleData, hex_id: str) -> int:
    """What the company at turn pays for the first tile on a hex: a construction company nothing (X.3-b)."""
    return 0 if game.actor in construction_of(game) else cost_of_terrain(game, data, hex_id)


def _record_lay(draft: Draft, data: TitleData, company: str, hex_id: str, outcome: AllowedLay) -> None:
    before = map_of(draft.game).tiles
    record_lay(draft, data, company, hex_id, outcome)
    keep_spaces_free(draft, data, hex_id, before)


def _check_token(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data = context.data
    check_token_left(game, data, command, TOKEN_CLAUSES)
    check_hex_is_new(game, command, TOKEN_CLAUSES)
    slots = check_slot(game, data, command, TOKEN_CLAUSES.slot_taken)
    check_not_kept(game, data, command, slots)
    check_connected(game, data, command, TOKEN_CLAUSES)
    check_token_cost(game, command, TOKEN_CLAUSES)


def _asked_in_vain(game: Game, context: Context) -> bool:
    """By one ruling a director is asked until the tile of the turn lies, though none may fit."""
    return plays(game, "idle_turns", "asked") and nothing_laid_yet(game, context.data)


def _decides_on_token(game: Game, context: Context) -> tuple[str, ...]:
    """Who decides on a token: by ruling also for a company without a director, but not in the turn in which its home token
    was set."""
    linked = cards_of(context.data)[game.actor].linked
    inherited = any(companies_of(game)[symbol].bought for symbol in linked)
    settled = has_director(game) or companies_of(game)[game.actor].operated or inherited
    return decides(game, context) if settled and acts(game) else ("",)


LAY_TERMS = LayTerms(
    one_tile_a_turn("1824/VII.5-c"),
    _upgrade_connection,
    too_dear="1824/VII.6-l",
    record=_record_lay,
    cost=_lay_cost,
)
LAY = optional_step(
    LAY_TRACK, {LayTile: lay_action(LAY_TERMS)}, director_of_actor, asked_in_vain=_asked_in_vain
)
PLACE = optional_step(
    PLACE_TOKEN, {PlaceToken: token_action(_check_token, free_slot=first_free_slot)}, _decides_on_token
)
