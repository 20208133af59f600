"""Selling shares to the bank, in a stock round (1824/VI.8) or to pay for a forced train purchase (VII.12)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import SellCertificates
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_of, shift
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import (
    DIRECTOR,
    PLAIN_PERCENT,
    holders,
    percent_held,
    percent_of,
    plain_for_sale,
    seats_after,
    swap_director,
)
from services.rules.domain.title import Action, Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import (
    MAJORS,
    NEVER_SOLD,
    certificate_count,
    certificate_limit,
    of_kind,
    require_company,
    shares_changed,
)
from services.rules.titles.g1824.rulings import plays

BANK_LIMIT_PERCENT = "bank_percent_for_sales"


def certificates_sold(game: Game, data: TitleData, player: str, command: SellCertificates) -> tuple[int, ...]:
    """The certificates handed in: those named, else plain ones first and the director's only when it is needed."""
    if command.numbers:
        return command.numbers
    chosen: list[int] = []
    for number in sorted(
        game.held(player, command.company), key=lambda number: (number == DIRECTOR, -number)
    ):
        if percent_of(data, command.company, tuple(chosen)) >= command.percent:
            break
        chosen.append(number)
    return tuple(chosen)


def check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What every sale needs: a company that operates, a seller who may, room in the bank."""
    _require_major(game, context.data, command.company)
    state = game.companies[command.company]
    operational = state.operated if plays(game, "sale_needs", "operated") else state.opened
    refuse_if(not operational, "company_not_operated", "1824/VI.8-a", command.company)
    check_owner_may_sell(game, context, player, command)
    in_bank = percent_held(game, context.data, e.BANK, command.company)
    limit = context.data.figures.limits[BANK_LIMIT_PERCENT]
    after = in_bank + command.percent
    over = after > limit if plays(game, "bank_limit_for_sales", "after_sale") else in_bank >= limit
    refuse_if(over, "bank_limit", "1824/VI.8-b", command.company)


def _require_major(game: Game, data: TitleData, symbol: str) -> None:
    kind = data.companies[symbol].kind if symbol in data.companies else ""
    require_company(game, data, symbol, *MAJORS, clause=NEVER_SOLD.get(kind, ""))


def check_owner_may_sell(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What a sale needs on the seller's side: shares owned, and somebody to become director if he gives that up."""
    data, symbol, percent = context.data, command.company, command.percent
    _require_major(game, data, symbol)
    refuse_if(
        percent <= 0 or percent % PLAIN_PERCENT != 0, "value_out_of_range", detail=f"percent = {percent}"
    )
    unknown = any(not 0 <= number < len(data.companies[symbol].certificates) for number in command.numbers)
    refuse_if(unknown, "unknown_certificate", detail=str(command.numbers))
    refuse_if(symbol not in game.markers, "company_without_price", "1824/VI.1-b", symbol)
    numbers = certificates_sold(game, data, player, command)
    _check_owned(game, data, player, symbol, numbers, percent)
    state = game.companies[symbol]
    if state.director == player:
        left = percent_held(game, data, player, symbol) - percent
        others = [share for holder, share in holders(game, data, symbol).items() if holder != player]
        keeps = left >= percent_of(data, symbol, (DIRECTOR,))
        replaced = max(others, default=0) >= percent_of(data, symbol, (DIRECTOR,))
        refuse_if(not keeps and not replaced, "director_not_replaced", "1824/VI.6-e", symbol)


def _check_owned(
    game: Game, data: TitleData, player: str, symbol: str, numbers: tuple[int, ...], percent: int
) -> None:
    held = game.held(player, symbol)
    owned = len(set(numbers)) == len(numbers) and all(number in held for number in numbers)
    refuse_if(not owned, "shares_not_owned", "1824/VI.1-a", symbol)
    total = percent_of(data, symbol, numbers)
    part_of_director = DIRECTOR in numbers and total - percent == PLAIN_PERCENT
    refuse_if(total != percent and not part_of_director, "shares_not_owned", "1824/VI.8-c", symbol)
    plain = percent_of(data, symbol, tuple(number for number in held if number != DIRECTOR))
    detail = f"{symbol}: plain certificates go first"
    refuse_if(DIRECTOR in numbers and percent <= plain, "director_not_replaced", "1824/VI.8-c", detail)


def sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """Hand the shares to the bank at the present price; the marker falls one cell, whatever the number (VIII.3-a)."""
    data, symbol, percent = context.data, command.company, command.percent
    numbers = certificates_sold(draft.game, data, player, command)
    proceeds = price_of(draft.game, data, symbol) * percent // PLAIN_PERCENT
    excess = percent_of(data, symbol, numbers) - percent
    draft.move_certificates(symbol, numbers, player, e.BANK, "sold")
    draft.pay(e.BANK, player, proceeds, "certificate_sold", symbol)
    if DIRECTOR in numbers and draft.game.companies[symbol].director == player:
        _replace_director(draft, data, player, symbol, excess)
    else:
        shares_changed(draft, data, symbol)
    repeated = symbol in draft.game.turn.sold
    if not repeated or plays(draft.game, "repeated_sales_in_one_turn", "each_moves"):
        shift(draft, data, symbol, data.market.moves.sale, "sale")


def _replace_director(draft: Draft, data: TitleData, player: str, symbol: str, excess: int) -> None:
    """The director's certificate went with the sale: the next director takes it for plain ones (VI.6-c, VI.8-c)."""
    shares = holders(draft.game, data, symbol)
    most = max(share for holder, share in shares.items() if holder != player)
    director = next(holder for holder in seats_after(draft.game, player) if shares.get(holder) == most)
    draft.emit(e.DirectorChanged(symbol, director))
    swap_director(draft, data, symbol, e.BANK, director)
    if excess:
        back = plain_for_sale(draft.game, symbol)[:1]
        draft.move_certificates(symbol, back, e.BANK, player, "director_swap")


def _check_turn(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    refuse_if(bool(game.turn.bought), "buy_before_sell", "1824/VI.1-c")
    check_sale(game, context, player, command)


def _perform_turn(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    sell(draft, context, player, command)
    draft.emit(e.StockTurnActed(player, sold=command.company))


def sale_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every company and every multiple of 10 % the player has."""
    for symbol in of_kind(context.data, *MAJORS):
        held = percent_held(game, context.data, player, symbol)
        for percent in range(PLAIN_PERCENT, held + 1, PLAIN_PERCENT):
            yield Choice(player, SellCertificates(symbol, percent))


def must_sell(game: Game, context: Context, player: str) -> bool:
    """Over the certificate limit, and able to do something about it (VI.7-c)."""
    over = certificate_count(game, context.data, player) > certificate_limit(game, context.data)
    return over and not game.turn.bought


SELL = Action(_check_turn, _perform_turn, sale_candidates)
