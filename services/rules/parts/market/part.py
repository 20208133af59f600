"""The part of the rules that knows the price chart."""

from __future__ import annotations

from services.rules.kernel.part import Part
from services.rules.parts.market.events import EVENTS
from services.rules.parts.market.printed import PrintedMarket, printed
from services.rules.parts.market.sentences import SENTENCES
from services.rules.parts.market.state import MarketState

MARKET = Part(
    "market",
    events=EVENTS,
    sentences=SENTENCES,
    state=MarketState,
    printed=printed,
    printed_type=PrintedMarket,
)
