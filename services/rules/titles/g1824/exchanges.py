"""Exchanging mountain and coal companies for certificates of regionals, by choice or by force (1824/IV.1, IV.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, printed_limit
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.events import CharterTokensSet, TokenReplaced
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyClosed, DirectorChanged
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.shares import DIRECTOR, move_certificates, settle_director
from services.rules.parts.shares.state import companies_of, stock_turn
from services.rules.parts.shares.trading import check_not_sold
from services.rules.parts.trains.depot import is_crowded
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.commands import ExchangeCompany
from services.rules.titles.g1824.companies import (
    BLOCKER,
    COAL,
    MOUNTAIN,
    REGIONAL,
    decider,
    exchangeable_regionals,
    is_owned,
    of_kind,
    open_regional,
    plain_for_exchange,
    require_company,
    shares_traded,
)
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.holderlist import Trade, first_director
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import construction_of


def _check_target(game: Game, data: TitleData, player: str, command: ExchangeCompany) -> None:
    """Company and certificate fit together, and the certificate is to be had (IV.1-e, IV.1-f, IV.2-a)."""
    require_company(game, data, command.company, MOUNTAIN, COAL)
    require_company(game, data, command.target, REGIONAL, clause="1824/IV.1-e")
    reject_if(
        companies_of(game)[command.company].director != player,
        "1824.not_your_company",
        detail=command.company,
    )
    builds = command.company in construction_of(game)
    reject_if(builds, "1824.exchange_not_possible", "1824/X.3-b", command.company)
    exchange = cards_of(data)[command.company].exchange
    if exchange is None or exchange.company is not None:
        wanted = exchange.company if exchange else None
        reject_if(wanted != command.target, "1824.exchange_not_possible", "1824/IV.2-a", command.target)
        return
    number = _plain_number(game, command)
    reject_if(number == DIRECTOR, "certificate_reserved", "1824/IV.1-f", command.target)
    available = number in plain_for_exchange(game, command.target)
    reject_if(not available, "certificate_not_available", "1824/IV.1-k", command.target)


def _plain_number(game: Game, command: ExchangeCompany) -> int:
    if command.number >= 0:
        return command.number
    return next(iter(plain_for_exchange(game, command.target)), -1)


def _room_for_mountain(game: Game, data: TitleData, player: str) -> bool:
    return certificate_count(game, data, player) < printed_limit(game, data)


def _check_by_choice(game: Game, context: Context, player: str, command: ExchangeCompany) -> None:
    data = context.data
    _check_target(game, data, player, command)
    exchange = cards_of(data)[command.company].exchange
    phases = exchange.optional_in_phases if exchange else ()
    reject_if(phase_of(game) not in phases, "1824.exchange_not_possible", "1824/VII.14-e", command.company)
    reject_if(bool(stock_turn(game).bought), "already_bought", "1824/IV.1-f")
    after_sale = bool(stock_turn(game).sold) and cards_of(data)[command.company].kind == COAL
    refused = after_sale and plays(game, "coal_exchange_after_sale", "refused")
    reject_if(refused, "buy_before_sell", "1824/VI.1-c", command.company)
    if plays(game, "exchange_for_company_sold", "refused"):
        check_not_sold(game, player, command.target, "1824/VI.4-e")
    if cards_of(data)[command.company].kind == MOUNTAIN:
        reject_if(not _room_for_mountain(game, data, player), "certificate_limit", "1824/VI.7-b")


def _perform_by_choice(draft: Draft, context: Context, player: str, command: ExchangeCompany) -> None:
    note_purchase(draft, player, command.target)
    if cards_of(context.data)[command.company].kind == COAL:
        exchange_coal(draft, context.data, command.company)
        open_regional(draft, context.data, command.target)
    else:
        exchange_mountain(draft, context.data, player, command)


def exchange_mountain(draft: Draft, data: TitleData, player: str, command: ExchangeCompany) -> None:
    """The mountain company leaves the game for a plain certificate, at no price."""
    number = _plain_number(draft.game, command)
    source = POOL if number in draft.game.held(POOL, command.target) else BANK
    move_certificates(draft, command.target, (number,), source, player, "1824.exchanged")
    close_private(draft, data, command.company, player)
    shares_traded(draft, data, Trade(command.target, (number,), source, player))


def close_private(draft: Draft, data: TitleData, symbol: str, holder: str) -> None:
    """Take a private company and its certificate out of the game."""
    move_certificates(draft, symbol, draft.game.held(holder, symbol), holder, "", "removed")
    exchange = cards_of(data)[symbol].exchange
    if unplaced_tokens(draft.game, symbol):
        draft.emit(CharterTokensSet(symbol, ()))
    draft.emit(CompanyClosed(symbol, (exchange.company or "") if exchange else ""))


def exchange_coal(draft: Draft, data: TitleData, coal: str) -> None:
    """The owner gets the director's certificate; money and trains pass to the regional, the token leaves the map."""
    exchange = cards_of(data)[coal].exchange
    regional = (exchange.company or "") if exchange else ""
    owner = companies_of(draft.game)[coal].director
    draft.emit(CertificatesReserved(regional, ()))
    move_certificates(draft, regional, (DIRECTOR,), BANK, owner, "1824.exchanged")
    _settle_coal_director(draft, data, regional, owner)
    draft.pay(coal, regional, draft.game.money(coal), "treasury_transferred", coal)
    for train in trains_of(draft.game).owned.get(coal, ()):
        draft.emit(TrainMoved(train, coal, regional, "transferred"))
    lift_tokens(draft, coal, to_block=True)
    close_private(draft, data, coal, owner)


