"""Why commands of 1865 alone are rejected."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "1865.maritime_unknown": "the game has no such sea company",
    "1865.maritime_taken": "somebody has this sea company already",
    "1865.maritime_not_owned": "the player does not have this sea company",
    "1865.company_not_operated": "shares of a company that has not operated cannot be sold",
    "1865.pool_limit": "the bank pool would have too much of the company",
    "1865.percent_limit": "the player would have too much of the company",
    "1865.president_not_replaced": "nobody else has enough shares to become president",
    "1865.not_absorbed": "only a company that was absorbed is launched anew",
    "1865.home_not_free": "a home is a city with a free slot",
    "1865.home_not_chosen": "a company that was absorbed is launched with a home of the player's choice",
    "1865.mine_fixed": "mines change only at the start of a stock round",
    "1865.no_direct_route": "no direct route leads along these hexes",
    "1865.mine_of_district": "the company has a token in a mine of this district",
    "1865.sell_first": "the president has to sell shares before the bank lends",
    "1865.bank_only": "the president helps only with a train of the bank",
    "1865.absorption_not_possible": "the company cannot absorb the other",
    "1865.not_operated_yet": "both companies must have operated",
    "1865.other_president": "both companies need the same president",
    "1865.operated_this_round": "the company has operated in this round",
    "1865.not_joined": "the companies are not joined by a direct route or a common city",
    "1865.without_means": "the company cannot pay the shareholders of the other",
    "1865.tokens_not_joined": "every token has to be joined to another one by a direct route",
    "1865.tokens_left_out": "all tokens that can be replaced have to be",
    "1865.tokens_unknown": "these are not tokens that can be replaced or given up",
}
