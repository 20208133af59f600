"""Why a command is rejected, where only 1862 knows the reason."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "1862.charter_won": "a player who won a charter in this round opens no other auction",
    "1862.cash_for_par": "the player could not pay for the director's certificate",
    "1862.home_blocked": "the company could not place its home token",
    "1862.token_count": "the company cannot have, or pay for, so many tokens",
    "1862.shares_bought_this_round": "shares bought in this stock round cannot be sold in it",
    "1862.no_change_in_pool": "the pool lacks the plain shares to make change",
    "1862.home_first": "the company's first tile goes on its home hex",
    "1862.station_not_possible": "there is no room for a small station there",
    "1862.london_terminal": "a company has one terminal there, and builds nothing else in the same turn",
    "1862.route_ends_at_town": "a run begins and ends at a city, a port or a red area",
    "1862.route_two_areas": "a run comes to one port and one red area at most",
    "1862.route_misses_network": "the runs do not hang together",
    "1862.route_misses_home": "no run comes to the company's home",
    "1862.freight_not_joined": "freight trains that are not permanent run joined end to end",
    "1862.licence_missing": "the company has no licence for this kind of train",
    "1862.train_kind_not_chosen": "the kind the train runs as has to be named when it comes from the bank",
    "1862.warranty_limit": "a train cannot have so many warranties",
    "1862.hudson_not_possible": "the revenue cannot be raised from the treasury",
    "1862.cash_not_raised_so": "cash cannot be raised in this way",
    "1862.merge_not_possible": "these companies cannot merge now",
    "1862.merge_not_connected": "no track joins the stations of these companies",
    "1862.merge_declined": "the director of the other company has declined",
    "1862.in_receivership": "a company in receivership may not do this",
    "1862.option_not_payable": "the holder cannot pay for the option",
    "1862.redeem_not_possible": "there is no share to redeem, or one was redeemed in this turn",
    "1862.after_monopoly": "this is not allowed any more once the last great company has formed",
    "1862.variant_forbids": "the variant played at this table does not allow it",
}