def lift_tokens(draft: Draft, company: str, *, to_block: bool) -> None:
    """Take the tokens of a company that leaves the game off the map; a coal company's stay as neutral ones by ruling."""
    blocks = to_block and plays(draft.game, "coal_token_after_exchange", "blocks")
    for hex_id, city in token_cities(map_of(draft.game).tokens, company):
        slot = map_of(draft.game).tokens[(hex_id, city)].index(company)
        left = BLOCKER if blocks else ""
        draft.emit(TokenReplaced(company, hex_id, city, slot, left, "1824.blocked" if blocks else "removed"))


def _settle_coal_director(draft: Draft, data: TitleData, regional: str, owner: str) -> None:
    """A player who has more than the former coal owner becomes director (IV.2-m)."""
    if plays(draft.game, "coal_exchange_majority", "no_swap"):
        draft.emit(DirectorChanged(regional, first_director(draft.game, data, regional, owner)))
        return
    draft.emit(DirectorChanged(regional, owner))
    settle_director(draft, data, regional)


def force_coal_exchanges(draft: Draft, data: TitleData) -> None:
    """The first 5-train closes all coal companies at once (IV.2-n)."""
    kept = construction_of(draft.game)
    owned = [coal for coal in of_kind(data, COAL) if is_owned(draft.game, coal) and coal not in kept]
    for coal in owned:
        exchange_coal(draft, data, coal)
        exchange = cards_of(data)[coal].exchange
        regional = (exchange.company or "") if exchange else ""
        if plays(draft.game, "forced_coal_exchange_price", "one_down"):
            shift(draft, data, regional, chart_of(data).moves.sale, "sale")
        if plays(draft.game, "forced_coal_exchange_opening", "at_once"):
            open_regional(draft, data, regional)


def raise_mountain_exchanges(draft: Draft, data: TitleData) -> None:
    """Ask the owners of the remaining mountain companies, in the order of their numbers (IV.1-h, IV.1-i)."""
    waiting = {interrupt.company for interrupt in draft.game.interrupts}
    for symbol in of_kind(data, MOUNTAIN):
        if is_owned(draft.game, symbol) and symbol not in waiting:
            draft.emit(
                InterruptRaised("1824.exchange_company", companies_of(draft.game)[symbol].director, symbol)
            )


def raise_discards(draft: Draft, data: TitleData) -> None:
    """Ask the director of every company above its train limit (VII.11-x); for a state that nobody holds a share of, the
    holder of the priority card."""
    waiting = {
        interrupt.company for interrupt in draft.game.interrupts if interrupt.kind == "1824.discard_train"
    }
    for company in figures_of(data).discard_order or tuple(trains_of(draft.game).owned):
        owned = trains_of(draft.game).owned.get(company)
        if owned and company not in waiting and is_crowded(draft.game, data, company):
            asked = decider(draft.game, company) or draft.game.priority
            draft.emit(InterruptRaised("1824.discard_train", asked, company))


def drop_impossible_exchanges(draft: Draft, data: TitleData) -> None:
    """A mountain company for which no certificate is left goes without compensation (IV.1-k); by ruling its owner says so."""
    if not draft.game.interrupts:
        return
    if plays(draft.game, "idle_turns", "asked") and plays(
        draft.game, "mountain_forced_exchange", "may_discard"
    ):
        return
    while draft.game.interrupts and draft.game.interrupts[0].kind == "1824.exchange_company":
        if exchangeable_regionals(draft.game, data):
            return
        waiting = draft.game.interrupts[0]
        draft.emit(InterruptSettled(waiting.kind, waiting.company))
        close_private(draft, data, waiting.company, waiting.player)


def _check_forced(game: Game, context: Context, player: str, command: ExchangeCompany) -> None:
    due = game.interrupts[0].company
    reject_if(command.company != due, "interrupt_first", "1824/IV.1-i", due)
    _check_target(game, context.data, player, command)


def _perform_forced(draft: Draft, context: Context, player: str, command: ExchangeCompany) -> None:
    draft.emit(InterruptSettled("1824.exchange_company", command.company))
    exchange_mountain(draft, context.data, player, command)


def _check_discard(game: Game, context: Context, player: str, command: Pass) -> None:
    reject_if(plays(game, "mountain_forced_exchange", "must_exchange"), "may_not_pass", "1824/IV.1-h")


def _perform_discard(draft: Draft, context: Context, player: str, command: Pass) -> None:
    due = draft.game.interrupts[0].company
    draft.emit(InterruptSettled("1824.exchange_company", due))
    close_private(draft, context.data, due, player)


def _by_choice_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in of_kind(context.data, MOUNTAIN, COAL):
        if is_owned(game, symbol) and companies_of(game)[symbol].director == player:
            yield from _targets(game, context, player, symbol)


def _forced_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield from _targets(game, context, player, game.interrupts[0].company)


def _targets(game: Game, context: Context, player: str, symbol: str) -> Iterator[Choice]:
    exchange = cards_of(context.data)[symbol].exchange
    fixed = exchange.company if exchange else None
    for target in (fixed,) if fixed else exchangeable_regionals(game, context.data):
        yield Choice(player, ExchangeCompany(symbol, target))


def _discard_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, Pass())


EXCHANGE_BY_CHOICE = Action(_check_by_choice, _perform_by_choice, _by_choice_candidates)
FORCED_EXCHANGE = Action(_check_forced, _perform_forced, _forced_candidates)
DISCARD_MOUNTAIN = Action(_check_discard, _perform_discard, _discard_candidates)
