"""Writes down openings of companies and exchanges of shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.evolve_base import BrokenLog, company_of
from services.rules.domain.game import Auction, Exchange, Game, Option


def _company_offered(game: Game, event: e.CompanyOffered) -> None:
    licences = (event.licence,) if event.licence else ()
    game.companies[event.company] = replace(
        company_of(game, event.company), offered_from=event.phase, licence=event.licence, licences=licences
    )


def _auction_opened(game: Game, event: e.AuctionOpened) -> None:
    game.auction = Auction(event.company, event.bidders)


def _auction(game: Game) -> Auction:
    if game.auction is None:
        raise BrokenLog("no auction is open")
    return game.auction


def _bid_made(game: Game, event: e.BidMade) -> None:
    game.auction = replace(_auction(game), leader=event.player, price=event.price)


def _auction_passed(game: Game, event: e.AuctionPassed) -> None:
    auction = _auction(game)
    game.auction = replace(auction, bidders=tuple(each for each in auction.bidders if each != event.player))


def _auction_won(game: Game, event: e.AuctionWon) -> None:
    game.auction = replace(_auction(game), leader=event.player, price=event.price, bidders=(), won=True)
    game.round = replace(game.current_round, won=(*game.current_round.won, event.player))


def _auction_closed(game: Game, event: e.AuctionClosed) -> None:
    game.auction = None


def _obligation_taken(game: Game, event: e.ObligationTaken) -> None:
    game.obligations = (*game.obligations, (event.player, event.company))


def _obligation_ended(game: Game, event: e.ObligationEnded) -> None:
    ended = (event.player, event.company)
    game.obligations = tuple(each for each in game.obligations if each != ended)
    if not event.met:
        game.failed = (*game.failed, event.company)


def _exchange_started(game: Game, event: e.ExchangeStarted) -> None:
    game.exchange = Exchange(event.kind, event.company, event.other, event.player, event.price, event.holders)


def _exchange(game: Game) -> Exchange:
    if game.exchange is None:
        raise BrokenLog("no exchange of shares is under way")
    return game.exchange


def _option_marked(game: Game, event: e.OptionMarked) -> None:
    exchange = _exchange(game)
    option = Option(event.holder, event.company, event.number, event.redeem_price, event.give_up_price)
    others = tuple(each for each in exchange.options if each.holder != event.holder)
    game.exchange = replace(exchange, options=(*others, option))


def _option_settled(game: Game, event: e.OptionSettled) -> None:
    exchange = _exchange(game)
    left = tuple(each for each in exchange.options if each.holder != event.holder)
    game.exchange = replace(exchange, options=left)


def _holder_settled(game: Game, event: e.HolderSettled) -> None:
    exchange = _exchange(game)
    left = tuple(holder for holder in exchange.holders if holder != event.holder)
    game.exchange = replace(exchange, holders=left)


def _exchange_ended(game: Game, event: e.ExchangeEnded) -> None:
    game.exchange = None


WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    e.CompanyOffered: _company_offered,
    e.AuctionOpened: _auction_opened,
    e.BidMade: _bid_made,
    e.AuctionPassed: _auction_passed,
    e.AuctionWon: _auction_won,
    e.AuctionClosed: _auction_closed,
    e.ObligationTaken: _obligation_taken,
    e.ObligationEnded: _obligation_ended,
    e.ExchangeStarted: _exchange_started,
    e.OptionMarked: _option_marked,
    e.OptionSettled: _option_settled,
    e.HolderSettled: _holder_settled,
    e.ExchangeEnded: _exchange_ended,
}
