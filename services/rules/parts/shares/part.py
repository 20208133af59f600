"""The part of the rules that knows companies and their shares."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.part import Part
from services.rules.parts.shares.commands import COMMANDS
from services.rules.parts.shares.events import EVENTS
from services.rules.parts.shares.printed import PrintedCompanies, printed
from services.rules.parts.shares.sentences import SENTENCES
from services.rules.parts.shares.state import SharesState, StockRound, StockTurn

REASONS: Mapping[str, str] = {
    "unknown_company": "the title has no such company",
    "unknown_certificate": "the company has no such certificate",
    "company_not_offered": "the company cannot be bought now",
    "company_closed": "the company is not in play",
    "price_not_offered": "that price is not on offer",
    "already_bought": "only one purchase a turn",
    "buy_before_sell": "sales come before the purchase",
    "sold_this_round": "a player who sold shares of a company may not buy it again in the same stock round",
    "company_without_price": "the company has no price yet",
    "company_has_price": "the company already has a price",
    "certificate_reserved": "the certificate is kept for an exchange",
    "certificate_not_available": "no such certificate is to be had there",
    "certificate_limit": "the player would exceed the certificate limit",
    "shares_not_owned": "the player does not hold these certificates",
    "sales_forbidden": "nothing can be sold now",
    "director_would_change": "an emergency sale may not change a director",
    "must_sell": "the player has to sell down to the certificate limit first",
}

SHARES = Part(
    "shares",
    events=EVENTS,
    sentences=SENTENCES,
    commands=COMMANDS,
    state=SharesState,
    turn_note=StockTurn,
    round_note=StockRound,
    reasons=REASONS,
    printed=printed,
    printed_type=PrintedCompanies,
)
