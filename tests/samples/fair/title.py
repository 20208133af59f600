"""Spring Fair: an auction game without map, trains and share prices. Stalls are drawn, auctioned, built, and take money."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.conversion import Converter
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import (
    GameEnded,
    OrderChanged,
    RoundEnded,
    RoundStarted,
    StepStarted,
    TurnStarted,
)
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.scoring import ranked
from services.rules.kernel.title import Action, Context, Step, Title, never_refused
from services.rules.kernel.titlebuild import Schema, no_faults
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import actor_alone, has_choice
from services.rules.kernel.vocabulary import BANK
from services.rules.loading import header_of, loader_of
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.auctions.events import (
    AuctionClosed,
    AuctionOpened,
    AuctionPassed,
    AuctionWon,
    BidMade,
)
from services.rules.parts.auctions.part import AUCTIONS
from services.rules.parts.auctions.state import Auction, auction_of
from services.rules.parts.presentation import PRESENTATION, Presentation
from services.rules.parts.shares.data import cards_of, shares_reader
from services.rules.parts.shares.events import CompanyBought, CompanyReset
from services.rules.parts.shares.part import SHARES
from services.rules.parts.shares.shares import DIRECTOR, add_company, move_certificates
from services.rules.parts.shares.state import companies_of
from tests.samples.fair.own import OWN, Figures, Stall, StallDrawn, State

FOLDER = Path(__file__).parent
HEADER = header_of(FOLDER)
SCHEMA = Schema(Converter(Figures), (shares_reader(Converter(Stall), no_faults),))
BID = "bid"


def stall_of(data: TitleData, symbol: str) -> Stall:
    """The printed stall."""
    card = cards_of(data)[symbol]
    assert isinstance(card, Stall)
    return card


def auction_at_hand(game: Game) -> Auction:
    """The auction; somebody is asked only while there is one."""
    auction = auction_of(game)
    if auction is None:
        raise Rejected("wrong_step")
    return auction


def _range(game: Game, data: TitleData, player: str) -> tuple[int, int]:
    """The lowest bid that is high enough, and the highest that leaves enough for the builder."""
    auction, step = auction_at_hand(game), data.figures.bid_step
    left = game.money(player) - stall_of(data, auction.company).price
    return auction.price + step, left // step * step


def _check(game: Game, context: Context, player: str, command: Bid) -> None:
    least, most = _range(game, context.data, player)
    company = auction_at_hand(game).company
    reject_if(command.company != company, "company_not_offered", "fair/1", command.company)
    proper = command.price >= least and command.price % context.data.figures.bid_step == 0
    reject_if(not proper, "bid_not_allowed", "fair/1", str(command.price))
    reject_if(command.price > most, "fair.keep_for_builder", "fair/2", str(most))


def _bid(draft: Draft, context: Context, player: str, command: Bid) -> None:
    draft.emit(BidMade(player, command.company, command.price))
    _hand_on(draft, context)


def _pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(AuctionPassed(player, auction_at_hand(draft.game).company))
    _hand_on(draft, context)


def _bids(game: Game, context: Context, player: str) -> Iterator[Choice]:
    least, most = _range(game, context.data, player)
    if least <= most:
        company = auction_at_hand(game).company
        yield Choice(player, Bid(company, least), "price", least, most, context.data.figures.bid_step)


def _turn_away(game: Game, context: Context, player: str) -> None:
    auction = auction_at_hand(game)
    reject_if(player not in auction.bidders, "auction_lost", "fair/1", auction.company)


STEP = Step(
    BID,
    {Bid: Action(_check, _bid, _bids), Pass: Action(never_refused, _pass, pass_candidates)},
    actor_alone,
    _turn_away,
)


def _hand_on(draft: Draft, context: Context) -> None:
    """The next bidder in the order; the auction is over when only the leader is left, or nobody."""
    auction = auction_at_hand(draft.game)
    others = [player for player in auction.bidders if player != auction.leader]
    if others:
        order, at = draft.game.current_round.order, draft.game.current_round.position
        following = [(at + step) % len(order) for step in range(1, len(order) + 1)]
        draft.emit(TurnStarted(next(place for place in following if order[place] in others)))
    elif auction.leader:
        _award(draft, context, auction)
    else:
        # A stall that nobody wants goes back into the bag.
        draft.emit(CompanyReset(auction.company))
        draft.emit(AuctionClosed(auction.company))


def _award(draft: Draft, context: Context, auction: Auction) -> None:
    """The winner pays the bid and the builder, and bids last from now on."""
    winner, symbol = auction.leader, auction.company
    price = stall_of(context.data, symbol).price
    draft.emit(AuctionWon(winner, symbol, auction.price))
    draft.pay(winner, BANK, auction.price, "auction_won", symbol)
    draft.pay(winner, BANK, price, "company_bought", symbol)
    move_certificates(draft, symbol, (DIRECTOR,), BANK, winner, "bought")
    draft.emit(CompanyBought(symbol, winner, price))
    draft.emit(AuctionClosed(symbol))
    order = draft.game.current_round.order
    draft.emit(OrderChanged((*(player for player in order if player != winner), winner)))


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal money, and begin the first round."""
    data, players = context.data, command.players
    deal_cash(draft)
    for symbol in cards_of(data):
        add_company(draft, symbol)
    draft.emit(RoundStarted("fair.auction", 1, 1, data.figures.rounds, players))


def advance(draft: Draft, context: Context) -> None:
    """Draw stalls and auction them until somebody can bid, or the fair is over; who cannot is out of the auction."""
    data = context.data
    while not draft.game.finished:
        if auction_of(draft.game) is not None:
            if has_choice(STEP, draft.game, context, draft.game.actor):
                return
            _pass(draft, context, draft.game.actor, Pass())
            continue
        current, drawn = draft.game.current_round, State.of(draft.game).drawn
        if len(drawn) < current.number * data.figures.stalls_per_round:
            _open_auction(draft, data, drawn)
            continue
        for symbol, stall in companies_of(draft.game).items():
            if stall.director:
                draft.pay(BANK, stall.director, stall_of(data, symbol).takings, "company_income", symbol)
        draft.emit(RoundEnded(current.kind))
        if current.number == current.count:
            draft.emit(GameEnded("fair.over", ranked(draft.game, data, player_value)))
        else:
            draft.emit(RoundStarted(current.kind, 1, current.number + 1, current.count, current.order))


def _open_auction(draft: Draft, data: TitleData, drawn: tuple[str, ...]) -> None:
    """The next stall of the bag: the seed says which one."""
    bag = [symbol for symbol, stall in companies_of(draft.game).items() if not stall.bought]
    stall = bag[draft.game.seed // len(cards_of(data)) ** len(drawn) % len(bag)]
    draft.emit(StallDrawn(stall))
    draft.emit(AuctionOpened(stall, draft.game.current_round.order))
    draft.emit(TurnStarted(0))
    draft.emit(StepStarted(BID))


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash, and what the stalls cost."""
    owned = (each.price_paid for each in companies_of(game).values() if each.director == player)
    return game.money(player) + sum(owned)


TITLE = Title(
    name="fair",
    parts=(SHARES, AUCTIONS),
    own=OWN,
    options=HEADER.options,
    player_counts=HEADER.player_counts,
    rulings=(),
    load=loader_of(FOLDER, SCHEMA),
    set_up=set_up,
    advance=advance,
    step_of=lambda game, context: STEP if auction_of(game) is not None else None,
    player_value=player_value,
    certificate_limit=lambda game, data: len(cards_of(data)),
    capabilities={PRESENTATION: Presentation(round_names={"fair.auction": ("auction round", "AR")})},
)
