"""Tokens of 1865: one a turn, along a direct route that the president chooses, which says what it costs and brings (5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import city_slots, face, token_cities
from services.rules.parts.map.data import map_data
from services.rules.parts.map.placing import TOKEN_PLACED, place_bought_token
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.titles.g1865.commands import PlaceTokenByRoute
from services.rules.titles.g1865.directroutes import DirectRoute, routes_of
from services.rules.titles.g1865.events import DirectRouteUsed
from services.rules.titles.g1865.mines import MINE, has_too_many, is_mine, mines_of
from services.rules.titles.g1865.operating.turns import railway_step
from services.rules.titles.g1865.traffic import give_traffic, use_ports

MINE_OPENED = "1865.mine_opened"


def _check(game: Game, context: Context, player: str, command: PlaceTokenByRoute) -> None:
    data, company, goal = context.data, command.company, (command.hex, command.city)
    reject_if(company != game.actor, "not_your_turn", detail=company)
    _check_goal(game, data, command)
    reject_if(not unplaced_tokens(game, company), "no_token_left", "1865/5.2-h")
    reject_if(TOKEN_PLACED in game.turn.actions, "no_token_left", "1865/5.2-a")
    held = {hex_id for hex_id, _ in token_cities(map_of(game).tokens, company)}
    reject_if(command.hex in held, "token_twice", "1865/5.2-c", command.hex)
    taken = "" not in city_slots(data, map_of(game).tiles, map_of(game).tokens, goal)
    reject_if(
        taken, "token_slot_taken", "1865/5.3-b" if is_mine(game, data, goal) else "1865/5.2-c", command.hex
    )
    if is_mine(game, data, goal):
        hexes = {hex_id for hex_id, _ in mines_of(game, data, company)} | {command.hex}
        reject_if(has_too_many(data, hexes), "1865.mine_of_district", "1865/5.3-d", command.hex)
    check_cash(game, company, _route_of(game, data, command).cost, "1865/5.2-h")


def _check_goal(game: Game, data: TitleData, command: PlaceTokenByRoute) -> None:
    reject_if(command.hex not in map_data(data).hexes, "unknown_hex", detail=command.hex)
    stops = face(data, map_of(game).tiles, command.hex).stops
    has_slots = 0 <= command.city < len(stops) and stops[command.city].kind in ("city", MINE)
    reject_if(not has_slots, "unknown_city", "1865/5.2-c", command.hex)


def _route_of(game: Game, data: TitleData, command: PlaceTokenByRoute) -> DirectRoute:
    """The direct route over these hexes (5.2-g)."""
    for route in routes_of(game, data, command.company).get((command.hex, command.city), ()):
        if route.hexes == command.route:
            return route
    raise Rejected("1865.no_direct_route", "1865/5.2-d", "-".join(command.route))


def _place(draft: Draft, context: Context, player: str, command: PlaceTokenByRoute) -> None:
    """The company pays for the hexsides and gets the traffic of the towns on the way and of the goal (5.2-e, 5.2-f)."""
    data, game, company = context.data, draft.game, command.company
    goal, route = (command.hex, command.city), _route_of(game, data, command)
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, goal)
    draft.emit(DirectRouteUsed(company, command.hex, route.hexes, route.cost, route.traffic))
    draft.pay(company, BANK, route.cost, "token_cost", command.hex)
    place_bought_token(draft, company, goal, slots.index(""), len(slots))
    if is_mine(draft.game, data, goal):
        draft.emit(ActionTaken(MINE_OPENED))
    give_traffic(draft, company, route.traffic, "token", command.hex)
    use_ports(draft, data, company)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data, company = context.data, game.actor
    if TOKEN_PLACED in game.turn.actions or not unplaced_tokens(game, company):
        return
    for goal, routes in routes_of(game, data, company).items():
        for route in routes:
            yield Choice(player, PlaceTokenByRoute(company, *goal, route.hexes), cost=route.cost)


PLACE = railway_step("place_token", {PlaceTokenByRoute: Action(_check, _place, _candidates)})
