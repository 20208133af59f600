"""Parliamentary rounds of 1862: auctions for the charters of companies, and the opening that follows (4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PlayerActed, PlayerPassed, RoundEnded, StepStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.auctions.events import (
    AuctionClosed,
    AuctionOpened,
    AuctionPassed,
    AuctionWon,
    BidMade,
)
from services.rules.parts.auctions.state import Auction, auction_of, auction_round
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import DirectorChanged, ParSet
from services.rules.parts.shares.shares import DIRECTOR, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.trading import (
    PurchaseTerms,
    StartTerms,
    check_printed,
    cost_to_start,
    is_enough_to_open,
    purchase_action,
    start_action,
    take_certificate,
)
from services.rules.titles.g1862.companies import is_full
from services.rules.titles.g1862.events import CharterSideSet, ObligationTaken
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.stock.buying import wanted_number
from services.rules.titles.g1862.stock.offer import can_be_opened, openable, require_openable
from services.rules.titles.g1862.stock.quotation import place_marker, quote_if_ready


def auction_at_hand(game: Game) -> Auction:
    """The auction that is open; asked only in steps that need one."""
    auction = auction_of(game)
    if auction is None:
        raise Rejected("wrong_step", detail="no auction is open")
    return auction


def highest_bid(game: Game, data: TitleData, player: str) -> int:
    """The most a player can bid and still pay for the cheapest director's certificate; below 0: nothing (4.1-e, 4.2-e)."""
    step = figures_of(data).bid_step
    return (game.money(player) - figures_of(data).cash_above_bid) // step * step


