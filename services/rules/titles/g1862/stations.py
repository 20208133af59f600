"""Station tokens of 1862 on the map (7.7), and which companies they join (7.5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.board import CityId, city_slots, face, token_cities
from services.rules.domain.boardview import view_of
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Pass, PlaceToken
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.passing import PASS
from services.rules.domain.rejections import refuse_if
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.building import must_build_at_home
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.homes import home_place, lacks_home
from services.rules.titles.g1862.london import check_terminal, has_terminal, reaches_london, terminals
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.turnstep import TurnStep


def connected(game: Game, data: TitleData, first: str, second: str) -> bool:
    """Whether track that no full city blocks leads from a station of one company to one of the other; terminals do not
    count (1862/7.5.2). The company at turn counts as joined to its home tile before its token is there (1862/7.2-g)."""
    view = view_of(data, game)
    stations = set(token_cities(game.tokens, second)).difference(terminals(data))
    if not stations.isdisjoint(view.reach(first).stops):
        return True
    return any(
        one == game.actor
        and lacks_home(game, data, one)
        and home_place(game, data, one) in view.reach(other).stops
        for one, other in ((first, second), (second, first))
    )


def _check_city(game: Game, data: TitleData, command: PlaceToken) -> None:
    refuse_if(command.hex not in data.hexes, "unknown_hex", detail=command.hex)
    stops = face(data, game.tiles, command.hex).stops
    is_city = 0 <= command.city < len(stops) and stops[command.city].kind == "city"
    refuse_if(not is_city or command.slot >= stops[command.city].slots, "unknown_city", detail=command.hex)


def _check(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data, company = context.data, game.actor
    refuse_if(command.company != company, "not_your_turn", detail=command.company)
    _check_city(game, data, command)
    city = (command.hex, command.city)
    refuse_if(not game.companies[company].charter, "no_token_left", "1862/7.7-b")
    refuse_if(bool(game.turn.tokened), "no_token_left", "1862/7.7-a")
    if city in terminals(data):
        refuse_if(must_build_at_home(game, data, company), "home_first", "1862/7.2-i", command.hex)
        check_terminal(game, data, company)
    else:
        standing = any(hex_id == command.hex for hex_id, _ in token_cities(game.tokens, company))
        refuse_if(standing, "token_twice", "1862/7.7-c", command.hex)
        reached = city in view_of(data, game).reach(company).stops
        refuse_if(not reached, "token_not_connected", "1862/7.7-c", command.hex)
    slots = city_slots(data, game.tiles, game.tokens, city)
    taken = "" not in slots if command.slot < 0 else slots[command.slot] != ""
    refuse_if(
        taken, "token_slot_taken", "1862/7.6.5-b" if city in terminals(data) else "1862/7.7-c", command.hex
    )


def _perform(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
    game = draft.game
    slots = city_slots(context.data, game.tiles, game.tokens, (command.hex, command.city))
    slot = command.slot if command.slot >= 0 else slots.index("")
    cost = game.companies[command.company].charter[0]
    draft.emit(e.TokenPlaced(command.company, command.hex, command.city, slot, cost, "bought", len(slots)))


def _cities(game: Game, data: TitleData) -> Iterator[CityId]:
    yield from sorted(
        (hex_id, number)
        for hex_id, number in view_of(data, game).reach(game.actor).stops
        if face(data, game.tiles, hex_id).stops[number].kind == "city"
    )
    yield from terminals(data)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for hex_id, number in _cities(game, context.data):
        yield Choice(player, PlaceToken(game.actor, hex_id, number))


_ACTION = Action(_check, _perform, _candidates)


def _is_waiting(game: Game, context: Context) -> bool:
    if in_receivership(game, game.actor) or game.turn.tokened or not game.companies[game.actor].charter:
        return False
    return _ACTION.is_open(game, context, "") or _is_asked_for_terminal(game, context.data)


def _is_asked_for_terminal(game: Game, data: TitleData) -> bool:
    """By one ruling a company that could have a terminal is asked, though all of them may be taken."""
    if not plays(game, "idle_turns", "asked") or game.turn.laid or has_terminal(game, data, game.actor):
        return False
    return reaches_london(game, data, game.actor)


PLACE = TurnStep(Step("place_token", {PlaceToken: _ACTION, Pass: PASS}, decides), _is_waiting)
