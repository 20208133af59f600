"""Writes down money, certificates, market prices and charters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.evolve_base import BrokenLog, company_of
from services.rules.domain.game import Company, Game


def _cash_moved(game: Game, event: e.CashMoved) -> None:
    cash = game.cash
    cash[event.source] = cash.get(event.source, 0) - event.amount
    cash[event.target] = cash.get(event.target, 0) + event.amount


def _certificates_moved(game: Game, event: e.CertificatesMoved) -> None:
    holdings, moved = game.holdings, event.numbers
    if event.source:
        key = (event.source, event.company)
        held = holdings.get(key, ())
        left = tuple(number for number in held if number not in moved)
        if len(left) + len(moved) != len(held):
            raise BrokenLog(f"{event.source} does not hold certificates {moved} of {event.company}")
        holdings[key] = left
    if event.target:
        key = (event.target, event.company)
        holdings[key] = holdings.get(key, ()) + moved


def _certificates_reserved(game: Game, event: e.CertificatesReserved) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), reserved=event.numbers)


def _company_bought(game: Game, event: e.CompanyBought) -> None:
    game.companies[event.company] = replace(
        company_of(game, event.company), bought=True, director=event.owner, price_paid=event.price
    )


def _take_off(game: Game, company: str) -> None:
    old = game.markers.pop(company, None)
    if old is not None:
        left = tuple(symbol for symbol in game.cells[old] if symbol != company)
        if left:
            game.cells[old] = left
        else:
            del game.cells[old]


def _stand(game: Game, company: str, cell: tuple[int, int]) -> None:
    """Put the marker under those of the cell, also when it stood there already."""
    _take_off(game, company)
    game.markers[company] = cell
    game.cells[cell] = (*game.cells.get(cell, ()), company)


def _price_started(game: Game, event: e.PriceStarted) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), par=event.price)
    _stand(game, event.company, (event.row, event.column))


def _price_moved(game: Game, event: e.PriceMoved) -> None:
    _stand(game, event.company, (event.row, event.column))


def _company_opened(game: Game, event: e.CompanyOpened) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), opened=True)


def _director_changed(game: Game, event: e.DirectorChanged) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), director=event.director)


def _company_closed(game: Game, event: e.CompanyClosed) -> None:
    company = company_of(game, event.company)
    game.companies[event.company] = replace(
        company, closed=True, opened=False, director="", charter=(), reserved=()
    )
    game.trains.pop(event.company, None)


def _dividend_declared(game: Game, event: e.DividendDeclared) -> None:
    game.turn = replace(game.turn, dividend=event.kind)


def _debt_changed(game: Game, event: e.DebtChanged) -> None:
    left = game.debts.get(event.player, 0) + event.amount
    if left:
        game.debts[event.player] = left
    else:
        game.debts.pop(event.player, None)


def _charter_side_set(game: Game, event: e.CharterSideSet) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), chartered=event.chartered)


def _ipo_marker_set(game: Game, event: e.IpoMarkerSet) -> None:
    company = company_of(game, event.company)
    game.companies[event.company] = replace(company, par=event.price, marker_chartered=event.chartered_area)


def _price_removed(game: Game, event: e.PriceRemoved) -> None:
    _take_off(game, event.company)


def _company_reset(game: Game, event: e.CompanyReset) -> None:
    company = company_of(game, event.company)
    licences = (company.licence,) if company.licence else ()
    game.companies[event.company] = Company(
        offered_from=company.offered_from, licence=company.licence, licences=licences
    )
    game.trains.pop(event.company, None)
    key = (e.BANK, event.company)
    game.holdings[key] = tuple(sorted(game.holdings.get(key, ())))


WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    e.CashMoved: _cash_moved,
    e.CertificatesMoved: _certificates_moved,
    e.CertificatesReserved: _certificates_reserved,
    e.CompanyBought: _company_bought,
    e.PriceStarted: _price_started,
    e.PriceMoved: _price_moved,
    e.CompanyOpened: _company_opened,
    e.DirectorChanged: _director_changed,
    e.CompanyClosed: _company_closed,
    e.DividendDeclared: _dividend_declared,
    e.DebtChanged: _debt_changed,
    e.CharterSideSet: _charter_side_set,
    e.IpoMarkerSet: _ipo_marker_set,
    e.PriceRemoved: _price_removed,
    e.CompanyReset: _company_reset,
}
