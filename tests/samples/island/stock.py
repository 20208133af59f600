"""Stock rounds of Island Railways: start a company or buy one share a turn, until all pass."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.turns import actor_alone, ask_in_turn, end_player_turn
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceStarted
from services.rules.parts.market.market import price_at, price_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyOpened, ParSet
from services.rules.parts.shares.shares import (
    DIRECTOR,
    holders,
    is_at_least,
    move_certificates,
    plain_held,
    settle_director,
)
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.stockround import end_stock_round, end_turn_action


def _check_player(game: Game, context: Context, player: str, cost: int) -> None:
    held = sum(len(numbers) for (holder, _), numbers in game.holdings.items() if holder == player)
    full = held >= context.data.header.certificate_limit[len(game.players)]
    reject_if(full, "certificate_limit", "island/1")
    reject_if(game.money(player) < cost, "not_enough_cash", "island/1", str(cost))


def _buy(draft: Draft, context: Context, player: str, company: str, number: int, cost: int) -> None:
    """Pay, take the certificate, see who directs, and open the company once enough of it is sold; that ends the turn."""
    data, card = context.data, cards_of(context.data)[company]
    draft.pay(player, BANK, cost, "certificate_bought", company)
    move_certificates(draft, company, (number,), BANK, player, "bought")
    note_purchase(draft, player, company)
    settle_director(draft, data, company)
    sold = sum(holders(draft.game, data, company).values())
    enough = is_at_least(draft.game, company, sold, card.float_percent or 0)
    if enough and not companies_of(draft.game)[company].opened:
        draft.emit(CompanyOpened(company))
        capital = card.capital_times_price * companies_of(draft.game)[company].par
        draft.pay(BANK, company, capital, "capital_paid_in", company)
    end_player_turn(draft, player)


def _check_start(game: Game, context: Context, player: str, command: StartCompany) -> None:
    reject_if(command.company not in cards_of(context.data), "unknown_company", detail=command.company)
    reject_if(bool(companies_of(game)[command.company].par), "company_has_price", "island/1")
    offered = command.price in cards_of(context.data)[command.company].par_prices
    reject_if(not offered, "price_not_offered", "island/1", str(command.price))
    _check_player(game, context, player, 2 * command.price)


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    cells = chart_of(context.data).zones["start"]
    cell = next(cell for cell in cells if price_at(context.data, cell) == command.price)
    draft.emit(ParSet(command.company, command.price))
    draft.emit(PriceStarted(command.company, command.price, *cell))
    _buy(draft, context, player, command.company, DIRECTOR, 2 * command.price)


def _starts(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol, card in cards_of(context.data).items():
        for price in card.par_prices:
            yield Choice(player, StartCompany(symbol, price), cost=2 * price)


def _check_share(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    reject_if(command.company not in cards_of(context.data), "unknown_company", detail=command.company)
    reject_if(not companies_of(game)[command.company].par, "company_without_price", "island/1")
    left = command.source == BANK and command.number == -1 and plain_held(game, command.company, BANK)
    reject_if(not left, "certificate_not_available", "island/1", command.company)
    _check_player(game, context, player, price_of(game, context.data, command.company))


def _share(draft: Draft, context: Context, player: str, command: BuyCertificate) -> None:
    price = price_of(draft.game, context.data, command.company)
    number = plain_held(draft.game, command.company, BANK)[0]
    _buy(draft, context, player, command.company, number, price)


def _shares(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in cards_of(context.data):
        yield Choice(player, BuyCertificate(symbol), cost=price_of(game, context.data, symbol))


START = Action(_check_start, _start, _starts)
SHARE = Action(_check_share, _share, _shares)
STEP = Step(
    "stock_turn",
    {StartCompany: START, BuyCertificate: SHARE, Pass: end_turn_action()},
    actor_alone,
)


def is_asked(game: Game, context: Context, player: str) -> bool:
    """Whether the player can buy anything."""
    return START.is_open(game, context, player) or SHARE.is_open(game, context, player)


def advance(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when a player has to decide, false when all passed."""
    return ask_in_turn(draft, context, STEP.name, is_asked)


def end_round(draft: Draft, context: Context) -> None:
    """Nothing but the end itself."""
    end_stock_round(draft)
