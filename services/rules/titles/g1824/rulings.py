"""The rulings of 1824: where the rulebook leaves a question open or another platform plays otherwise.

The first value of each is what the rulebook says, or the reading chosen for it; `peer` is what profile `18xx.games` plays.
"""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice, ruling_check
from services.rules.titles.g1824.cisleithaniarulings import CISLEITHANIA

RULINGS = (
    RulingChoice(
        "starting_cash",
        ("from_bank", "beside_bank"),
        "from_bank",
        ("1824/III.4-a",),
        "Does the players' starting cash come out of the bank's 12,000?",
    ),
    RulingChoice(
        "mountain_forced_exchange",
        ("must_exchange", "may_discard"),
        "may_discard",
        ("1824/IV.1-h",),
        "At the first 4-train, may the owner discard a mountain company instead of exchanging it?",
    ),
    RulingChoice(
        "mountain_companies_in_certificate_limit",
        ("not_counted", "counted"),
        "counted",
        ("1824/IV.1-n",),
        "Do mountain companies count toward the certificate limit?",
    ),
    RulingChoice(
        "forced_coal_exchange_price",
        ("no_move", "one_down"),
        "no_move",
        ("1824/IV.2-o",),
        "Does the forced coal exchange move the regional's marker down like a sale, or only count as held?",
    ),
    RulingChoice(
        "forced_coal_exchange_opening",
        ("end_of_round", "at_once"),
        "at_once",
        ("1824/IV.2-p",),
        "When does a regional open that a forced coal exchange brings to its opening condition?",
    ),
    RulingChoice(
        "coal_exchange_majority",
        ("swap", "no_swap"),
        "no_swap",
        ("1824/IV.2-m",),
        "Does a bigger shareholder get the director's certificate at the coal exchange, or the office alone?",
    ),
    RulingChoice(
        "holders_counted",
        ("as_held", "by_list"),
        "by_list",
        ("1824/VI.6-b", "1824/VI.6-c", "1824/VI.6-e", "1824/VII.12-d"),
        "Who has most shares: is that seen from the certificates, or from a list of trades which swaps of certificates leave "
        "as it is, so that a director without the director's certificate may sell all?",
    ),
    RulingChoice(
        "coal_token_after_exchange",
        ("removed", "blocks"),
        "blocks",
        ("1824/IV.2-s",),
        "Does the coal company's token leave the mine, or does a neutral token stay there?",
    ),
    RulingChoice(
        "regional_opening",
        ("all_players", "one_player"),
        "all_players",
        ("1824/VI.5-a", "1824/IV.4.2-b", "1824/IV.4.3-d"),
        "Are the 50 % that open a regional counted over all players, or must one player hold them?",
    ),
    RulingChoice(
        "regional_without_price",
        ("no_director", "biggest_holder"),
        "no_director",
        ("1824/IV.1-l", "1824/IV.4.1-f"),
        "Do 20 % from mountain exchanges bring the director's certificate of a regional whose price nobody has set yet?",
    ),
    RulingChoice(
        "trains_of_unopened_regional",
        ("kept", "for_sale"),
        "for_sale",
        ("1824/IV.2-r",),
        "May other companies buy the trains that a regional inherited, before it opens?",
    ),
    RulingChoice(
        "missing_pre_state_capital",
        ("added", "share_only"),
        "share_only",
        ("1824/IV.4.4-i",),
        "Does a state get the capital of a pre-state company not in play on top of the price of the released share?",
    ),
    RulingChoice(
        "state_director_certificate",
        ("at_20_percent", "at_formation"),
        "at_formation",
        ("1824/VI.3-g",),
        "When pre-state 1 was not sold, is the director's certificate swapped when a player reaches 20 %, or at formation?",
    ),
    RulingChoice(
        "state_without_director",
        ("idle", "operates"),
        "operates",
        ("1824/IV.4.4-k",),
        "Does a state without director do nothing at all, or place tokens, run and divide at a shareholder's choice?",
    ),
    RulingChoice(
        "home_spaces",
        ("as_many", "numbered"),
        "numbered",
        ("1824/IV.4.4-h", "1824/VII.8-g"),
        "Does a city keep as many spaces as base tokens are to come, or those of their numbers: for a state without pre-states "
        "that of its printed city, added where there are fewer?",
    ),
    RulingChoice(
        "returned_state_token",
        ("second_cost", "last_one_free"),
        "last_one_free",
        ("1824/VII.8-c", "1824/VII.8-d"),
        "When the director gives back the first of two state tokens, does each token keep its cost, or is the last free?",
    ),
    RulingChoice(
        "sale_needs",
        ("opened", "operated"),
        "operated",
        ("1824/VI.8-a",),
        "Must a company be open, or have had a turn, before its shares may be sold?",
    ),
    RulingChoice(
        "bank_limit_for_sales",
        ("before_sale", "after_sale"),
        "after_sale",
        ("1824/VI.8-b",),
        "Is a sale refused when the bank has 50 % before it, or when it would have more than 50 % after it?",
    ),
    RulingChoice(
        "operating_rounds_in_phase_5",
        ("two", "three"),
        "three",
        ("1824/VII.1-d", "1824/VII.14-k"),
        "How many operating rounds follow a stock round in phase 5?",
    ),
    RulingChoice(
        "upgrade_connection",
        ("least_restrictive", "new_track_or_value"),
        "new_track_or_value",
        ("1824/VII.7-b",),
        "Is any connected track on the upgraded tile enough, or must new track be reached or a city's value change?",
    ),
    RulingChoice(
        "one_stop_per_hex",
        ("cities", "none"),
        "cities",
        ("1824/VII.9-h",),
        "May one run visit two different cities of one hex?",
    ),
    RulingChoice(
        "best_run",
        ("required", "free"),
        "free",
        ("1824/VII.10-e",),
        "Must the trains make the highest-earning run?",
    ),
    RulingChoice(
        "train_sale_between_directors",
        ("asked", "not_asked"),
        "not_asked",
        ("1824/VII.11-t", "1824/VII.11-v"),
        "Must the director of the selling company agree when a company of another director buys its train?",
    ),
    RulingChoice(
        "goods_trains_at_first_10",
        ("removed", "kept"),
        "kept",
        ("1824/VII.14-o", "1824/VII.11-h"),
        "Does the first 10-train remove the remaining 1g-, 2g- and 3g-trains?",
    ),
    RulingChoice(
        "emergency_purchase",
        ("no_train_affordable", "any_train"),
        "any_train",
        ("1824/VII.12-a", "1824/VII.12-i"),
        "May the director help a company without train to a dearer one while it could pay for a cheaper one itself?",
    ),
    RulingChoice(
        "emergency_sales",
        ("as_needed", "any_time"),
        "any_time",
        ("1824/VII.12-c", "1824/VII.12-k"),
        "May a director sell shares only for a forced purchase and no more than it needs, or whenever trains are bought?",
    ),
    RulingChoice(
        "emergency_director_change",
        ("forbidden", "other_companies"),
        "other_companies",
        ("1824/VII.12-d",),
        "May shares sold while trains are bought change the director of a company other than the one at turn?",
    ),
    RulingChoice(
        "export_needs_first_2_train",
        ("yes", "no"),
        "no",
        ("1824/VII.15-a",),
        "Is a train exported only after the first 2-train has been bought?",
    ),
    RulingChoice(
        "coal_and_pre_states_in_certificate_limit",
        ("counted", "not_counted"),
        "counted",
        ("1824/VI.7-b",),
        "Do coal and pre-state companies count toward the certificate limit?",
    ),
    RulingChoice(
        "passes_in_initial_round",
        ("in_succession", "once"),
        "once",
        ("1824/VI.2-b", "1824/VI.3-c"),
        "Does a pass of the reversed first lap still count after another player has bought since?",
    ),
    RulingChoice(
        "debt_repayment",
        ("no_action", "action"),
        "action",
        ("1824/VI.2-b", "1824/VI.2-c"),
        "Is paying back debt an action like a purchase or a sale, which keeps a turn from being a pass and moves the "
        "priority card?",
    ),
    RulingChoice(
        "repeated_sales_in_one_turn",
        ("each_moves", "first_moves"),
        "each_moves",
        ("1824/VIII.3-a",),
        "When a player sells a company several times in one turn, does every sale move its marker, or only the first?",
    ),
    RulingChoice(
        "debt_at_game_end",
        ("subtracted", "ignored"),
        "subtracted",
        ("1824/IX.2-a",),
        "Is a player's debt taken off his final wealth?",
    ),
    RulingChoice(
        "private_companies_at_game_end",
        ("nothing", "price_paid"),
        "price_paid",
        ("1824/IX.2-a",),
        "Do mountain, coal and pre-state companies still open at the end count nothing, or what was paid for them?",
    ),
    RulingChoice(
        "bank_broken",
        ("empty", "owing"),
        "owing",
        ("1824/IX.1-a",),
        "Is the bank broken when it is empty, or only when it owes money?",
    ),
    RulingChoice(
        "bank_broken_between_rounds",
        ("this_set", "next_set"),
        "next_set",
        ("1824/IX.1-a",),
        "Does a bank that the formation of a state breaks after the last operating round of a set end the game with this set or "
        "with the next?",
    ),
    RulingChoice(
        "states_at_game_end",
        ("form", "do_not_form"),
        "do_not_form",
        ("1824/IV.4.4-c", "1824/IX.1-a"),
        "Does a state whose train came out in the very last operating round still form before the count?",
    ),
    RulingChoice(
        "idle_turns",
        ("skipped", "asked"),
        "asked",
        ("1824/VI.2-b", "1824/VII.5-b"),
        "Is one who can only pass asked all the same while something is on offer that he cannot pay or own, or no tile fits?",
    ),
    RulingChoice(
        "exchange_for_company_sold",
        ("refused", "allowed"),
        "allowed",
        ("1824/VI.4-e", "1824/IV.1-f"),
        "May a player exchange a mountain company, which counts as a purchase, for a share of a company that he sold in the same "
        "stock round?",
    ),
    RulingChoice(
        "coal_exchange_after_sale",
        ("allowed", "refused"),
        "refused",
        ("1824/VI.1-c", "1824/IV.2-k"),
        "May a player who has sold shares in a turn still exchange a coal company in it?",
    ),
    RulingChoice(
        "coal_exchange_over_limit",
        ("after_selling", "allowed"),
        "allowed",
        ("1824/VI.7-c", "1824/IV.2-k"),
        "May a player above his certificate limit exchange a coal company before he sells?",
    ),
    RulingChoice(
        "trains_of_state_without_director",
        ("kept", "for_sale"),
        "for_sale",
        ("1824/VII.11-v",),
        "May the trains of a state without director be bought by other companies, for what is printed on them?",
    ),
    RulingChoice(
        "discard_order",
        ("by_first_train", "by_symbol"),
        "by_symbol",
        ("1824/VII.11-x",),
        "In which order do several companies over their train limit give up trains?",
    ),
    *CISLEITHANIA,
)

PEER_PROFILE = "18xx.games"


plays = ruling_check(RULINGS)
