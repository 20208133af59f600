"""Tokens when a company of 1865 is absorbed (6.3)."""

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.titles.g1865.commands import Absorb
from tests.positions.map import token_changes
from tests.positions.reading import moved_cash, payments
from tests.titles.g1865.absorbing import ABSORB, A, B, pair
from tests.titles.g1865.table import (
    ADA,
    Table,
)


def _with_tokens(*of_b: str, spare: int = 3) -> Table:
    """The pair with further tokens of B, and so many that A has left."""
    table = pair()
    table.charter_has_tokens(B, *(0,) * 7)
    for hex_id in of_b:
        table.token_stands(B, hex_id)
    table.charter_has_tokens(A, *(0,) * spare)
    table.company_turn_is(A, B, step="absorb")
    return table


@pytest.mark.clause("1865/6.3-b")
def test_tokens_are_replaced_for_nothing() -> None:
    """A's token stands where B's did, and A has one less."""
    table = _with_tokens(spare=2)
    treasury = table.game.money(A)
    events = table.act(ADA, ABSORB)
    (change,) = token_changes(events)
    assert (change.company, change.hex, change.successor) == (B, "C38", A)
    assert len(unplaced_tokens(table.game, A)) == 1 and payments(events, "token_cost") == []
    got = sum(each.amount for each in payments(events, "1865.shareholder_paid"))
    assert table.game.money(A) == treasury - got


@pytest.mark.clause("1865/6.3-b")
def test_no_token_that_can_be_replaced_is_left_out() -> None:
    """Nor named twice, nor one that B has not."""
    table = _with_tokens()
    for replaced, abandoned, reason in (
        ((), (), ("1865.tokens_left_out", "1865/6.3-b")),
        (("C38", "C38"), (), ("1865.tokens_unknown", "1865/6.3-b")),
        (("E34",), (), ("1865.tokens_unknown", "1865/6.3-b")),
        (("C38",), ("C38",), ("1865.tokens_unknown", "1865/6.3-b")),
    ):
        assert table.refusal(ADA, Absorb(A, B, replaced, abandoned)) == reason


@pytest.mark.clause("1865/6.3-c")
def test_a_pair_of_tokens_brings_50() -> None:
    """Two common cities: 100 of the bank, and B's tokens are gone."""
    table = pair()
    table.charter_has_tokens(B, *(0,) * 7)
    table.token_stands(B, "F39")
    table.tiles_lie((("E34", "57", 1), ("E34", "14", 1), ("F33", "7", 0), ("F35", "4", 0), ("F37", "9", 0)))
    table.slots_are("E34", 0, B, A)
    table.company_turn_is(A, B, step="absorb")
    events = table.act(ADA, table.offered(ADA, Absorb)[0])
    assert moved_cash(events, "1865.synergy") == [(BANK, A, 50)] * 2
    assert {change.successor for change in token_changes(events) if change.hex in ("F39", "E34")} == {""}


@pytest.mark.clause("1865/6.3-d")
def test_tokens_that_cannot_be_replaced_are_lost() -> None:
    """A has none left: B's token goes, for nothing."""
    table = _with_tokens(spare=0)
    assert table.refusal(ADA, ABSORB) == ("no_token_left", "1865/6.3-d")
    events = table.act(ADA, Absorb(A, B, (), ()))
    assert [(each.hex, each.successor) for each in token_changes(events)] == [("C38", "")]
    assert payments(events, "1865.synergy") == [] and B not in map_of(table.game).tokens["C38", 0]


@pytest.mark.clause("1865/6.3-e")
def test_every_token_stays_joined_to_another_one() -> None:
    """B's token in Sassari is joined to none of A's: it cannot be replaced."""
    table = _with_tokens("C24")
    assert table.refusal(ADA, Absorb(A, B, ("C38", "C24"), ())) == ("1865.tokens_not_joined", "1865/6.3-e")
    assert table.offered(ADA, Absorb) == [ABSORB]
    events = table.act(ADA, ABSORB)
    assert {(each.hex, each.successor) for each in token_changes(events)} == {("C38", A), ("C24", "")}


@pytest.mark.clause("1865/6.3-b")
@pytest.mark.clause("1865/6.3-e")
def test_tokens_that_are_joined_to_each_other_are_replaced_together() -> None:
    """B's tokens in Ozieri and Sassari are joined to each other: either alone cannot be replaced, both have to be."""
    table = _with_tokens("C24", "E24")
    table.tiles_lie((("E24", "57", 1), ("D25", "58", 2)))
    table.company_turn_is(A, B, step="absorb")
    assert table.refusal(ADA, ABSORB) == ("1865.tokens_left_out", "1865/6.3-b")
    alone = Absorb(A, B, ("C24", "C38"), ())
    assert table.refusal(ADA, alone) == ("1865.tokens_not_joined", "1865/6.3-e")
    assert Absorb(A, B, ("C24", "C38", "E24"), ()) in table.offered(ADA)


@pytest.mark.clause("1865/6.3-f")
@pytest.mark.clause("1865/5.3-d")
def test_the_absorber_may_give_mines_up() -> None:
    """A mine of A goes and its token is free again; a mine of B may be left out."""
    table = pair()
    table.charter_has_tokens(A, 0)
    table.token_stands(A, "C36")
    table.charter_has_tokens(A)
    table.company_turn_is(A, B, step="absorb")
    assert table.refusal(ADA, ABSORB) == ("no_token_left", "1865/6.3-d")
    assert Absorb(A, B, ("C38",), ("C36",)) in table.offered(ADA)
    events = table.act(ADA, Absorb(A, B, ("C38",), ("C36",)))
    assert {(each.company, each.hex, each.successor) for each in token_changes(events)} == {
        (A, "C36", ""),
        (B, "C38", A),
    }
    assert unplaced_tokens(table.game, A) == ()


@pytest.mark.clause("1865/6.3-f")
@pytest.mark.clause("1865/5.3-d")
def test_a_mine_of_the_target_may_be_left_out() -> None:
    """And has to be when A has another one of the district, unless that is given up."""
    table = pair()
    table.charter_has_tokens(B, *(0,) * 7)
    table.token_stands(B, "C36")
    table.tile_lies("D37", "142", 2)
    table.company_turn_is(A, B, step="absorb")
    offered = [each for each in table.offered(ADA) if isinstance(each, Absorb)]
    ways = {each.replaced for each in offered if each.company == A}
    assert ways == {("C36", "C38"), ("C38",)}
    two = pair()
    two.token_stands(B, "D39")
    two.charter_has_tokens(A, *(0,) * 7)
    two.token_stands(A, "C40")
    two.company_turn_is(A, B, step="absorb")
    assert two.refusal(ADA, Absorb(A, B, ("C38", "D39"), ())) == ("1865.mine_of_district", "1865/5.3-d")
