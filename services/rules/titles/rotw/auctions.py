"""Auctions of shares: the opening ones before the first turn, and those of new shares at the end of every turn (auction-a to
-n, newauction-a to -h)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.decide import LARGEST_NUMBER
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved, RoundEnded, RoundStarted, StepStarted, TurnStarted
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step, never_refused
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import actor_alone, clockwise_from, has_choice
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
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import move_certificates, seats_after
from services.rules.titles.rotw.commands import NameShare
from services.rules.titles.rotw.control import settle_control
from services.rules.titles.rotw.events import NamingEnded, ShareNamed
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.financing import AVAILABLE, ISSUED
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import NamedShare, RoundNote, own

OPENING: Final = "rotw.opening"
NEW_SHARES: Final = "rotw.new_shares"
NAME: Final = "name_share"
BID: Final = "bid"


def _sources(game: Game) -> tuple[str, ...]:
    """Where shares are auctioned from in this round."""
    return (AVAILABLE,) if game.current_round.kind == OPENING else (AVAILABLE, ISSUED)


def _names_once(game: Game) -> bool:
    """Whether each player names one share in this round at most."""
    return game.current_round.kind == NEW_SHARES and plays(game, "new_auctions", "once_each")


def _takes_part(game: Game, player: str) -> bool:
    """Whether the player can still bid in this round: one who passed instead of naming a share cannot (auction-i)."""
    return _names_once(game) or player not in RoundNote.of_round(game).done


def _check_name(game: Game, context: Context, player: str, command: NameShare) -> None:
    data, company = context.data, command.company
    reject_if(company not in cards_of(data), "unknown_company", detail=company)
    there = command.source in _sources(game) and bool(game.held(command.source, company))
    clause = "rotw/auction-n" if game.current_round.kind == OPENING else "rotw/newauction-b"
    reject_if(not there, "rotw.share_not_there", clause, command.source)
    least = price_of(game, data, company)
    clause = "rotw/auction-c" if game.current_round.kind == OPENING else "rotw/newauction-e"
    proper = command.price >= least and command.price % figures_of(data).banknote == 0
    reject_if(not proper, "bid_not_allowed", clause, str(command.price))
    check_cash(game, player, command.price, "rotw/auction-m")


def _name(draft: Draft, context: Context, player: str, command: NameShare) -> None:
    bidders = tuple(each for each in clockwise_from(draft.game, player) if _takes_part(draft.game, each))
    draft.emit(ShareNamed(player, command.company, command.source))
    draft.emit(AuctionOpened(command.company, bidders))
    draft.emit(BidMade(player, command.company, command.price))
    _hand_on(draft)


def _most(game: Game, player: str, step: int) -> int:
    """The highest bid that the player can pay and a command can name."""
    return min(game.money(player), LARGEST_NUMBER) // step * step


def _names(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data, step = context.data, figures_of(context.data).banknote
    most = _most(game, player, step)
    for company in cards_of(data):
        for source in _sources(game):
            least = price_of(game, data, company)
            yield Choice(player, NameShare(company, source, least), "price", least, most, step)


def _end_naming(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(NamingEnded(player))
    _name_next(draft, player)


def _auction(game: Game) -> Auction:
    """The auction under way; what asks for it has its place in no other step."""
    auction = auction_of(game)
    assert auction is not None
    return auction


def _check_bid(game: Game, context: Context, player: str, command: Bid) -> None:
    auction, figures = _auction(game), figures_of(context.data)
    reject_if(command.company != auction.company, "company_not_offered", "rotw/auction-b", command.company)
    proper = command.price >= auction.price + figures.raise_least and command.price % figures.banknote == 0
    reject_if(not proper, "bid_not_allowed", "rotw/auction-d", str(command.price))
    check_cash(game, player, command.price, "rotw/auction-m")


def _bid(draft: Draft, context: Context, player: str, command: Bid) -> None:
    draft.emit(BidMade(player, command.company, command.price))
    _hand_on(draft)


def _leave(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(AuctionPassed(player, _auction(draft.game).company))
    _hand_on(draft)


def _bids(game: Game, context: Context, player: str) -> Iterator[Choice]:
    auction, figures = _auction(game), figures_of(context.data)
    step = figures.banknote
    least, most = auction.price + figures.raise_least, _most(game, player, step)
    if least <= most:
        yield Choice(player, Bid(auction.company, least), "price", least, most, step)


def _turn_away(game: Game, context: Context, player: str) -> None:
    if not _takes_part(game, player):
        raise Rejected("rotw.out_of_auctions", "rotw/auction-i", player)
    auction = auction_of(game)
    out = auction is not None and player not in auction.bidders
    reject_if(out, "auction_lost", "rotw/auction-d", player)


_NAME = Step(
    NAME,
    {
        NameShare: Action(_check_name, _name, _names),
        Pass: Action(never_refused, _end_naming, pass_candidates),
    },
    actor_alone,
    _turn_away,
)
_BID = Step(
    BID,
    {
        Bid: Action(_check_bid, _bid, _bids),
        Pass: Action(never_refused, _leave, pass_candidates),
    },
    actor_alone,
    _turn_away,
)


def _give_turn(draft: Draft, player: str) -> None:
    draft.emit(TurnStarted(draft.game.current_round.order.index(player)))


def _hand_on(draft: Draft) -> None:
    """The next bidder clockwise is asked, as long as anybody but the leader is in the auction."""
    auction = _auction(draft.game)
    others = [
        each
        for each in seats_after(draft.game, draft.game.actor)
        if each in auction.bidders and each != auction.leader
    ]
    if others:
        _give_turn(draft, others[0])


def _name_next(draft: Draft, player: str) -> None:
    """The next player clockwise after this one who may still name shares."""
    done = RoundNote.of_round(draft.game).done
    others = [each for each in (*seats_after(draft.game, player), player) if each not in done]
    if others:
        _give_turn(draft, others[0])


def _award(draft: Draft, data: TitleData, auction: Auction, named: NamedShare) -> None:
    """The winner pays the company, or the bank for a share that was issued, and gets the share (auction-e, newauction-c,
    newauction-d)."""
    winner, company = auction.leader, auction.company
    draft.emit(AuctionWon(winner, company, auction.price))
    receiver = company if named.source == AVAILABLE else BANK
    draft.pay(winner, receiver, auction.price, "auction_won", company)
    number = draft.game.held(named.source, company)[0]
    move_certificates(draft, company, (number,), named.source, winner, "bought")
    draft.emit(AuctionClosed(company))
    settle_control(draft, company)
    if _names_once(draft.game):
        draft.emit(NamingEnded(named.player))
    again = winner != named.player and plays(draft.game, "after_a_lost_auction", "same_player")
    if again and not _names_once(draft.game):
        _give_turn(draft, named.player)
    else:
        _name_next(draft, named.player)


def _advance(draft: Draft, context: Context) -> bool:
    """Carry the auctions on until somebody can name a share or raise a bid; false when all players are done."""
    while True:
        game, auction = draft.game, auction_of(draft.game)
        if auction is None:
            if len(RoundNote.of_round(game).done) == len(game.players):
                return False
            step = _NAME
        elif not set(auction.bidders) - {auction.leader}:
            named = own(game).named
            assert named is not None, "an auction is of a named share"
            _award(draft, context.data, auction, named)
            continue
        else:
            step = _BID
        if has_choice(step, game, context, game.actor):
            if game.current_round.step != step.name:
                draft.emit(StepStarted(step.name))
            return True
        step.actions[Pass].perform(draft, context, game.actor, Pass())


def start_round(draft: Draft, kind: str, turn: int) -> None:
    """Begin auctions, with the player who has the first-player marker."""
    draft.emit(RoundStarted(kind, turn, 1, 1, clockwise_from(draft.game, draft.game.priority)))
    draft.emit(TurnStarted(0))


def _end_round(draft: Draft, context: Context) -> None:
    """The marker goes to the left of the player who won the last auction; it stays if nobody won (auction-l, newauction-g)."""
    won = auction_round(draft.game).won
    if won:
        draft.emit(PriorityMoved(seats_after(draft.game, won[-1])[0]))
    draft.emit(RoundEnded(draft.game.current_round.kind))


def _step_of(game: Game) -> Step:
    return _NAME if auction_of(game) is None else _BID


ROUND: Final = RoundRules(_step_of, _advance, _end_round)
