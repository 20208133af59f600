"""The start of a game of 1824: money, certificates, state markers, companies out of play (sections III, IV)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.domain import events as e
from services.rules.domain.commands import CreateGame
from services.rules.domain.draft import Draft
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import MOUNTAIN, NATIONAL, of_kind


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal money, lay out certificates and begin the initial stock round with its reversed first lap (1824/VI.3-c)."""
    data, players = context.data, command.players
    _deal_cash(draft, data)
    for symbol, company in data.companies.items():
        if (
            company.kind == MOUNTAIN
            and company.number > data.figures.companies_in_play[MOUNTAIN][len(players)]
        ):
            draft.emit(e.CompanyClosed(symbol))
            continue
        draft.move_certificates(symbol, tuple(range(len(company.certificates))), "", e.BANK, "issued")
        inherited = len(company.linked) if company.kind == NATIONAL else 0
        draft.emit(e.CharterTokensSet(symbol, company.tokens[inherited:]))
        if company.reserved:
            draft.emit(
                e.CertificatesReserved(symbol, _reserved_numbers(company.certificates, company.reserved))
            )
    for symbol in of_kind(data, NATIONAL):
        row, column = data.market.zones["start_national"][0]
        draft.emit(e.PriceStarted(symbol, data.market.rows[row][column], row, column))
    draft.emit(e.PhaseStarted(next(iter(data.phases))))
    draft.emit(e.PriorityMoved(players[0]))
    draft.emit(e.RoundStarted("initial_stock", 1, 1, 1, tuple(reversed(players))))
    draft.emit(e.TurnStarted(0))


def _deal_cash(draft: Draft, data: TitleData) -> None:
    cash = data.figures.starting_cash[len(draft.game.players)]
    for player in draft.game.players:
        draft.pay(e.BANK, player, cash, "starting_cash")


def opening_bank(data: TitleData, players: int, rulings: Mapping[str, str]) -> int:
    """What the bank holds before the players' cash is dealt out of it (III.4-a)."""
    beside = rulings["starting_cash"] == "beside_bank"
    return data.figures.bank + (players * data.figures.starting_cash[players] if beside else 0)


def _reserved_numbers(certificates: tuple[int, ...], reserved: tuple[int, ...]) -> tuple[int, ...]:
    numbers: list[int] = []
    for percent in reserved:
        numbers.append(next(n for n, size in enumerate(certificates) if size == percent and n not in numbers))
    return tuple(sorted(numbers))


def par_cell(data: TitleData, price: int) -> tuple[int, int]:
    """The cell of a regional's starting price (1824/I-i)."""
    return next(
        cell for cell in data.market.zones["par_regional"] if data.market.rows[cell[0]][cell[1]] == price
    )
