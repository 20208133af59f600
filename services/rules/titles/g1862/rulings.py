"""The rulings of 1862: where the rulebook leaves a question open or another platform plays otherwise.

The first value of each is what the rulebook says, or the reading chosen for it; `peer` is what profile `18xx.games` plays.
"""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice, ruling_check
from services.rules.titles.g1862.runningrulings import RUNNING

_ROUNDS: tuple[RulingChoice, ...] = (
    RulingChoice(
        "extra_companies",
        ("by_agreement", "always"),
        "always",
        ("1862/2.4.2-a", "1862/2.4.2-b"),
        "Do 7 or 8 players play with the extra companies only when they agree on it, or always?",
    ),
    RulingChoice(
        "staying_in_an_auction",
        ("covers_standing_bid", "covers_next_bid"),
        "covers_next_bid",
        ("1862/4.1-e",),
        "Must a player's cash above 162 cover the standing bid, or already the bid he would have to make?",
    ),
    RulingChoice(
        "chartered_market_marker",
        ("at_quotation", "at_par"),
        "at_par",
        ("1862/4.2-h",),
        "Does the market marker of a chartered company come when it is quoted, or as soon as its par is set?",
    ),
    RulingChoice(
        "fine_and_failed_shares",
        ("no_refund", "credited"),
        "credited",
        ("1862/4.3-c", "1862/4.3-d"),
        "Are a debtor's shares of the failed company lost, or first credited against the fine at half price?",
    ),
    RulingChoice(
        "failed_company_available",
        ("next_stock_round", "at_once"),
        "at_once",
        ("1862/4.3-e",),
        "Can a company whose obligation failed be opened from the next stock round on, or in any round at once?",
    ),
    RulingChoice(
        "director_certificate_in_pool",
        ("never_sold", "sold_for_one_share"),
        "sold_for_one_share",
        ("1862/6.3-g",),
        "May a holder of two plain shares take a director's certificate from the pool for the price of one more?",
    ),
    RulingChoice(
        "sales_in_phase_h",
        ("price_stays", "price_falls"),
        "price_falls",
        ("1862/9.0-u", "1862/6.4.2-f"),
        "Do sales leave prices alone from the first H train on, or only once the LNER has formed?",
    ),
    RulingChoice(
        "bank_broken",
        ("empty", "negative"),
        "negative",
        ("1862/10.2-a",),
        "Has the bank run out when it holds nothing, or only when it owes?",
    ),
    RulingChoice(
        "final_rounds",
        ("valued_once", "ordinary"),
        "ordinary",
        ("1862/10.3-j",),
        "After the LNER, is each company's revenue computed once for all three rounds, or run anew in each?",
    ),
    RulingChoice(
        "trainless_shares_at_game_end",
        ("full_price", "half_price"),
        "half_price",
        ("1862/10.4-a",),
        "What are shares of a company without a train worth at the end?",
    ),
    RulingChoice(
        "monopoly_letter_in_shorter_game",
        ("F", "E", "G"),
        "F",
        ("1862/11.2-b",),
        "Which letter, not readable in print, brings the LNER with its first train in the shorter game?",
    ),
)

# 7.2, 7.6: a company's first turn, and laying track.
_TRACK: tuple[RulingChoice, ...] = (
    RulingChoice(
        "home_upgrade",
        ("in_building", "before_merging"),
        "before_merging",
        ("1862/7.2-c", "1862/7.2-h"),
        "When a full home hex has to be upgraded: as the company's building action, or before it may merge?",
    ),
    RulingChoice(
        "displaced_token",
        ("last_placed", "last_slot"),
        "last_slot",
        ("1862/7.2-e",),
        "Which token makes room for the home token: the one placed last in the hex, or the one in the last slot?",
    ),
    RulingChoice(
        "first_building",
        ("at_home", "anywhere"),
        "anywhere",
        ("1862/7.2-i", "1862/13.0-a"),
        "Must a company whose home hex is empty build there before it builds anything else?",
    ),
    RulingChoice(
        "upgrade_connection",
        ("new_track_or_station", "new_track_or_value"),
        "new_track_or_value",
        ("1862/7.6.3-e",),
        "What of an upgraded tile must the company reach: new track or any station, or new track or a higher value?",
    ),
    RulingChoice(
        "small_station_keeps",
        ("track", "sides"),
        "sides",
        ("1862/7.6.4-a",),
        "When a small station is added, does all track stay, or may track without one be joined otherwise?",
    ),
)

