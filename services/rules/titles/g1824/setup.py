"""The start of a game of 1824: money, certificates, state markers, companies out of play (sections III, IV)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved, RoundStarted, TurnStarted
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.events import CompanyAdded, CompanyClosed
from services.rules.parts.shares.shares import add_company
from services.rules.parts.shares.trading import set_par
from services.rules.parts.trains.depot import start_first_phase
from services.rules.titles.g1824.companies import MOUNTAIN, NATIONAL, of_kind
from services.rules.titles.g1824.events import CertificatesReserved
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.stacks import start_allotment


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal money, lay out certificates and begin the initial stock round with its reversed first lap (1824/VI.3-c)."""
    data, players = context.data, command.players
    deal_cash(draft)
    for symbol, company in cards_of(data).items():
        if company.kind == MOUNTAIN and company.number > figures_of(data).mountain_companies[len(players)]:
            draft.emit(CompanyAdded(symbol))
            draft.emit(CompanyClosed(symbol))
            continue
        add_company(draft, symbol)
        inherited = len(company.linked) if company.kind == NATIONAL else 0
        draft.emit(CharterTokensSet(symbol, company.tokens[inherited:]))
        if company.reserved:
            draft.emit(
                CertificatesReserved(symbol, _reserved_numbers(company.certificates, company.reserved))
            )
    for symbol in of_kind(data, NATIONAL):
        row, column = chart_of(data).zones["start_national"][0]
        set_par(draft, symbol, chart_of(data).rows[row][column], (row, column))
    start_first_phase(draft)
    draft.emit(PriorityMoved(players[0]))
    terms = figures_of(data).construction
    if terms is None:
        start_initial_round(draft, tuple(reversed(players)))
    else:
        start_allotment(draft, terms, command.seed)


def start_initial_round(draft: Draft, order: tuple[str, ...]) -> None:
    """The stock round that begins the game (VI.3)."""
    draft.emit(RoundStarted("1824.initial_stock", 1, 1, 1, order))
    draft.emit(TurnStarted(0))


def opening_bank(data: TitleData, players: int, rulings: Mapping[str, str]) -> int:
    """What the bank holds before the players' cash is dealt out of it (III.4-a)."""
    beside = rulings["starting_cash"] == "beside_bank"
    return data.header.bank + (players * data.header.starting_cash[players] if beside else 0)


def _reserved_numbers(certificates: tuple[int, ...], reserved: tuple[int, ...]) -> tuple[int, ...]:
    numbers: list[int] = []
    for shares in reserved:
        numbers.append(next(n for n, size in enumerate(certificates) if size == shares and n not in numbers))
    return tuple(sorted(numbers))
