"""Net worth against the wealth that another platform recorded after every action of whole games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.ledger.domain import facts as f
from services.ledger.domain.accounts import BANK, LOANS, POOL
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.net_worth import present_worth
from tests.recorded.documents import load_trace

TRACES_WITH_HALVED_SHARES = ("46925", "p2-s215", "p5-s111", "p8-s128")
TRACES = ("1824_game_end_reason_bank", "p3-s201", "p4-s138", "p5-s207")
Numbers = dict[Any, int]


def sizes_of(setup: dict[str, Any]) -> dict[str, list[int]]:
    """How many shares each certificate stands for, of companies recorded in percent that have ten."""
    return {
        company: [percent // 10 for percent in certificates]
        for company, certificates in setup["certificates"].items()
    }


class TracedGame:
    """Turns the steps between recorded states into facts, going by what changed and by nothing else."""

    def __init__(self, setup: dict[str, Any], players: tuple[str, ...]) -> None:
        self.sizes = sizes_of(setup)
        self.prices_paid: Numbers = dict(setup.get("companies", ()))
        self.cash: Numbers = {BANK: setup["bank_size"]}
        self.held: Numbers = {}
        self.debts: Numbers = {}
        self.owners: dict[str, str] = {}
        self.market: Numbers = {}
        self.facts: list[f.Fact] = [f.GameCreated(1, players, setup["bank_size"])]

    def add(self, kind: type[f.Fact], *fields: Any) -> None:
        """Note the next fact."""
        self.facts.append(kind(len(self.facts) + 1, *fields))

    def follow(self, state: dict[str, Any]) -> None:
        """Note what leads to the next state."""
        companies = state["corporations"] | state.get("minors", {})
        self.move_cash(cash_of(state, companies))
        self.move_certificates(state["certificates"])
        self.move_debts({player: each.get("debt", 0) for player, each in state["players"].items()})
        if self.prices_paid:
            self.move_private(state, companies)
        self.move_prices({name: each["price"] or 0 for name, each in state["corporations"].items()})

    def move_cash(self, cash: Numbers) -> None:
        """All money goes over the bank; what nobody had before was lent to it."""
        for holder, change in changes(self.cash, cash):
            if holder != BANK and change:
                sides = (BANK, holder) if change > 0 else (holder, BANK)
                self.add(f.CashMoved, *sides, abs(change), "correction", "")
        lent = sum(cash.values()) - sum(self.cash.values())
        if lent:
            self.add(
                f.CashMoved, *((LOANS, BANK) if lent > 0 else (BANK, LOANS)), abs(lent), "loan_taken", ""
            )
        self.cash = cash

    def move_certificates(self, recorded: dict[str, dict[str, list[int]]]) -> None:
        """Certificates leave the game with one holder and enter it with the other."""
        held = {
            (POOL if holder == "market" else holder, company): sum(self.sizes[company][n] for n in numbers)
            for holder, stock in recorded.items()
            for company, numbers in stock.items()
        }
        for (holder, company), change in changes(self.held, held):
            if change:
                sides = ("", holder) if change > 0 else (holder, "")
                self.add(f.CertificatesMoved, company, abs(change), *sides, "bought")
        self.held = held

    def move_debts(self, debts: Numbers) -> None:
        """Debts grow and shrink."""
        for player, change in changes(self.debts, debts):
            if change:
                self.add(f.DebtChanged, player, change, "loan")
        self.debts = debts

    def move_private(self, state: dict[str, Any], companies: dict[str, Any]) -> None:
        """Coal and pre-state companies go by their certificate, mountain railways by their owner."""
        owners = {name: str(owner) for name, owner in state["other"].get("companies", {}).items()}
        owners = {name: owner for name, owner in owners.items() if owner in state["players"]}
        owners |= {c: h for (h, c) in self.held if c in self.prices_paid and h in state["players"]}
        for name in owners.keys() - self.owners.keys():
            price = companies.get(name, {}).get("coal_price") or self.prices_paid[name]
            self.add(f.CompanyBought, name, owners[name], price)
        for name in self.owners.keys() - owners.keys():
            self.add(f.CompanyClosed, name)
        self.owners = owners

    def move_prices(self, prices: Numbers) -> None:
        """Market prices move."""
        for name, price in prices.items():
            if self.market.get(name) != price:
                self.add(f.PriceSet, name, price)
        self.market = prices


def cash_of(state: dict[str, Any], companies: dict[str, Any]) -> Numbers:
    """The cash of everybody."""
    holders = {name: each["cash"] for name, each in (state["players"] | companies).items()}
    return {BANK: state["bank"], **holders}


def changes(before: Numbers, after: Numbers) -> Iterator[tuple[Any, int]]:
    """By how much each number changed."""
    for key in before.keys() | after.keys():
        yield key, after.get(key, 0) - before.get(key, 0)


def states_of(shared: Path, name: str) -> Iterator[dict[str, Any]]:
    """The recorded states of a game in order, its result left out."""
    return (state for state in load_trace(shared, name) if "players" in state)


def points_of(name: str, states: Iterator[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Numbers]]:
    """Every recorded state with the net worth that the books show there."""
    first = next(states)
    game = TracedGame(first["setup"], tuple(first["players"]))
    book, booked = Book(name), 0
    for state in (first, *states):
        game.follow(state)
        for fact in game.facts[booked:]:
            apply(book, fact)
        booked = len(game.facts)
        yield state, {worth.player: worth.total for worth in present_worth(book).players}


@pytest.mark.parametrize("name", TRACES)
def test_worth_equals_the_recorded_wealth_after_every_action(name: str, shared: Path) -> None:
    """Cash, certificates at market price and companies at the price paid, less debt, is what was recorded."""
    states = states_of(shared, f"1824/{name}")
    for state, worth in points_of(name, states):
        recorded = {player: each["value"] for player, each in state["players"].items()}
        assert worth == recorded, state["n"]


def lost_by_halving(state: dict[str, Any], sizes: dict[str, list[int]], player: str) -> int:
    """What the other platform takes off because it counts every certificate of a trainless company at half its price."""
    lost = 0
    for company, numbers in state["certificates"].get(player, {}).items():
        recorded = state["corporations"][company]
        for number in () if recorded["trains"] else numbers:
            value = recorded["price"] * sizes[company][number]
            lost += value - value // 2
    return lost


@pytest.mark.parametrize("name", TRACES_WITH_HALVED_SHARES)
def test_worth_counts_shares_of_trainless_companies_in_full(name: str, shared: Path) -> None:
    """The books show the recorded wealth of whole games of 1862, but for shares that were recorded at half their price."""
    states = states_of(shared, f"1862/{name}")
    first = next(states)
    sizes = sizes_of(first["setup"])
    for state, worth in points_of(name, iter((first, *states))):
        recorded = {
            player: each["value"] + lost_by_halving(state, sizes, player)
            for player, each in state["players"].items()
        }
        assert worth == recorded, state["n"]
