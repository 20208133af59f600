"""The rulings of this title: where the rulebook leaves a question open. No other platform records its games, so that the
peer's value is the rulebook's."""

from __future__ import annotations

from services.rules.kernel.title import RulingChoice, ruling_check


def _ruling(name: str, values: tuple[str, ...], clauses: tuple[str, ...], question: str) -> RulingChoice:
    return RulingChoice(name, values, values[0], clauses, question)


RULINGS: tuple[RulingChoice, ...] = (
    _ruling(
        "after_a_lost_auction",
        ("same_player", "next_player"),
        ("rotw/auction-h",),
        "Who names the next share when another player than the one who named it has won: the same player again, or the next?",
    ),
    _ruling(
        "new_auctions",
        ("until_all_pass", "once_each"),
        ("rotw/newauction-a", "rotw/newauction-e"),
        "Are new shares auctioned until all players have passed, as at the start, or may each player name one share?",
    ),
    _ruling(
        "income_reading",
        ("printed", "spaces"),
        ("rotw/income-a",),
        "Does a company get the income printed for its space of the track, or 1,000 for each space?",
    ),
    _ruling(
        "delivery_for_dividends",
        ("needed", "not_needed"),
        ("rotw/faq-d", "rotw/faq-k"),
        "Unless variant 2 is played, must a company have delivered in the turn to pay a dividend?",
    ),
    _ruling(
        "dividend_unit",
        ("thousands", "dollars"),
        ("rotw/dividends-m", "rotw/dividends-o"),
        "Is what a share gets rounded down to whole thousands, or to whole dollars?",
    ),
    _ruling(
        "shares_before_bonds",
        ("reserve", "reserve_and_available"),
        ("rotw/bonds-a",),
        "May bonds be taken once the reserve is issued, or only when no share is available for auction either?",
    ),
    _ruling(
        "bonds_for_mergers",
        ("allowed", "not_allowed"),
        ("rotw/bonds-h", "rotw/merge-j"),
        "May a company take bonds to pay for a merger?",
    ),
    _ruling(
        "shares_for_interest",
        ("not_issued", "issued"),
        ("rotw/dividends-e", "rotw/issue-c"),
        "Does a company that cannot pay its interest issue shares for it before it takes bonds?",
    ),
    _ruling(
        "links_to_connect_to",
        ("own", "any"),
        ("rotw/build-g",),
        "Must a link join the company's own links, or the links of any company?",
    ),
    _ruling(
        "second_link_between_cities",
        ("forbidden", "allowed"),
        ("rotw/build-i",),
        "May a company build a second link between the same two cities?",
    ),
    _ruling(
        "ridge_at_city",
        ("half", "full"),
        ("rotw/build-i",),
        "Does a ridge between a city and the hex beside it cost half as much as others, or as much?",
    ),
    _ruling(
        "goods_for_few",
        ("fewer", "full"),
        ("rotw/setup-h",),
        "With two or three players, does each city get one cube less than printed?",
    ),
    _ruling(
        "target_after_acquiring",
        ("allowed", "forbidden"),
        ("rotw/faq-c",),
        "May a company that acquired another one be acquired in the same turn?",
    ),
    _ruling(
        "treasury_of_target",
        ("kept_apart", "pays"),
        ("rotw/merge-h", "rotw/faq-a"),
        "Does the acquirer pay for the shares before it gets the target's treasury, or with it?",
    ),
)


plays = ruling_check(RULINGS)
