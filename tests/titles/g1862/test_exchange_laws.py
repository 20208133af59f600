"""Laws of every exchange of shares and of every bankruptcy, whoever holds what (5.2, 7.5.6, 7.12)."""

from __future__ import annotations

from itertools import chain, repeat

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import Struct

from services.rules.domain import commands as c, events as e
from services.rules.domain.board import token_cities
from services.rules.domain.evolve import apply
from services.rules.domain.game import Game
from services.rules.domain.shares import DIRECTOR
from services.rules.domain.title import Context
from services.rules.titles.g1862.bankruptcy import go_bankrupt
from services.rules.titles.g1862.merging import REMOVE_TOKEN
from tests.titles.g1862.mergers import begin, merging_table, only, settle, shares
from tests.titles.g1862.table import PLAYERS, Table

COMPANIES = ("N&E", "WStI")
CITIES = ("B5", "B9", "C4", "C6", "E4", "E8", "F5", "G8", "H7", "C8", "D9", "B13")
PLAIN = tuple(range(1, 8))


class Holding(Struct, frozen=True):
    """A company by chance: who has each plain certificate (a place among the holders), and the rest of its state."""

    owners: list[int]
    price: int
    chartered: bool
    train: bool
    treasury: int
    tokens: list[str]
    charter: int


class Position(Struct, frozen=True):
    """A position by chance: players at the table, both companies, the players' cash, and the answers about options."""

    players: int
    companies: tuple[Holding, Holding]
    cash: list[int]
    answers: list[bool]
    survivor: int


PRICES = st.sampled_from([7, 40, 54, 65, 71, 90, 95, 105, 191, 275, 700, 1_000])
HOLDINGS = st.builds(
    Holding,
    owners=st.lists(st.integers(0, 7), min_size=7, max_size=7),
    price=PRICES,
    chartered=st.booleans(),
    train=st.booleans(),
    treasury=st.integers(0, 300),
    tokens=st.lists(st.sampled_from(CITIES), max_size=6, unique=True),
    charter=st.integers(0, 3),
)
POSITIONS = st.builds(
    Position,
    players=st.integers(2, 6),
    companies=st.tuples(HOLDINGS, HOLDINGS),
    cash=st.lists(st.sampled_from([0, 20, 45, 100, 2_000]), min_size=6, max_size=6),
    answers=st.lists(st.booleans(), max_size=8),
    survivor=st.integers(0, 1),
)


def table_of(position: Position) -> Table:
    """The position at a table; N&E is at turn and its director starts what happens."""
    table = merging_table(position.players)
    for player, cash in zip(table.game.players, position.cash, strict=False):
        table.cash(player, cash)
    table.tile("D9", "14", 1)
    table.tile("C8", "14", 1)
    for symbol, holding in zip(COMPANIES, position.companies, strict=True):
        _found(table, symbol, holding)
    table.operating_round(*COMPANIES, step="merge")
    return table


def _found(table: Table, symbol: str, holding: Holding) -> None:
    """The player with most plain certificates has the director's as well, and the company its tokens where there is room."""
    table.found(symbol, holding.price, chartered=holding.chartered, treasury=holding.treasury, tokens=9)
    offer = e.BANK if holding.chartered else symbol
    holders = (*table.game.players, e.POOL, symbol if holding.chartered else offer)
    owners = [holders[place % len(holders)] for place in holding.owners]
    director = max(table.game.players, key=owners.count)
    table.write(e.CertificatesMoved(symbol, (DIRECTOR,), offer, director, "bought", 30))
    table.write(e.DirectorChanged(symbol, director))
    for number, owner in zip(PLAIN, owners, strict=True):
        if owner != offer:
            table.write(e.CertificatesMoved(symbol, (number,), offer, owner, "bought", 10))
    for hex_id in holding.tokens:
        if "" in (table.game.tokens.get((hex_id, 0)) or ("",)):
            table.token(symbol, hex_id)
    table.write(e.CharterTokensSet(symbol, (0,) * holding.charter))
    if holding.train:
        table.train(symbol, "A")


def certificates(game: Game, symbol: str) -> list[int]:
    """All certificates of a company over all holders."""
    numbers = (held for (_, company), held in game.holdings.items() if company == symbol)
    return sorted(chain.from_iterable(numbers))


def check_every_step(before: Game, facts: list[e.Event]) -> None:
    """After each single fact every certificate is somewhere once and the money adds up to the same."""
    game = before.copy()
    money = sum(game.cash.values())
    for fact in facts:
        apply(game, fact)
        assert all(certificates(game, symbol) == [DIRECTOR, *PLAIN] for symbol in COMPANIES), fact
        assert sum(game.cash.values()) == money, fact
        assert all(cash >= 0 for holder, cash in game.cash.items() if holder != e.BANK), fact


def finish(table: Table, answers: list[bool]) -> None:
    """Answer all questions of an exchange: options as told, then tokens, the first offered each time."""
    told = chain(answers, repeat(True))
    while table.game.interrupts:
        if table.game.interrupts[0].kind == "settle_option":
            settle(table, next(told))
        else:
            remove_first_token(table)