# 5.2, 7.5: mergers.
_MERGERS: tuple[RulingChoice, ...] = (
    RulingChoice(
        "unswapped_option",
        ("rounded_up", "rounded_down"),
        "rounded_down",
        ("1862/5.2.4-k",),
        "How is half the price rounded for an option on an absorbed share that cannot be swapped and has to be sold?",
    ),
    RulingChoice(
        "merger_between_directors",
        ("asked", "not_asked"),
        "not_asked",
        ("1862/5.1.1-a", "1862/5.1.2-a", "1862/7.5.1-a"),
        "Is the director of the other company asked before a merger, or have the players agreed at the table?",
    ),
    RulingChoice(
        "survivor_home_token",
        ("removable", "stays"),
        "stays",
        ("1862/7.5.6-e",),
        "May the survivor's home token be taken off the map when a merger leaves it with too many tokens?",
    ),
    RulingChoice(
        "charter_after_merger",
        ("non_chartered", "chartered_if_both"),
        "chartered_if_both",
        ("1862/3.1-b", "1862/7.5.6-g"),
        "Does the charter stay on its chartered side when both merging companies were chartered?",
    ),
)

# Where nothing but passing, or one way alone, is possible.
_ASKING: tuple[RulingChoice, ...] = (
    RulingChoice(
        "idle_turns",
        ("skipped", "asked"),
        "asked",
        ("1862/7.1-d", "1862/7.1-e"),
        "Is a director asked all the same where his company can only pass: no merger, no tile that fits, no train it may run?",
    ),
    RulingChoice(
        "only_way_of_raising_cash",
        ("asked", "taken"),
        "taken",
        ("1862/7.11-a", "1862/7.11-b"),
        "Is a director asked who has one way left to pay for a train, or does the company go that way automatically?",
    ),
)

# What a platform plays otherwise without a question of the rulebook behind it.
_PLATFORM: tuple[RulingChoice, ...] = (
    RulingChoice(
        "tiles_with_stations",
        ("one_piece", "pieces_of_their_own"),
        "pieces_of_their_own",
        ("1862/2.3-d", "1862/2.3-e"),
        "Do tiles with small stations use up the pieces of the tile without, or are there as many of each?",
    ),
    RulingChoice(
        "treasury_sales_after_monopoly",
        ("price_stays", "price_falls"),
        "price_falls",
        ("1862/6.4.2-i", "1862/7.11.1-b"),
        "Does the price fall after the LNER when a company sells treasury shares for a train?",
    ),
    RulingChoice(
        "receivership_train_limit",
        ("as_for_all", "of_each_kind"),
        "of_each_kind",
        ("1862/7.9-i", "1862/8.0-c"),
        "Does the limit on all trains together hold for a company in receivership, or only that on each kind?",
    ),
    RulingChoice(
        "top_price_in_a_merger",
        ("ends_the_game", "goes_on"),
        "goes_on",
        ("1862/10.1-a",),
        "Does the game end too when a merger, and no move on the market, brings a price of 1000?",
    ),
    RulingChoice(
        "home_after_monopoly",
        ("not_placed", "placed"),
        "placed",
        ("1862/7.2-a", "1862/10.3-d"),
        "Does a company quoted after the LNER still place its home token?",
    ),
)

RULINGS: tuple[RulingChoice, ...] = (*_ROUNDS, *_TRACK, *_MERGERS, *RUNNING, *_ASKING, *_PLATFORM)


plays = ruling_check(RULINGS)
