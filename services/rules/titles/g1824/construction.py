"""Construction companies of two players, which only lay track (1824/X.3-b to X.3-d)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyBought, CompanyOpened
from services.rules.parts.shares.shares import DIRECTOR, move_certificates
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.bond import PAY_BOND, begin_bond_company
from services.rules.titles.g1824.building import LAY
from services.rules.titles.g1824.companies import COAL, PRE_STATE, in_play, is_owned
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.exchanges import close_private, lift_tokens
from services.rules.titles.g1824.figures import ConstructionTerms, cards_of, figures_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import bond_of, construction_of, reserved_of


def begin_construction(
    draft: Draft, data: TitleData, terms: ConstructionTerms, player: str, symbol: str
) -> None:
    """The owner pays the bank; the company has neither treasury nor train. With the coal company the regional without
    director begins (X.4-d)."""
    draft.pay(player, BANK, terms.price, "company_bought", symbol)
    move_certificates(draft, symbol, (DIRECTOR,), BANK, player, "bought")
    draft.emit(CompanyBought(symbol, player, terms.price))
    draft.emit(CompanyOpened(symbol))
    note_purchase(draft, player, symbol)
    target = _target(data, symbol)
    if cards_of(data)[symbol].kind == COAL:
        begin_bond_company(draft, data, terms, target)
    elif plays(draft.game, "construction_capital", "at_formation"):
        _release(draft, data, symbol, target)


def close_construction(draft: Draft, data: TitleData, train: str) -> None:
    """With the first train that exchanges the pre-state among them, both construction companies leave the game without
    compensation (X.3-c); its state gets the capital that it would have had for it (X.3-d)."""
    open_ones = [symbol for symbol in construction_of(draft.game) if is_owned(draft.game, symbol)]
    if not any(closes_with(data, symbol) == train for symbol in open_ones):
        return
    for symbol in open_ones:
        owner = companies_of(draft.game)[symbol].director
        lift_tokens(draft, symbol, to_block=cards_of(data)[symbol].kind == COAL)
        close_private(draft, data, symbol, owner)
        if cards_of(data)[symbol].kind == PRE_STATE:
            _pay_capital(draft, data, _target(data, symbol))
            _give_token_back(draft, data, _target(data, symbol))


def _pay_capital(draft: Draft, data: TitleData, state: str) -> None:
    terms = figures_of(data).construction
    if terms is not None and plays(draft.game, "construction_capital", "at_closing"):
        draft.pay(BANK, state, terms.capital, "capital_paid_in", state)


def _give_token_back(draft: Draft, data: TitleData, state: str) -> None:
    """The token that the state would have taken over is on its charter, as for a pre-state that nobody bought."""
    if plays(draft.game, "tokens_after_construction", "five"):
        left = sum(1 for linked in cards_of(data)[state].linked if in_play(draft.game, linked))
        draft.emit(CharterTokensSet(state, cards_of(data)[state].tokens[left:]))


def closes_with(data: TitleData, symbol: str) -> str:
    """The train whose first piece closes the construction companies when this pre-state is one of them."""
    card = cards_of(data)[symbol]
    return card.exchange.forced_by_train if card.kind == PRE_STATE and card.exchange else ""


def leaves_out(game: Game, step: TurnStep) -> bool:
    """Construction companies only lay track (X.3-b), the bond company only pays (X.4-f), and no other company pays so."""
    actor = game.actor
    if actor == bond_of(game):
        return step is not PAY_BOND
    return step is PAY_BOND or (step is not LAY and actor in construction_of(game))


def _target(data: TitleData, symbol: str) -> str:
    exchange = cards_of(data)[symbol].exchange
    return (exchange.company or "") if exchange else ""


def _release(draft: Draft, data: TitleData, symbol: str, state: str) -> None:
    """The certificate kept for the company is for sale like any other."""
    exchange, sizes = cards_of(data)[symbol].exchange, cards_of(data)[state].certificates
    kept = reserved_of(draft.game, state)
    released = next(number for number in kept if exchange and sizes[number] == exchange.shares)
    draft.emit(CertificatesReserved(state, tuple(number for number in kept if number != released)))
