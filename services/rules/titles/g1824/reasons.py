"""Why a command is rejected, where only 1824 knows the reason."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "1824.not_your_company": "the player does not decide for this company",
    "1824.holding_limit": "a player holding 60 % or more may not buy more",
    "1824.in_debt": "a player in debt may not buy",
    "1824.company_not_operated": "the shares cannot be sold before the company operates",
    "1824.bank_limit": "the bank may not take more of this company",
    "1824.director_not_replaced": "nobody else could become director",
    "1824.exchange_not_possible": "the exchange is not allowed now",
    "1824.stack_order": "the company is in none of the stacks that may be chosen from now",
    "1824.trade_in_not_possible": "the train cannot be handed in for this one",
    "1824.no_debt": "the player owes nothing, or less",
    "1824.token_reserved": "the last free slot is kept for the company at home there",
    "1824.route_mine_train": "mines are served by goods trains, one at one end",
    "1824.trains_share_track": "two trains of the company use the same track",
}
