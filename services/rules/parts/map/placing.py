"""Tokens from a company's charter to the map, and the choice of one that leaves it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import CityId, city_slots, face, token_cities
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import ChooseToken, PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import CharterTokensSet, TokenPlaced
from services.rules.parts.map.state import map_of, unplaced_tokens

TOKEN_PLACED = "token_placed"


def check_city(game: Game, data: TitleData, command: PlaceToken) -> None:
    """Reject a hex, city or slot that does not exist."""
    reject_if(command.hex not in map_data(data).hexes, "unknown_hex", detail=command.hex)
    stops = face(data, map_of(game).tiles, command.hex).stops
    is_city = 0 <= command.city < len(stops) and stops[command.city].kind == "city"
    reject_if(not is_city or command.slot >= stops[command.city].slots, "unknown_city", detail=command.hex)


def reached_cities(game: Game, data: TitleData, company: str) -> Iterator[CityId]:
    """Every city that a token of `company` is connected to, by hex."""
    view = view_of(data, game)
    for hex_id, city in sorted(view.reach(company).stops):
        if face(data, view.tiles, hex_id).stops[city].kind == "city":
            yield hex_id, city


def place_next_token(draft: Draft, company: str, city: CityId, slot: int, slots: int, reason: str) -> None:
    """The cheapest token of the charter goes to `slot` of a city with `slots` spaces."""
    left = unplaced_tokens(draft.game, company)[1:]
    draft.emit(TokenPlaced(company, *city, slot, reason, slots))
    draft.emit(CharterTokensSet(company, left))


def place_bought_token(draft: Draft, company: str, city: CityId, slot: int, slots: int) -> None:
    """The same, as the one token that a company places in its turn."""
    place_next_token(draft, company, city, slot, slots, "bought")
    draft.emit(ActionTaken(TOKEN_PLACED))


@dataclass(frozen=True, slots=True)
class TokenClauses:
    """The clauses under which a token is refused: none left or one placed already, one in this hex, no free slot, no
    connection, too dear."""

    none_left: str
    again: str
    in_hex: str
    slot_taken: str
    not_connected: str
    too_dear: str


def check_token_left(game: Game, data: TitleData, command: PlaceToken, clauses: TokenClauses) -> None:
    """Reject the token of a company that is not at turn, that has none, or that has placed one in this turn."""
    reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
    check_city(game, data, command)
    reject_if(not unplaced_tokens(game, command.company), "no_token_left", clauses.none_left)
    reject_if(TOKEN_PLACED in game.turn.actions, "no_token_left", clauses.again)


def check_hex_is_new(game: Game, command: PlaceToken, clauses: TokenClauses) -> None:
    """Reject a second token of the company in a hex."""
    standing = any(hex_id == command.hex for hex_id, _ in token_cities(map_of(game).tokens, command.company))
    reject_if(standing, "token_twice", clauses.in_hex, command.hex)


def check_connected(game: Game, data: TitleData, command: PlaceToken, clauses: TokenClauses) -> None:
    """Reject a city that the company is not connected to."""
    reached = (command.hex, command.city) in view_of(data, game).reach(command.company).stops
    reject_if(not reached, "token_not_connected", clauses.not_connected, command.hex)


def check_slot(game: Game, data: TitleData, command: PlaceToken, clause: str) -> tuple[str, ...]:
    """Reject a slot that is taken; returns the slots of the city."""
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, (command.hex, command.city))
    taken = "" not in slots if command.slot < 0 else slots[command.slot] != ""
    reject_if(taken, "token_slot_taken", clause, command.hex)
    return slots


def check_token_cost(game: Game, command: PlaceToken, clauses: TokenClauses) -> None:
    """Reject a token that the company cannot pay for."""
    check_cash(game, command.company, unplaced_tokens(game, command.company)[0], clauses.too_dear)


def check_token(game: Game, data: TitleData, command: PlaceToken, clauses: TokenClauses) -> None:
    """Reject a token for any of these reasons."""
    check_token_left(game, data, command, clauses)
    check_hex_is_new(game, command, clauses)
    check_connected(game, data, command, clauses)
    check_slot(game, data, command, clauses.slot_taken)
    check_token_cost(game, command, clauses)


def first_free(game: Game, data: TitleData, command: PlaceToken, slots: tuple[str, ...]) -> int:
    """The first free slot of a city."""
    return slots.index("")


def token_action(
    check: Callable[[Game, Context, str, PlaceToken], None],
    cities: Callable[[Game, TitleData, str], Iterable[CityId]] = reached_cities,
    free_slot: Callable[[Game, TitleData, PlaceToken, tuple[str, ...]], int] = first_free,
) -> Action:
    """The command `PlaceToken`: the company pays what its next token costs. `cities`: where it might go; `free_slot`: the
    slot that it takes where the command names none."""

    def perform(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
        game, data, city = draft.game, context.data, (command.hex, command.city)
        slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, city)
        slot = command.slot if command.slot >= 0 else free_slot(game, data, command, slots)
        cost = unplaced_tokens(game, command.company)[0]
        draft.pay(command.company, BANK, cost, "token_cost", command.hex)
        place_bought_token(draft, command.company, city, slot, len(slots))

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        for cost in unplaced_tokens(game, game.actor)[:1]:
            if TOKEN_PLACED in game.turn.actions or cost > game.money(game.actor):
                return
            for city in cities(game, context.data, game.actor):
                yield Choice(player, PlaceToken(game.actor, *city), cost=cost)

    return Action(check, perform, candidates)


def choice_of_token(
    places: Callable[[Game, TitleData, str], Iterable[CityId]],
    perform: Callable[[Draft, Context, str, ChooseToken], None],
    clause: str,
) -> Action:
    """The command `ChooseToken`: the answer which token is given up by the company that the oldest question is about.
    `places`: where there are tokens that it may give up."""

    def check(game: Game, context: Context, player: str, command: ChooseToken) -> None:
        due = game.interrupts[0].company
        reject_if(command.company != due, "interrupt_first", clause, due)
        is_choice = (command.hex, command.city) in places(game, context.data, due)
        reject_if(not is_choice, "token_choice", clause, command.hex)

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        due = game.interrupts[0].company
        for city in places(game, context.data, due):
            yield Choice(player, ChooseToken(due, *city))

    return Action(check, perform, candidates)
