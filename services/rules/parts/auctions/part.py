"""The part of the rules that knows auctions."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.part import Part
from services.rules.parts.auctions.commands import COMMANDS
from services.rules.parts.auctions.events import EVENTS
from services.rules.parts.auctions.sentences import SENTENCES
from services.rules.parts.auctions.state import AuctionRound, AuctionState

REASONS: Mapping[str, str] = {
    "bid_not_allowed": "a bid is a multiple of the step and higher than the last",
    "auction_lost": "the player is not in this auction any more",
}

AUCTIONS = Part(
    "auctions",
    events=EVENTS,
    sentences=SENTENCES,
    commands=COMMANDS,
    state=AuctionState,
    round_note=AuctionRound,
    reasons=REASONS,
)
