"""Laws of every exchange of shares and of every bankruptcy, for all holders (5.2, 7.5.6, 7.12)."""

from __future__ import annotations

from itertools import chain, repeat, zip_longest

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import Struct

from services.rules.kernel.events import CashMoved, CertificatesMoved, Event
from services.rules.kernel.fold import apply
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.commands import ChooseToken
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.shares import DIRECTOR
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.mergers.proposals import REMOVE_TOKEN
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
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
    offer = BANK if holding.chartered else symbol
    holders = (*table.game.players, POOL, symbol if holding.chartered else offer)
    owners = [holders[place % len(holders)] for place in holding.owners]
    director = max(table.game.players, key=owners.count)
    table.write(CertificatesMoved(symbol, (DIRECTOR,), offer, director, "bought", 3))
    table.write(DirectorChanged(symbol, director))
    for number, owner in zip(PLAIN, owners, strict=True):
        if owner != offer:
            table.write(CertificatesMoved(symbol, (number,), offer, owner, "bought", 1))
    for hex_id in holding.tokens:
        if "" in (map_of(table.game).tokens.get((hex_id, 0)) or ("",)):
            table.token(symbol, hex_id)
    table.write(CharterTokensSet(symbol, (0,) * holding.charter))
    if holding.train:
        table.train(symbol, "A")


def certificates(game: Game, symbol: str) -> list[int]:
    """All certificates of a company over all holders."""
    numbers = (held for (_, company), held in game.holdings.items() if company == symbol)
    return sorted(chain.from_iterable(numbers))


def check_every_step(before: Game, facts: list[Event]) -> None:
    """After each single fact every certificate is somewhere once and the money adds up to the same; only between the two
    facts that put the bank's certificates of a company in order these are outside the game."""
    game = before.copy()
    money = sum(game.cash.values())
    for fact, following in zip_longest(facts, facts[1:]):
        apply(game, fact)
        outside = ordered_next(fact, following)
        for symbol in COMPANIES:
            assert certificates(game, symbol) == ([] if symbol == outside else [DIRECTOR, *PLAIN]), fact
        assert sum(game.cash.values()) == money, fact
        assert all(cash >= 0 for holder, cash in game.cash.items() if holder != BANK), fact


def ordered_next(fact: Event, following: Event | None) -> str:
    """The company whose certificates all leave the bank by `fact`, to come back in their order; empty if none do."""
    if not isinstance(fact, CertificatesMoved):
        return ""
    back = CertificatesMoved(fact.company, (DIRECTOR, *PLAIN), "", BANK, "issued", 10)
    leave = CertificatesMoved(fact.company, fact.numbers, BANK, "", "returned", 10)
    return fact.company if (fact, following) == (leave, back) else ""


def finish(table: Table, answers: list[bool]) -> None:
    """Answer all questions of an exchange: options as given, then tokens, the first offered each time."""
    given = chain(answers, repeat(True))
    while table.game.interrupts:
        if table.game.interrupts[0].kind == "1862.settle_option":
            settle(table, next(given))
        else:
            remove_first_token(table)


def remove_first_token(table: Table) -> None:
    """The director takes off the first token he may choose."""
    context, player = Context(table.data), table.game.interrupts[0].player
    action = REMOVE_TOKEN.actions[ChooseToken]
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
    assert (director != "") == (most >= 3)
    assert DIRECTOR in table.game.held(director or POOL, symbol)
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
    trains = {train for symbol in COMPANIES for train in trains_of(table.game).owned.get(symbol, ())}
    begin(table, survivor, absorbed, table.director("N&E"))
    finish(table, position.answers)
    facts = table.log[start:]
    check_every_step(before, facts)
    reasons = {fact.reason for fact in only(facts, CashMoved) if BANK in (fact.source, fact.target)}
    assert reasons <= {"1862.option_redeemed", "1862.option_sold", "certificate_sold"}
    assert shares(table, absorbed) == {BANK: 10}
    assert (table.shares(BANK, survivor), table.shares(absorbed, survivor)) == (0, 0)
    check_director(table, survivor)
    tokens = len(token_cities(map_of(table.game).tokens, survivor)) + len(
        unplaced_tokens(table.game, survivor)
    )
    assert tokens <= 7
    assert not token_cities(map_of(table.game).tokens, absorbed)
    assert set(trains_of(table.game).owned.get(survivor, ())) == trains
    assert table.game.money(absorbed) == 0
    assert (own(table.game).exchange, table.game.interrupts) == (None, ())
    for player, count in held.items():
        assert table.shares(player, survivor) <= (count + 1) // 2 + (1 if count in (3, 4, 5) else 0)


def concerned(table: Table, holder: str) -> int:
    """The shares a holder has of both companies together."""
    return sum(table.shares(holder, symbol) for symbol in COMPANIES)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(POSITIONS)
@pytest.mark.clause("1862/5.1.3-b", "1862/5.1.3-c", "1862/7.11.2-b")
def test_every_refinancing_keeps_certificates_and_money(position: Position) -> None:
    """Certificates and money add up after every single fact; the company gets what its marker brings, nobody ends with more
    than half of his shares rounded up (a director with an option: three), and price and marker stay."""
    table = table_of(position)
    before, start = table.game, len(table.log)
    held = {holder: table.shares(holder, "N&E") for holder in table.game.players}
    begin(table, "N&E", "", table.director("N&E"), "refinancing")
    finish(table, position.answers)
    facts = table.log[start:]
    check_every_step(before, facts)
    (paid,) = [fact for fact in only(facts, CashMoved) if fact.reason == "1862.refinancing"]
    assert paid.amount == min(10 * companies_of(before)["N&E"].par, 1_000)
    assert market_of(table.game).markers == market_of(before).markers
    assert companies_of(table.game)["WStI"] == companies_of(before)["WStI"]
    check_director(table, "N&E")
    for player, count in held.items():
        assert table.shares(player, "N&E") <= max((count + 1) // 2, 3 if count >= 3 else 0)


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
    assert table.game.held(BANK, "N&E") == (DIRECTOR, *PLAIN)
    assert not token_cities(map_of(table.game).tokens, "N&E")
    assert table.game.money("N&E") == 0
    refunded = {fact.target for fact in only(facts, CashMoved) if fact.source == BANK}
    assert refunded <= set(PLAYERS)
    assert len(market_of(table.game).markers) == len(market_of(before).markers) - 1
