"""The rulings of 1865: where the synopsis leaves a question open, or another source plays otherwise.

The first value of each is what the synopsis says, or the reading chosen for it. No platform with recorded games plays this
title, so `peer` is the same."""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice, ruling_check


def _ruling(name: str, values: tuple[str, ...], clauses: tuple[str, ...], question: str) -> RulingChoice:
    return RulingChoice(name, values, values[0], clauses, question)


RULINGS: tuple[RulingChoice, ...] = (
    _ruling(
        "maritime_income",
        ("each_operating_round", "each_set"),
        ("1865/3-a",),
        "Do sea companies pay at the start of every operating round, or once for the two that follow each other?",
    ),
    _ruling(
        "train_duty",
        ("always", "with_traffic"),
        ("1865/5.5-f",),
        "Must every company own a train at the end of its turn, or only one that has traffic?",
    ),
    _ruling(
        "handing_over",
        ("any_owner", "president"),
        ("1865/3-b",),
        "May any player hand sea companies to the railway at turn, or its president alone?",
    ),
    _ruling(
        "rank_above_the_table",
        ("capped", "counted"),
        ("1865/1-e",),
        "Does a rank above 16 count as 16, or in full when the Dragons compare ranks?",
    ),
    _ruling(
        "operating_order",
        ("fixed", "follows_prices"),
        ("1865/5-a",),
        "Is the order of companies that of the start of the operating round, or do those still to come follow their prices?",
    ),
    _ruling(
        "trains_above_the_limit",
        ("bank_pool", "out_of_game"),
        ("1865/5.5-m", "1865/6.3-a"),
        "Do the smallest trains of a company above its limit go to the bank pool, where they can be bought, or out of the game?",
    ),
    _ruling(
        "mine_levels",
        ("one", "all_due"),
        ("1865/4.1-e",),
        "Does a stock round lower a mine by one level at most, or at once to the colour of the phase?",
    ),
    _ruling(
        "end_of_stock_round",
        ("all_and_dragons_pass", "all_players_pass"),
        ("1865/4.2-d",),
        "Does a deal of the Dragons between the last passes give every player another turn, or is it not counted?",
    ),
    _ruling(
        "sale_of_several_shares",
        ("at_one_price", "share_by_share"),
        ("1865/4.4-b",),
        "Is each share of one sale paid at the value before the sale, or at the value after the one before it?",
    ),
    _ruling(
        "mine_with_new_token",
        ("yields_once", "yields_twice"),
        ("1865/5.3-b",),
        "Is what a mine brings when its token is placed also its yield of that operating round, or does it yield again?",
    ),
    _ruling(
        "port_in_absorption",
        ("brings_traffic", "brings_nothing"),
        ("1865/3-j",),
        "Does a port bring its traffic when an absorption joins sea company and token in one railway?",
    ),
    _ruling(
        "after_absorbing",
        ("operates", "turn_over"),
        ("1865/6-d",),
        "Does a company that absorbed another at the start of its turn operate, or is its turn over?",
    ),
    _ruling(
        "shares_sold_to_absorb",
        ("price_stays", "price_falls"),
        ("1865/6.2-b",),
        "Does the value of a company stay when it sells its own shares to pay for an absorption, or fall for each?",
    ),
    _ruling(
        "tokens_launched_anew",
        ("as_converted", "all"),
        ("1865/4.8-g",),
        "Has an absorbed company that is launched before phase 5 as many tokens as a converted one, or all of them?",
    ),
    _ruling(
        "loans_of_companies_at_the_end",
        ("not_counted", "lower_shares"),
        ("1865/7-e",),
        "Do loans of a company leave its shares at their value at the end, or lower each by its part of them?",
    ),
    _ruling(
        "dividends_of_the_offer",
        ("to_the_company", "to_nobody"),
        ("1865/5.4-d",),
        "Do shares in the initial offering pay dividends to the company, or to nobody?",
    ),
)


plays = ruling_check(RULINGS)
