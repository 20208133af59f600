"""Why a command is refused. Reasons are listed in the order in which they are checked; their meaning never changes.

The numbers on the wire (`proto/signalbox/rules/v1/rejection.proto`) are only ever added to.
"""

from __future__ import annotations

from msgspec import Struct

# A detail may repeat what a client sent, whatever its length.
DETAIL_LENGTH_MAX = 300

REASONS: dict[str, str] = {
    "unknown_title": "no such title",
    "unknown_option": "the title has no such option, or it does not go with the others",
    "unknown_ruling": "the title has no such ruling or the ruling no such value",
    "player_count": "the title cannot be played by so many",
    "duplicate_player": "a player sits twice, or is called like a company or a holder",
    "game_finished": "the game is over",
    "not_a_player": "only the players of this game may move",
    "value_out_of_range": "a number in the command is outside what it can mean",
    "unknown_company": "the title has no such company",
    "unknown_hex": "the map has no such hex",
    "unknown_tile": "the title has no such tile",
    "unknown_train": "the title has no such train",
    "unknown_city": "the hex has no such city or slot",
    "unknown_certificate": "the company has no such certificate",
    "interrupt_first": "another question has to be answered before",
    "not_your_turn": "it is another player's turn",
    "not_your_company": "the player does not decide for this company",
    "wrong_step": "the game is at another step",
    "may_not_pass": "something has to be done before passing",
    "undo_forbidden": "the table's undo policy does not allow it",
    "undo_target": "there is nothing to take back to that sequence",
    "company_not_offered": "the company cannot be bought now",
    "company_closed": "the company is not in play",
    "price_not_offered": "that price is not on offer",
    "already_bought": "only one purchase a turn",
    "buy_before_sell": "sales come before the purchase",
    "sold_this_round": "a player who sold shares of a company may not buy it again in the same stock round",
    "company_without_price": "the company has no price yet",
    "company_has_price": "the company already has a price",
    "certificate_reserved": "the certificate is kept for an exchange",
    "certificate_not_available": "no such certificate is to be had there",
    "certificate_limit": "the player would exceed the certificate limit",
    "holding_limit": "a player holding 60 % or more may not buy more",
    "in_debt": "a player in debt may not buy",
    "not_enough_cash": "the cash does not suffice",
    "shares_not_owned": "the player does not hold these certificates",
    "sales_forbidden": "nothing can be sold now",
    "company_not_operated": "the shares cannot be sold before the company operates",
    "bank_limit": "the bank may not take more of this company",
    "director_not_replaced": "nobody else could become director",
    "director_would_change": "an emergency sale may not change a director",
    "must_sell": "the player has to sell down to the certificate limit first",
    "exchange_not_possible": "the exchange is not allowed now",
    "no_debt": "the player owes nothing, or less",
    "tile_already_laid": "only one track action a turn",
    "tile_exhausted": "no such tile is left",
    "tile_colour": "the colour is not available in this phase or not the next step",
    "tile_kind": "the tile does not fit the places of the hex",
    "tile_label": "the letters of tile and hex differ",
    "tile_fixed": "the hex carries fixed track",
    "tile_drops_track": "existing track or places would be lost",
    "tile_off_map": "track would run off the map or into a closed side",
    "tile_not_connected": "the tile does not connect to a token of the company",
    "no_token_left": "the company has no token left or placed one already",
    "token_slot_taken": "the slot is not free",
    "token_reserved": "the last free slot is kept for the company at home there",
    "token_twice": "the company already has a token there",
    "token_not_connected": "the city is not connected to a token of the company",
    "train_not_owned": "the company does not own this train",
    "train_kind": "the company cannot own or run such a train",
    "route_unknown_track": "the run follows no track on the map",
    "route_no_token": "the run touches no token of the company",
    "route_too_short": "a run joins at least two places",
    "route_too_long": "the train cannot visit so many places",
    "route_track_reused": "track is used twice",
    "route_passes_blocked_city": "the run passes a city blocked by others",
    "route_repeats_place": "a place is visited twice",
    "route_passes_terminal": "a red area or mine can only end a run",
    "route_mine_train": "mines are served by goods trains, one at one end",
    "route_runs_twice": "a train runs once only",
    "trains_share_track": "two trains of the company use the same track",
    "route_not_best": "the company can earn more with another run",
    "routing_unavailable": "the best run cannot be proven just now; try again",
    "dividend_kind": "the company cannot pay in this way",
    "train_not_available": "the train is not on sale",
    "offer_declined": "the director of the other company has declined to sell this train in this turn",
    "train_limit": "the company is at its train limit",
    "train_price": "the train is not sold at that price",
    "trade_in_not_possible": "the train cannot be handed in for this one",
    "token_choice": "that token cannot be chosen",
    "request_id_reused": "a request with this id and other content was carried out before",
    "ledger_hold": "the ledger found a difference and holds the game",
    "recorded_revenue_differs": "the recorded revenue is not what the routes earn",
    "recorded_action_unknown": "the recorded action has no counterpart here",
    "bid_not_allowed": "a bid is a multiple of the step and higher than the last",
    "auction_lost": "the player is not in this auction any more",
    "charter_won": "a player who won a charter in this round opens no other auction",
    "cash_for_par": "the player could not pay for the director's certificate",
    "home_blocked": "the company could not place its home token",
    "token_count": "the company cannot have, or pay for, so many tokens",
    "shares_bought_this_round": "shares bought in this stock round cannot be sold in it",
    "no_change_in_pool": "the pool lacks the plain shares to make change",
    "home_first": "the company's first tile goes on its home hex",
    "station_not_possible": "there is no room for a small station there",
    "london_terminal": "a company has one terminal there, and builds nothing else in the same turn",
    "route_ends_at_town": "a run begins and ends at a city, a port or a red area",
    "route_two_areas": "a run comes to one port and one red area at most",
    "route_misses_network": "the runs do not hang together",
    "route_misses_home": "no run comes to the company's home",
    "freight_not_joined": "freight trains that are not permanent run joined end to end",
    "licence_missing": "the company has no licence for this kind of train",
    "train_kind_not_chosen": "the kind the train runs as has to be named when it comes from the bank",
    "warranty_limit": "a train cannot have so many warranties",
    "hudson_not_possible": "the revenue cannot be raised from the treasury",
    "cash_not_raised_so": "cash cannot be raised in this way",
    "merge_not_possible": "these companies cannot merge now",
    "merge_not_connected": "no track joins the stations of these companies",
    "merge_declined": "the director of the other company has declined",
    "in_receivership": "a company in receivership may not do this",
    "option_not_payable": "the holder cannot pay for the option",
    "redeem_not_possible": "there is no share to redeem, or one was redeemed in this turn",
    "after_monopoly": "this is not allowed any more once the last great company has formed",
    "variant_forbids": "the variant played at this table does not allow it",
}


class Rejection(Struct, frozen=True):
    """A refusal: reason code, a sentence for people, and the clause it rests on. `retryable` when asking again may help."""

    code: str
    message: str
    clause: str = ""
    retryable: bool = False


class Refused(Exception):
    """Raised inside a step to refuse the command; `decide` turns it into a `Rejection` and drops the draft."""

    def __init__(self, code: str, clause: str = "", detail: str = "", retryable: bool = False) -> None:
        sentence = REASONS[code]
        detail = detail if len(detail) <= DETAIL_LENGTH_MAX else detail[:DETAIL_LENGTH_MAX] + "..."
        self.rejection = Rejection(code, f"{sentence}: {detail}" if detail else sentence, clause, retryable)
        super().__init__(self.rejection.message)


def refuse_if(condition: bool, code: str, clause: str = "", detail: str = "") -> None:
    """Raise `Refused` when `condition` holds."""
    if condition:
        raise Refused(code, clause, detail)
