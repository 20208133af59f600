"""The rulings of 1862 on runs, dividends and trains (7.3 to 7.11)."""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice

RUNNING: tuple[RulingChoice, ...] = (
    RulingChoice(
        "receivership_run",
        ("best", "free"),
        "free",
        ("1862/7.3-c",),
        "Must the majority holder of a company in receivership run its trains for the most, subsidies included?",
    ),
    RulingChoice(
        "runs_meet",
        ("in_large_stations", "in_any_stop"),
        "in_any_stop",
        ("1862/7.8-f",),
        "Do runs hang together that have only a port, a red area or a small station in common?",
    ),
    RulingChoice(
        "joined_freight",
        ("one_route", "ends_meet"),
        "ends_meet",
        ("1862/7.8.1-g", "1862/7.8.1-l"),
        "Must joined freight trains make a route that one train could run, or is it enough that their ends meet?",
    ),
    RulingChoice(
        "counting_of_stops",
        ("for_the_most", "train_by_train"),
        "train_by_train",
        ("1862/7.8-l", "1862/7.8.3-b"),
        "Which stops are left out: those by which all trains bring the most, or are hexes of one area taken for several stops?",
    ),
    RulingChoice(
        "unmoved_marker",
        ("goes_under", "stays"),
        "stays",
        ("1862/7.8.5-g",),
        "Does a price marker that a dividend does not move go under the others on its space?",
    ),
    RulingChoice(
        "hudson_income",
        ("local_trains", "any_trains"),
        "any_trains",
        ("1862/7.8.6-a",),
        "Does the manoeuvre need 10 from local trains, or more than 10 from whatever trains?",
    ),
    RulingChoice(
        "used_train_price",
        ("next_letter_on_sale", "next_letter_bought"),
        "next_letter_bought",
        ("1862/7.9-c",),
        "When does a train fall to half its price: once the next letter is on sale, or once one of it was bought?",
    ),
    RulingChoice(
        "train_sale_between_directors",
        ("consent", "not_asked"),
        "not_asked",
        ("1862/7.9-c",),
        "Is the director asked whose company is to sell a train to a company of another director?",
    ),
    RulingChoice(
        "trains_of_bankrupt_companies",
        ("out_of_game", "on_sale"),
        "on_sale",
        ("1862/7.12-e",),
        "Do the trains of a bankrupt company leave the game, or can other companies still buy them of it?",
    ),
    RulingChoice(
        "run_after_merger",
        ("runs", "not_in_receivership"),
        "not_in_receivership",
        ("1862/5.1.1-b", "1862/7.3-c"),
        "Does a company that lost its director in the merger of this turn still run its trains in it?",
    ),
    RulingChoice(
        "forced_purchase",
        ("any_train", "bank_train"),
        "bank_train",
        ("1862/7.11-b",),
        "May a company without a train raise cash while it could pay for another company's train?",
    ),
    RulingChoice(
        "redeeming_after_refinancing",
        ("as_always", "if_possible_before"),
        "if_possible_before",
        ("1862/7.11.2-c", "1862/7.13-a"),
        "May a company redeem after a refinancing that asked holders, if it could not while they were asked?",
    ),
    RulingChoice(
        "refinancing_too_small",
        ("refinanced", "bankrupt"),
        "bankrupt",
        ("1862/7.11.2-c",),
        "Is a company refinanced all the same when even that will not pay for a train?",
    ),
)
