"""Positions of 1862 in which companies merge, refinance or go bankrupt, and exchanges of shares driven step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from services.rules.kernel.events import CertificatesMoved, Event
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.shares.events import CompanyOpened, CompanyOperated, DirectorChanged, ParSet
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.titles.g1862.commands import SettleOption
from services.rules.titles.g1862.events import CharterSideSet
from services.rules.titles.g1862.figures import director_shares
from services.rules.titles.g1862.mergers import shareexchange as exchange
from services.rules.titles.g1862.mergers.newprice import marker_price
from services.rules.titles.g1862.mergers.shareexchange import SETTLE_OPTION
from services.rules.titles.g1862.state import ServiceKind
from tests.titles.g1862.table import Table, new_table

Fact = TypeVar("Fact", bound=Event)

OFFER = ("N&E", "WStI", "I&B", "ESR", "FDR", "WVR", "NGC", "E&H", "SVR", "EUR")


def merging_table(players: int = 4, /, *options: str, **rulings: str) -> Table:
    """A table at which the companies of `OFFER` are on offer, under the rulebook's rulings but for those named."""
    licences: dict[str, ServiceKind] = {"N&E": "freight", "WStI": "local", "I&B": "express", "ESR": "local"}
    table = new_table(players, *options, offer=OFFER, licences=licences)
    table.game.rulings |= rulings
    return table


def set_up_company(
    table: Table,
    symbol: str,
    price: int,
    stakes: dict[str, int],
    *,
    director: str = "",
    train: bool = True,
    treasury: int = 0,
    chartered: bool = False,
    tokens: int = 3,
    marker: int = 0,
    operated: bool = True,
) -> None:
    """A quoted company that has operated before, of which the holders have so many shares; the rest stays in the bank.

    The director's certificate is the director's, without one it is in the pool."""
    table.write(CharterSideSet(symbol, chartered))
    table.price(symbol, price)
    table.write(ParSet(symbol, marker or marker_price(table.data, price)))
    office = director or POOL
    free = [number for number in table.game.held(BANK, symbol) if number != DIRECTOR]
    for holder, stake in stakes.items():
        numbers: tuple[int, ...] = (DIRECTOR,) if holder == office else ()
        plain = stake - director_shares(table.data) * len(numbers)
        numbers += tuple(free[:plain])
        del free[:plain]
        if numbers:
            table.write(CertificatesMoved(symbol, numbers, BANK, holder, "bought", stake))
    if director:
        table.write(DirectorChanged(symbol, director))
    table.write(CompanyOpened(symbol), CharterTokensSet(symbol, (0,) * tokens))
    table.cash(symbol, treasury)
    if operated:
        table.write(CompanyOperated(symbol))
    if train:
        table.train(symbol, "A")


def join(table: Table, first: str, second: str) -> None:
    """A token of each company in two cities with two slots that track joins."""
    table.tile("C8", "14", 1)
    table.tile("D9", "14", 1)
    table.token(first, "C8")
    table.token(second, "D9")


def begin(table: Table, survivor: str, other: str, player: str, kind: str = "merger") -> None:
    """Start an exchange of shares for the company at turn, without going on in the turn after it."""
    draft = table.draft()
    exchange.start(draft, Context(table.data), kind, survivor, other, player)
    table.take(draft)


def settle(table: Table, redeem: bool) -> tuple[Event, ...]:
    """Answer for the option at hand, without going on in the turn after the exchange."""
    action, command = SETTLE_OPTION.actions[SettleOption], SettleOption(redeem)
    player = table.game.interrupts[0].player
    context = Context(table.data)
    action.check(table.game, context, player, command)
    draft = table.draft()
    action.perform(draft, context, player, command)
    return table.take(draft)


def settle_all(table: Table, *answers: bool) -> None:
    """Answer for the options one after another; there must be as many as answers."""
    for redeem in answers:
        assert table.game.interrupts, "nobody is asked about an option"
        settle(table, redeem)
    assert not table.game.interrupts or table.game.interrupts[0].kind != "1862.settle_option"


def shares(table: Table, symbol: str) -> dict[str, int]:
    """The shares that every holder has of a company."""
    holders = {holder for holder, company in table.game.holdings if company == symbol}
    found = {holder: table.shares(holder, symbol) for holder in holders}
    return {holder: count for holder, count in found.items() if count}


def total(table: Table, symbol: str) -> int:
    """The shares that all holders together have of a company."""
    return sum(shares(table, symbol).values())


def money(table: Table) -> dict[str, int]:
    """The cash of every holder, the bank's among them."""
    return dict(table.game.cash)


def only(events: Iterable[Event], kind: type[Fact]) -> list[Fact]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]
