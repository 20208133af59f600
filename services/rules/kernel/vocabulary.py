"""The words of the log that belong to every game: who may hold things, and why money, certificates and debts move.

A reason that only one title knows is written `<title>.<reason>`, for example `1862.hudson`, and listed by that title."""

from __future__ import annotations

BANK = "bank"
POOL = "pool"
RESERVED_HOLDERS = frozenset((BANK, POOL))

# A director moved money, or a recorded game did.
CORRECTION = "correction"
ENDED_BY_DIRECTOR = "ended_by_director"

MONEY_REASONS = (
    "starting_cash",
    "certificate_bought",
    "certificate_sold",
    "company_bought",
    "capital_paid_in",
    "tile_cost",
    "token_cost",
    "train_bought",
    "company_income",
    "dividend",
    "revenue_withheld",
    "treasury_transferred",
    "auction_won",
    CORRECTION,
)
CERTIFICATE_REASONS = (
    "issued",
    "bought",
    "sold",
    "director_swap",
    "removed",
    "returned",
)
DEBT_REASONS = ("repaid",)
