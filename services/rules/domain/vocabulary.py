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
    "auction_won",
    "fine",
    "option_redeemed",
    "option_sold",
    "refinancing",
    "subsidy",
    "hudson",
    "warranty_bought",
    "share_redeemed",
    "bankruptcy_refund",
    "company_dissolved",
]
CertificateReason = Literal[
    "issued", "bought", "sold", "exchanged", "director_swap", "removed", "redeemed", "merged", "returned"
]
TrainReason = Literal[
    "bought", "granted", "transferred", "traded_in", "rusted", "exported", "discarded", "removed"
]
PriceReason = Literal["started", "dividend", "withheld", "sale", "sold_out", "no_director", "merged"]
TokenReason = Literal["home", "bought", "inherited", "blocked", "returned", "removed", "displaced"]
RoundKind = Literal["initial_stock", "stock", "operating", "parliamentary"]
InterruptKind = Literal[
    "sell_train",
    "discard_train",
    "exchange_company",
    "choose_token",
    "buy_tokens",
    "pay_fine",
    "answer_merger",
    "choose_survivor",
    "settle_option",
    "remove_token",
]
DebtReason = Literal["loan", "interest", "repaid", "fine", "forgiven"]
DividendKind = Literal["pay", "withhold", "half", "hudson"]
ServiceKind = Literal["freight", "local", "express"]
ServiceOrNone = Literal["", "freight", "local", "express"]
ExchangeKind = Literal["merger", "acquisition", "refinancing"]
TurnAction = Literal[
    "small_station",
    "merged",
    "acquired",
    "redeemed",
    "sold_treasury_shares",
    "refinanced",
    "declined_merger",
    "home_upgraded",
    "turn_over",
    "redeeming_missed",
]
CashSource = Literal["treasury_shares", "refinancing"]
UndoPolicy = Literal["free", "own_turn", "none"]
