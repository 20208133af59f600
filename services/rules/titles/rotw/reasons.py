"""Why a command is rejected, where only this title knows the reason."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "rotw.share_not_there": "no share of the company can be auctioned from there",
    "rotw.out_of_auctions": "a player who passed instead of naming a share takes no part in the auctions of this round",
    "rotw.no_path": "a link is built over hexes that lie side by side, none of them twice",
    "rotw.link_incomplete": "a link is built from one city to another in one action",
    "rotw.city_on_the_way": "no link passes a city",
    "rotw.sharp_turn": "track turns by 60 degrees at most from one hex to the next",
    "rotw.hexside_taken": "track already crosses that side of the hex",
    "rotw.hex_full": "the hex has as much track as it can",
    "rotw.no_exit_left": "no more links can end in the city",
    "rotw.link_twice": "the company already has a link between these cities",
    "rotw.not_connected": "the link does not begin or end in a city of the company's network",
    "rotw.issue_not_needed": "shares are issued, and bonds taken, only as far as money is lacking",
    "rotw.no_reserve_left": "the company has not so many shares left to issue",
    "rotw.shares_before_bonds": "bonds may be taken only when all shares of the reserve are issued",
    "rotw.bond_limit": "a company may have as many bonds as links",
    "rotw.bonds_not_allowed": "bonds are not taken for this",
    "rotw.no_such_cube": "there is no such cube in the city",
    "rotw.no_such_way": "the links do not lead on from the city",
    "rotw.city_twice": "a cube comes to no city twice",
    "rotw.stops_before": "a cube stops at the first city of its colour",
    "rotw.wrong_colour": "a cube is delivered to a city of its own colour",
    "rotw.grey_city": "no cube is delivered to a grey city",
    "rotw.first_link_foreign": "the first link has to be the company's own",
    "rotw.too_many_foreign_links": "own links have to be as many as those of all other companies together",
    "rotw.not_so_many_bonds": "the company has not so many bonds to repay",
    "rotw.amount_uneven": "the amount is not a multiple of what is asked for",
    "rotw.dividend_too_high": "the dividend is at most three times the share value",
    "rotw.dividend_not_earned": "the company may not pay a dividend in this turn",
    "rotw.merges_itself": "a company does not merge with itself, nor with one that nobody has shares of",
    "rotw.networks_apart": "the networks of the two companies have no city in common",
    "rotw.merged_before": "a company acquires another one once in a turn",
}
