"""The words of the log: who may hold things, and the reasons and kinds that events name."""

from __future__ import annotations

from typing import Literal

BANK = "bank"
POOL = "pool"
RESERVED_HOLDERS = frozenset((BANK, POOL))

MoneyReason = Literal[
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
    "mine_income",
    "emergency_contribution",
    "loan_taken",
    "loan_repaid",
    "treasury_transferred",
    "correction",
]
CertificateReason = Literal["issued", "bought", "sold", "exchanged", "director_swap", "removed"]
TrainReason = Literal[
    "bought", "granted", "transferred", "traded_in", "rusted", "exported", "discarded", "removed"
]
PriceReason = Literal["started", "dividend", "withheld", "sale", "sold_out", "no_director"]
TokenReason = Literal["home", "bought", "inherited", "blocked", "returned", "removed"]
RoundKind = Literal["initial_stock", "stock", "operating"]
InterruptKind = Literal["sell_train", "discard_train", "exchange_company", "choose_token"]
DebtReason = Literal["loan", "interest", "repaid"]
DividendKind = Literal["pay", "withhold", "half"]
UndoPolicy = Literal["free", "own_turn", "none"]
