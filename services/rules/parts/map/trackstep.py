"""Laying a tile in a company's turn: what is refused, what it costs, and what there is to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import terrain_cost
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.laying import allowed_lay, lay_of, legal_lays, position_of, record_lay
from services.rules.parts.map.state import map_of, track_turn
from services.rules.parts.map.tilelay import AllowedLay, TileLay, UpgradeConnection

CheckTurn = Callable[[Game, TitleData, LayTile], None]
HasRoom = Callable[[Game, TitleData], bool]
LayCost = Callable[[Game, TitleData, str], int]


def one_tile_a_turn(clause: str) -> CheckTurn:
    """Refuses a second tile in a turn."""

    def check(game: Game, data: TitleData, command: LayTile) -> None:
        reject_if(bool(track_turn(game).laid), "tile_already_laid", clause)

    return check


def nothing_laid_yet(game: Game, data: TitleData) -> bool:
    """There is room for one tile a turn."""
    return not track_turn(game).laid


def wherever_it_reaches(game: Game, data: TitleData) -> tuple[str, ...] | None:
    """A company builds on every hex that its track reaches."""
    return None


def cost_of_terrain(game: Game, data: TitleData, hex_id: str) -> int:
    """What the terrain costs that the first tile on a hex covers."""
    return terrain_cost(data, map_of(game).tiles, hex_id)


@dataclass(frozen=True, slots=True)
class LayTerms:
    """How a company at turn lays a tile.

    `check_turn` refuses what the turn has no place for. `upgrade_connection`: what an upgrade has to bring at this table.
    `too_dear`: the clause that refuses terrain the company cannot pay for; empty where no terrain costs anything. `hexes`:
    those that are offered, None for all within reach. `record` writes the tile down. `cost`: what the company at turn pays for
    a tile on a hex. `may_keep_colour`: a tile may replace one of its own colour too. `has_room`: whether the turn has a place
    for any tile; where it has none, no lay is looked for. `check_turn` refuses each of them all the same."""

    check_turn: CheckTurn
    upgrade_connection: Callable[[Game], UpgradeConnection]
    too_dear: str = ""
    hexes: Callable[[Game, TitleData], tuple[str, ...] | None] = wherever_it_reaches
    record: Callable[[Draft, TitleData, str, str, AllowedLay], None] = record_lay
    cost: LayCost = cost_of_terrain
    may_keep_colour: bool = False
    has_room: HasRoom = nothing_laid_yet


def lay_action(terms: LayTerms) -> Action:
    """The command `LayTile`: the company at turn pays for it, as a rule for the terrain beneath."""

    def allowed(game: Game, context: Context, command: LayTile) -> AllowedLay:
        def outcome() -> AllowedLay:
            position = position_of(game, context.data, terms.upgrade_connection(game), terms.may_keep_colour)
            return allowed_lay(view_of(context.data, game), position, lay_of(command))

        return context.once(game, command, outcome)

    def check(game: Game, context: Context, player: str, command: LayTile) -> None:
        data = context.data
        reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
        terms.check_turn(game, data, command)
        allowed(game, context, command)
        check_cash(game, command.company, terms.cost(game, data, command.hex), terms.too_dear)

    def perform(draft: Draft, context: Context, player: str, command: LayTile) -> None:
        data, game = context.data, draft.game
        outcome = allowed(game, context, command)
        cost = terms.cost(game, data, command.hex)
        draft.pay(command.company, BANK, cost, "tile_cost", command.hex)
        terms.record(draft, data, command.company, command.hex, outcome)

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        data = context.data
        if not terms.has_room(game, data):
            return
        position = position_of(game, data, terms.upgrade_connection(game), terms.may_keep_colour)
        lays = legal_lays(view_of(data, game), position, terms.hexes(game, data))
        yield from lay_choices(game, data, player, lays, terms.cost)

    return Action(check, perform, candidates)


def lay_choices(
    game: Game, data: TitleData, player: str, lays: Iterable[TileLay], cost_of: LayCost = cost_of_terrain
) -> Iterator[Choice]:
    """These lays as commands of the company at turn."""
    for lay in lays:
        cost = cost_of(game, data, lay.hex)
        yield Choice(player, LayTile(game.actor, lay.hex, lay.tile, lay.rotation), cost=cost)