def may_open_auction(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player has a bid to open with, room for a certificate, and won no charter yet (4.1-e, 4.1-f, 4.1-g)."""
    barred = player in auction_round(game).won or is_full(game, data, player)
    if barred or highest_bid(game, data, player) < 0:
        return False
    return any(can_be_opened(game, data, symbol) for symbol in companies_of(game))


def may_stay(game: Game, data: TitleData, player: str) -> bool:
    """Whether a player who does not lead the auction may still decide about it, or must pass (4.1-e, 4.1-f)."""
    limits, price = figures_of(data), auction_at_hand(game).price
    if is_full(game, data, player):
        return False
    next_bid = 0 if plays(game, "staying_in_an_auction", "covers_standing_bid") else limits.bid_step
    return game.money(player) >= limits.cash_above_bid + price + next_bid


def asked_to_bid(game: Game) -> str:
    """The bidder next after the one with the highest bid."""
    auction = auction_at_hand(game)
    at = auction.bidders.index(auction.leader)
    return auction.bidders[(at + 1) % len(auction.bidders)]


def _check_opening_bid(game: Game, context: Context, player: str, command: Bid) -> None:
    data = context.data
    reject_if(player in auction_round(game).won, "1862.charter_won", "1862/4.1-g")
    reject_if(is_full(game, data, player), "certificate_limit", "1862/4.1-f")
    require_openable(game, data, command.company)
    _check_amount(data, command.price, 0, "1862/4.1-b")
    reject_if(command.price > highest_bid(game, data, player), "1862.cash_for_par", "1862/4.1-e")


def _check_amount(data: TitleData, price: int, least: int, clause: str) -> None:
    proper = price >= least and price % figures_of(data).bid_step == 0
    reject_if(not proper, "bid_not_allowed", clause, str(price))


def _check_raise(game: Game, context: Context, player: str, command: Bid) -> None:
    data, auction = context.data, auction_at_hand(game)
    reject_if(command.company != auction.company, "company_not_offered", "1862/4.1-c", command.company)
    reject_if(is_full(game, data, player), "certificate_limit", "1862/4.1-f")
    _check_amount(data, command.price, auction.price + figures_of(data).bid_step, "1862/4.1-c")
    reject_if(command.price > highest_bid(game, data, player), "1862.cash_for_par", "1862/4.1-e")


def _open_auction(draft: Draft, context: Context, player: str, command: Bid) -> None:
    bidders = clockwise_from(draft.game, player)
    draft.emit(PlayerActed(player))
    draft.emit(AuctionOpened(command.company, bidders))
    _bid(draft, context, player, command)


def _bid(draft: Draft, context: Context, player: str, command: Bid) -> None:
    """The bid is made; players who cannot stay in the auction are out, and the last one has won."""
    draft.emit(BidMade(player, command.company, command.price))
    for other in auction_at_hand(draft.game).bidders:
        if other != player and not may_stay(draft.game, context.data, other):
            draft.emit(AuctionPassed(other, command.company))
    _award(draft)


def _leave_auction(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(AuctionPassed(player, auction_at_hand(draft.game).company))
    _award(draft)


def _award(draft: Draft) -> None:
    """Once only the leader is left he pays his bid and answers for the company (1862/4.1-h, 4.2-a, 4.3-a)."""
    auction = auction_at_hand(draft.game)
    if len(auction.bidders) > 1:
        return
    draft.emit(AuctionWon(auction.leader, auction.company, auction.price))
    draft.pay(auction.leader, BANK, auction.price, "auction_won", auction.company)
    draft.emit(ObligationTaken(auction.leader, auction.company))
    draft.emit(TurnStarted(draft.game.current_round.order.index(auction.leader)))


def _check_company(game: Game, context: Context, symbol: str) -> None:
    auctioned = symbol == auction_at_hand(game).company
    reject_if(not auctioned, "company_not_offered", "1862/4.2-a", symbol)


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    """Par is set and the director's certificate bought from the bank (1862/4.2-c, 4.2-d)."""
    symbol, price = command.company, command.price
    draft.emit(CharterSideSet(symbol, chartered=True))
    if plays(draft.game, "chartered_market_marker", "at_par"):
        place_marker(draft, context.data, symbol, price)
    draft.emit(ParSet(symbol, price))
    take_certificate(draft, player, symbol, DIRECTOR, cost_to_start(context.data, symbol, price))
    draft.emit(DirectorChanged(symbol, player))
    note_purchase(draft, player, symbol)
    _close_if_through(draft, context, player, symbol)


def _check_more(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    data, symbol = context.data, auction_at_hand(game).company
    reject_if(command.company != symbol, "company_not_offered", "1862/4.2-g", command.company)
    number = wanted_number(game, command)
    check_printed(data, symbol, number)
    there = command.source == BANK and number in game.held(BANK, symbol)
    reject_if(not there, "certificate_not_available", "1862/4.2-g", command.source)
    reject_if(is_full(game, data, player), "certificate_limit", "1862/6.5.2-a")
    check_cash(game, player, companies_of(game)[symbol].par, "1862/4.2-g")


def _par(game: Game, data: TitleData, command: BuyCertificate) -> int:
    return companies_of(game)[command.company].par


def _more(game: Game, context: Context) -> Iterator[tuple[BuyCertificate, int]]:
    command = BuyCertificate(auction_at_hand(game).company)
    yield command, _par(game, context.data, command)


def _decline_more(draft: Draft, context: Context, player: str, command: Pass) -> None:
    _close(draft, context)


def _close_if_through(draft: Draft, context: Context, player: str, symbol: str) -> None:
    """The opening is over when the winner has half of the company or cannot buy another share."""
    game = draft.game
    held = shares_held(game, context.data, player, symbol)
    if is_enough_to_open(game, context.data, symbol, held) or not _is_asked_for_more(game, context, player):
        _close(draft, context)


def _is_asked_for_more(game: Game, context: Context, player: str) -> bool:
    """A table that asks idle players asks also whom the certificate limit keeps from buying."""
    symbol = auction_at_hand(game).company
    could_pay = bool(game.held(BANK, symbol)) and game.money(player) >= companies_of(game)[symbol].par
    asks_in_vain = plays(game, "idle_turns", "asked") and could_pay
    return asks_in_vain or MORE.is_open(game, context, player)


def _close(draft: Draft, context: Context) -> None:
    """The company is quoted if it is ready; the player left of the winner may open the next auction (4.1-i, 4.2-h)."""
    symbol = auction_at_hand(draft.game).company
    draft.emit(AuctionClosed(symbol))
    quote_if_ready(draft, context, symbol)
    _next_opener(draft)


def _next_opener(draft: Draft) -> None:
    current = draft.game.current_round
    draft.emit(TurnStarted((current.position + 1) % len(current.order)))


def _decline_to_open(draft: Draft, context: Context, player: str, command: Pass) -> None:
    decline_to_open(draft, player)


def decline_to_open(draft: Draft, player: str) -> None:
    """The player opens no auction; when all did so in turn the round is over (1862/4.1-j)."""
    draft.emit(PlayerPassed(player))
    if not all_declined(draft.game):
        _next_opener(draft)


def all_declined(game: Game) -> bool:
    """Whether all players in turn opened no auction."""
    return len(game.current_round.passed_in_succession) == len(game.players)


def _opening_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    most, step = highest_bid(game, context.data, player), figures_of(context.data).bid_step
    for symbol in openable(game, context.data) if most >= 0 else ():
        yield Choice(player, Bid(symbol, 0), "price", 0, most, step)


def _raise_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    auction = auction_at_hand(game)
    step = figures_of(context.data).bid_step
    least, most = auction.price + step, highest_bid(game, context.data, player)
    if least <= most:
        yield Choice(player, Bid(auction.company, least), "price", least, most, step)


def _opener(game: Game, context: Context) -> tuple[str, ...]:
    return (game.actor,)


def _bidder(game: Game, context: Context) -> tuple[str, ...]:
    return (asked_to_bid(game),)


def _out_of_auction(game: Game, context: Context, player: str) -> None:
    """A player who passed stays out of this auction (1862/4.1-d)."""
    auction = auction_at_hand(game)
    reject_if(player not in auction.bidders, "auction_lost", "1862/4.1-d", auction.company)


def _winner(game: Game, context: Context) -> tuple[str, ...]:
    return (auction_at_hand(game).leader,)


OPEN_AUCTION = Step(
    "open_auction",
    {
        Bid: Action(_check_opening_bid, _open_auction, _opening_candidates),
        Pass: Action(never_refused, _decline_to_open, pass_candidates),
    },
    _opener,
)
BID = Step(
    "bid",
    {
        Bid: Action(_check_raise, _bid, _raise_candidates),
        Pass: Action(never_refused, _leave_auction, pass_candidates),
    },
    _bidder,
    _out_of_auction,
)
START = start_action(
    StartTerms(
        lambda game, context, player: (auction_at_hand(game).company,),
        _check_company,
        _start,
        not_offered="1862/4.2-c",
        too_dear="1862/4.2-e",
    )
)
MORE = purchase_action(PurchaseTerms(_check_more, wanted_number, _par, _more, _close_if_through))
OPEN_COMPANY = Step("open_company", {StartCompany: START}, _winner)
BUY_MORE = Step(
    "buy_more_shares",
    {
        BuyCertificate: MORE,
        Pass: Action(never_refused, _decline_more, pass_candidates),
    },
    _winner,
)


def step_of(game: Game) -> Step:
    """The step of a parliamentary round at hand."""
    auction = auction_of(game)
    if auction is None:
        return OPEN_AUCTION
    if not auction.won:
        return BID
    return BUY_MORE if companies_of(game)[auction.company].par else OPEN_COMPANY


def advance(draft: Draft, context: Context) -> bool:
    """Carry the round on; true when a player has to decide, false when all declined to open an auction."""
    while auction_of(draft.game) is None:
        if all_declined(draft.game):
            return False
        if may_open_auction(draft.game, context.data, draft.game.actor):
            break
        decline_to_open(draft, draft.game.actor)
    name = step_of(draft.game).name
    if draft.game.current_round.step != name:
        draft.emit(StepStarted(name))
    return True


def end_round(draft: Draft, context: Context) -> None:
    """Nothing but the end itself."""
    draft.emit(RoundEnded("1862.parliamentary"))
