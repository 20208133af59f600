"""The Dragons of the rules against a second implementation from the clauses alone, over random positions (4.3)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from services.rules.kernel.vocabulary import POOL
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import plain_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.companies import is_launched
from services.rules.titles.g1865.figures import kind_of
from services.rules.titles.g1865.state import own
from tests.positions.reading import CertificateMove, only
from tests.titles.g1865.dragons_by_clauses import LINE, Railway, turn
from tests.titles.g1865.table import PLAYERS, Table, dragon_choices, stock_table

POSITIONS = 1000
KINDS = ("2", "2", "2", "3", "3", "4")
SPOTS = ("A24", "G26", "C36", "G36", "B39")
# Values that are close together, so that markers often lie on each other.
VALUES = LINE[:4] + LINE[6:10]


def random_position(seed: int) -> tuple[int, Table]:
    """Some companies, minors and majors, with trains, tokens and certificates in all places."""
    draw = Random(seed)
    phase = draw.choice((2, 2, 3, 4, 5, 7))
    table = stock_table(3)
    if phase > 2:
        table.phase_alone_is(str(phase))
    trains = Counter[str]()
    spots = list(SPOTS)
    for company in draw.sample(sorted(cards_of(table.data)), draw.randint(2, 8)):
        row = str(draw.randint(2, phase))
        operated = draw.random() < 0.9
        table.is_launched(
            company, draw.choice(VALUES), draw.choice(PLAYERS[:3]), shares=2, operated=operated, row=row
        )
        if draw.random() < 0.5:
            table.is_converted(company)
        for _ in range(draw.randint(0, 3)):
            kind = draw.choice(KINDS)
            table.train_is_owned(f"{kind}-{trains[kind]}", company)
            trains[kind] += 1
        if spots and draw.random() < 0.5:
            table.token_stands(company, spots.pop())
        half = table.shares_in(company) // 2
        table.holds(POOL, company, draw.randint(0, half))
        left = len(table.game.held(company, company))
        table.holds(table.dragons, company, draw.randint(0, min(half, left)))
        left = len(table.game.held(company, company))
        if draw.random() < 0.6:
            table.gets_certificates(PLAYERS[0], company, *table.game.held(company, company), source=company)
    return phase, table


def seen(table: Table) -> list[Railway]:
    """The position in the words of the second implementation, without a rule of the first."""
    game, data = table.game, table.data
    railways = []
    for company in cards_of(data):
        if is_launched(game, company):
            cell = market_of(game).markers[company]
            numbers = [kind_of(data, train).number for train in owned_by(game, company)]
            railways.append(
                Railway(
                    name=company,
                    size=100 // table.shares_in(company),
                    value=LINE[cell[1]],
                    above=market_of(game).cells[cell].index(company),
                    row=int(own(game).rows[company]),
                    rank=min(16, sum(numbers) + len(table.tokens(company))),
                    operated=companies_of(game)[company].operated,
                    offer=len(plain_held(game, company, company)),
                    pool=len(game.held(POOL, company)),
                    dragons=len(game.held(table.dragons, company)),
                )
            )
    return railways


@pytest.mark.parametrize("block", range(10))
def test_both_implementations_agree(block: int) -> None:
    """What is sold, what the values are then, and what is bought from where, in 1,000 random positions."""
    kinds = Counter[str]()
    for seed in range(block * POSITIONS // 10, (block + 1) * POSITIONS // 10):
        phase, table = random_position(seed)
        before = seen(table)
        events = table.dragons_take_turn()
        moved = only(events, CertificateMove)
        sold = {each.company: each.shares for each in moved if each.reason == "sold"}
        bought = [
            (company, "offer" if source == company else "pool") for company, source in dragon_choices(events)
        ]
        expected = turn(phase, before)
        assert sold == expected.sold, seed
        assert {railway.name: railway.value for railway in seen(table)} == expected.values, seed
        assert bought == ([expected.bought] if expected.bought else []), (seed, before)
        kinds.update(["sold"] * bool(sold) + ["bought"] * bool(bought) + ["passed"] * (not moved))
    assert min(kinds[kind] for kind in ("sold", "bought", "passed")) >= 5, kinds
