"""Sentences about the events of auctions."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "AuctionOpened": Template("{company} is put to auction among {bidders}"),
    "BidMade": Template("{player} bids {price} for {company}"),
    "AuctionPassed": Template("{player} is out of the auction of {company}"),
    "AuctionWon": Template("{player} wins {company} for {price}"),
    "AuctionClosed": detail("The auction of {company} is over"),
}
