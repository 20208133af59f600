"""Station tokens of 1862 on the map (7.7), and which companies they join (7.5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.parts.map.board import city_slots, token_cities
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.placing import TOKEN_PLACED, check_city, place_bought_token, reached_cities
from services.rules.parts.map.state import map_of, track_turn, unplaced_tokens
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.operating.building import must_build_at_home
from services.rules.titles.g1862.operating.homes import home_place, lacks_home
from services.rules.titles.g1862.operating.london import (
    check_terminal,
    has_terminal,
    reaches_london,
    terminals,
)
from services.rules.titles.g1862.rulings import plays


def connected(game: Game, data: TitleData, first: str, second: str) -> bool:
    """Whether track that no full city blocks leads from a station of one company to one of the other; terminals do not
    count (1862/7.5.2). The company at turn counts as joined to its home tile before its token is there (1862/7.2-g)."""
    view = view_of(data, game)
    stations = set(token_cities(map_of(game).tokens, second)).difference(terminals(data))
    if not stations.isdisjoint(view.reach(first).stops):
        return True
    return any(
        one == game.actor
        and lacks_home(game, data, one)
        and home_place(game, data, one) in view.reach(other).stops
        for one, other in ((first, second), (second, first))
    )


def _check(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data, company = context.data, game.actor
    reject_if(command.company != company, "not_your_turn", detail=command.company)
    check_city(game, data, command)
    city = (command.hex, command.city)
    reject_if(not unplaced_tokens(game, company), "no_token_left", "1862/7.7-b")
    reject_if(TOKEN_PLACED in game.turn.actions, "no_token_left", "1862/7.7-a")
    if city in terminals(data):
        reject_if(must_build_at_home(game, data, company), "1862.home_first", "1862/7.2-i", command.hex)
        check_terminal(game, data, company)
    else:
        standing = any(hex_id == command.hex for hex_id, _ in token_cities(map_of(game).tokens, company))
        reject_if(standing, "token_twice", "1862/7.7-c", command.hex)
        reached = city in view_of(data, game).reach(company).stops
        reject_if(not reached, "token_not_connected", "1862/7.7-c", command.hex)
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, city)
    taken = "" not in slots if command.slot < 0 else slots[command.slot] != ""
    reject_if(
        taken, "token_slot_taken", "1862/7.6.5-b" if city in terminals(data) else "1862/7.7-c", command.hex
    )


def _perform(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
    game = draft.game
    slots = city_slots(context.data, map_of(game).tiles, map_of(game).tokens, (command.hex, command.city))
    slot = command.slot if command.slot >= 0 else slots.index("")
    place_bought_token(draft, command.company, (command.hex, command.city), slot, len(slots))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for city in (*reached_cities(game, context.data, game.actor), *terminals(context.data)):
        yield Choice(player, PlaceToken(game.actor, *city))


_ACTION = Action(_check, _perform, _candidates)


def _is_waiting(game: Game, context: Context) -> bool:
    if (
        in_receivership(game, game.actor)
        or TOKEN_PLACED in game.turn.actions
        or not unplaced_tokens(game, game.actor)
    ):
        return False
    return _ACTION.is_open(game, context, "") or _is_asked_for_terminal(game, context.data)


def _is_asked_for_terminal(game: Game, data: TitleData) -> bool:
    """By one ruling a company that could have a terminal is asked, though all of them may be taken."""
    if (
        not plays(game, "idle_turns", "asked")
        or track_turn(game).laid
        or has_terminal(game, data, game.actor)
    ):
        return False
    return reaches_london(game, data, game.actor)


PLACE = TurnStep(Step("place_token", {PlaceToken: _ACTION, Pass: PASS}, decides), _is_waiting)
