"""The three state railways: formed at the end of the operating round in which their train came out (1824/IV.4.4)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.events import CharterTokensSet, TokenReplaced
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.events import CompanyOpened, DirectorChanged
from services.rules.parts.shares.shares import (
    DIRECTOR,
    holders,
    move_certificates,
    shares_of,
    swap_director,
)
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.depot import has_started
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.companies import NATIONAL, in_play, is_owned, of_kind
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.exchanges import close_private
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import construction_of, reserved_of


def form_states(draft: Draft, data: TitleData) -> None:
    """Form every state whose train has come out, in the printed order."""
    for state in of_kind(data, NATIONAL):
        if is_due(draft.game, data, state):
            _form(draft, data, state)


def is_due(game: Game, data: TitleData, state: str) -> bool:
    """Whether the state's train has been sold or exported and the state has not formed yet."""
    trigger = cards_of(data)[state].formed_by_train
    return trigger is not None and not companies_of(game)[state].opened and has_started(game, data, trigger)


def _form(draft: Draft, data: TitleData, state: str) -> None:
    company = cards_of(data)[state]
    owned = [symbol for symbol in company.linked if is_owned(draft.game, symbol)]
    owners = tuple(companies_of(draft.game)[symbol].director for symbol in owned)
    draft.emit(CompanyOpened(state))
    _pay_capital(draft, data, state)
    places = [place for symbol in owned for place in _take_over(draft, data, symbol, state)]
    draft.emit(CertificatesReserved(state, ()))
    _settle_first_director(draft, data, state, owners)
    _return_second_token(draft, data, state, places)


def _pay_capital(draft: Draft, data: TitleData, state: str) -> None:
    """120 for every share not kept for a pre-state owner, and the capital of pre-states not in play (IV.4.4-f, i)."""
    game, company = draft.game, cards_of(data)[state]
    shares = companies_of(game)[state].shares - shares_of(data, state, reserved_of(game, state))
    capital = shares * companies_of(game)[state].par
    if plays(game, "missing_pre_state_capital", "added"):
        capital += sum(
            cards_of(data)[symbol].price or 0
            for symbol in company.linked
            if not in_play(game, symbol) and symbol not in construction_of(game)
        )
    draft.pay(BANK, state, capital, "capital_paid_in", state)


def _take_over(draft: Draft, data: TitleData, symbol: str, state: str) -> list[tuple[str, int, int]]:
    """The owner gets his kept certificate; money, trains and token of the pre-state pass to the state (IV.4.4-g).

    Returns where the tokens stand: hex, city, slot."""
    exchange = cards_of(data)[symbol].exchange
    shares = exchange.shares if exchange else 1
    owner = companies_of(draft.game)[symbol].director
    kept = reserved_of(draft.game, state)
    number = next(number for number in kept if cards_of(data)[state].certificates[number] == shares)
    draft.emit(CertificatesReserved(state, tuple(other for other in kept if other != number)))
    move_certificates(draft, state, (number,), BANK, owner, "1824.exchanged")
    draft.pay(symbol, state, draft.game.money(symbol), "treasury_transferred", symbol)
    for train in trains_of(draft.game).owned.get(symbol, ()):
        draft.emit(TrainMoved(train, symbol, state, "transferred"))
    places = [
        (*city, map_of(draft.game).tokens[city].index(symbol))
        for city in token_cities(map_of(draft.game).tokens, symbol)
    ]
    for hex_id, city, slot in places:
        draft.emit(TokenReplaced(symbol, hex_id, city, slot, state, "inherited"))
    close_private(draft, data, symbol, owner)
    return places


def _settle_first_director(draft: Draft, data: TitleData, state: str, owners: tuple[str, ...]) -> None:
    """The biggest shareholder; among equals the former owners in order of their numbers, then the holder of the priority
    card and clockwise from there (IV.4.4-d, IV.4.4-e). Nobody with 20 % leaves the state without director (IV.4.4-j)."""
    shares = holders(draft.game, data, state)
    most = max(shares.values(), default=0)
    if most < shares_of(data, state, (DIRECTOR,)):
        return
    at = draft.game.players.index(draft.game.priority)
    ranking = (*owners, *draft.game.players[at:], *draft.game.players[:at])
    director = next(player for player in ranking if shares.get(player) == most)
    holder = next(owner for owner in (BANK, *draft.game.players) if DIRECTOR in draft.game.held(owner, state))
    draft.emit(DirectorChanged(state, director))
    swap_director(draft, data, state, holder, director)


def _return_second_token(
    draft: Draft, data: TitleData, state: str, places: list[tuple[str, int, int]]
) -> None:
    """Two tokens in one city are one too many: that of the later company goes back to the charter at the second cost
    (VII.8-d, VII.8-e)."""
    cities = [place[:2] for place in places]
    double = [place for place in places if cities.count(place[:2]) > 1]
    if double:
        return_token(draft, data, state, *double[-1])


def raise_token_choices(draft: Draft, data: TitleData) -> None:
    """Two tokens of a state in two cities of one hex: the director chooses which goes back (VII.8-e)."""
    waiting = {
        interrupt.company for interrupt in draft.game.interrupts if interrupt.kind == "1824.choose_token"
    }
    for state in of_kind(data, NATIONAL):
        if state not in waiting and double_places(draft.game, state):
            draft.emit(InterruptRaised("1824.choose_token", companies_of(draft.game)[state].director, state))


def double_places(game: Game, state: str) -> list[tuple[str, int]]:
    """The cities of a hex in which the state has more than one token."""
    places = token_cities(map_of(game).tokens, state)
    hexes = [hex_id for hex_id, _ in places]
    return [place for place in places if hexes.count(place[0]) > 1]


def return_token(draft: Draft, data: TitleData, state: str, hex_id: str, city: int, slot: int) -> None:
    """Take the token off the map and put it on the charter at the second token's cost."""
    draft.emit(TokenReplaced(state, hex_id, city, slot, "", "1824.returned"))
    cost = cards_of(data)[state].tokens[1]
    charter = tuple(sorted((cost, *unplaced_tokens(draft.game, state))))
    draft.emit(CharterTokensSet(state, charter))