def remove_first_token(table: Table) -> None:
    """The director takes off the first token he may choose."""
    context, player = Context(table.data), table.game.interrupts[0].player
    action = REMOVE_TOKEN.actions[c.ChooseToken]
    choice = next(action.candidates(table.game, context, player)).command
    action.check(table.game, context, player, choice)
    draft = table.draft()
    action.perform(draft, context, player, choice)
    table.take(draft)


def check_director(table: Table, symbol: str) -> None:
    """The director has the certificate and nobody has more; without one nobody has 30 % and it is in the pool."""
    director = table.director(symbol)
    held = shares(table, symbol)
    most = max((held.get(player, 0) for player in table.game.players), default=0)
    assert (director != "") == (most >= 30)
    assert DIRECTOR in table.game.held(director or e.POOL, symbol)
    assert held.get(director, most) == most


@settings(max_examples=150, deadline=None, derandomize=True)
@given(POSITIONS)
@pytest.mark.clause("1862/5.1-a", "1862/5.2.5-a", "1862/5.2.5-c", "1862/7.5.6-e", "1862/7.5.7-a")
def test_every_merger_keeps_certificates_money_and_tokens(position: Position) -> None:
    """Certificates and money add up after every single fact; in the end the survivor has all its shares outside the bank, at
    most seven tokens, everything of the absorbed company, and the director it should have."""
    table = table_of(position)
    before, start = table.game, len(table.log)
    survivor, absorbed = COMPANIES[position.survivor], COMPANIES[1 - position.survivor]
    held = {holder: concerned(table, holder) for holder in table.game.players}
    trains = {train for symbol in COMPANIES for train in table.game.trains.get(symbol, ())}
    begin(table, survivor, absorbed, table.director("N&E"))
    finish(table, position.answers)
    facts = table.log[start:]
    check_every_step(before, facts)
    reasons = {fact.reason for fact in only(facts, e.CashMoved) if e.BANK in (fact.source, fact.target)}
    assert reasons <= {"option_redeemed", "option_sold", "certificate_sold"}
    assert shares(table, absorbed) == {e.BANK: 100}
    assert (table.percent(e.BANK, survivor), table.percent(absorbed, survivor)) == (0, 0)
    check_director(table, survivor)
    tokens = len(token_cities(table.game.tokens, survivor)) + len(table.game.companies[survivor].charter)
    assert tokens <= 7
    assert not token_cities(table.game.tokens, absorbed)
    assert set(table.game.trains.get(survivor, ())) == trains
    assert table.game.money(absorbed) == 0
    assert (table.game.exchange, table.game.interrupts) == (None, ())
    for player, percent in held.items():
        assert table.percent(player, survivor) <= (percent + 10) // 20 * 10 + (
            10 if percent in (30, 40, 50) else 0
        )


def concerned(table: Table, holder: str) -> int:
    """What a holder has of both companies together, in percent."""
    return sum(table.percent(holder, symbol) for symbol in COMPANIES)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(POSITIONS)
@pytest.mark.clause("1862/5.1.3-b", "1862/5.1.3-c", "1862/7.11.2-b")
def test_every_refinancing_keeps_certificates_and_money(position: Position) -> None:
    """Certificates and money add up after every single fact; the company gets what its marker brings, nobody ends with more
    than half of his shares rounded up (a director with an option: three), and price and marker stay."""
    table = table_of(position)
    before, start = table.game, len(table.log)
    held = {holder: table.percent(holder, "N&E") for holder in table.game.players}
    begin(table, "N&E", "", table.director("N&E"), "refinancing")
    finish(table, position.answers)
    facts = table.log[start:]
    check_every_step(before, facts)
    (paid,) = [fact for fact in only(facts, e.CashMoved) if fact.reason == "refinancing"]
    assert paid.amount == min(10 * before.companies["N&E"].par, 1_000)
    assert table.game.markers == before.markers
    assert table.game.companies["WStI"] == before.companies["WStI"]
    check_director(table, "N&E")
    for player, percent in held.items():
        assert table.percent(player, "N&E") <= max((percent + 10) // 20 * 10, 30 if percent >= 30 else 0)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(POSITIONS)
@pytest.mark.clause("1862/7.12-c", "1862/7.12-d", "1862/7.12-e")
def test_every_bankruptcy_keeps_certificates_and_money(position: Position) -> None:
    """Whatever the company had is with the bank or gone, and nobody but its players gets a refund."""
    table = table_of(position)
    before = table.game
    draft = table.draft()
    go_bankrupt(draft, Context(table.data), "N&E", "train")
    facts = list(table.take(draft))
    check_every_step(before, facts)
    assert table.game.held(e.BANK, "N&E") == (DIRECTOR, *PLAIN)
    assert not token_cities(table.game.tokens, "N&E")
    assert table.game.money("N&E") == 0
    refunded = {fact.target for fact in only(facts, e.CashMoved) if fact.source == e.BANK}
    assert refunded <= set(PLAYERS)
    assert len(table.game.markers) == len(before.markers) - 1
