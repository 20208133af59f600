"""What a stock round of 1865 begins with (section 4.1), and majors by conversion (4.7, 4.8)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.map.board import face
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.shares.shares import percent_text
from services.rules.titles.g1865.commands import ConvertCompany
from tests.positions.map import laid_tiles, upgraded_hexes
from tests.positions.reading import payments
from tests.positions.rounds import questions, rounds
from tests.positions.shares import divisions
from tests.titles.g1865.table import (
    ADA,
    BEN,
    CLEO,
    OLBIA_TO_OZIERI_TO_SASSARI,
    TO_ARBATAX,
    TO_CAGLIARI,
    Table,
    dragon_turns,
    new_rows,
    stock_table,
)

SERBARIU = "C40"


def _at_the_end_of_a_turn(phase: str = "2", **rulings: str) -> Table:
    """FMS of Ada has a token in a mine."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 80, ADA)
    table.token_stands("FMS", SERBARIU)
    if phase != "2":
        table.phase_is(phase)
    return table


def _colour(table: Table, hex_id: str) -> str:
    return face(table.data, map_of(table.game).tiles, hex_id).colour


@pytest.mark.clause("1865/4.1-a")
def test_mines_rows_and_conversions_come_before_shares() -> None:
    """In this order, and the Dragons only after the last president has answered."""
    table = _at_the_end_of_a_turn("3")
    table.tiles_lie(TO_CAGLIARI)
    events = table.stock_round_follows()
    kinds = [type(event).__name__ for event in events]
    order = [kinds.index(name) for name in ("TileLaid", "TableRowSet", "InterruptRaised")]
    assert order == sorted(order)
    assert rounds(events) == [("stock", 3, 1, 1)] and dragon_turns(events) == []
    assert dragon_turns(table.act(ADA, Pass())) == ["passed"]


@pytest.mark.clause("1865/4.1-b")
@pytest.mark.clause("1865/4.1-c")
@pytest.mark.parametrize(
    ("phase", "colour"), [("2", "yellow"), ("3", "green"), ("4", "green"), ("5", "green")]
)
def test_yellow_mines_with_a_token_become_green_from_phase_3_on(phase: str, colour: str) -> None:
    """One level at a time; a mine without a token is not touched."""
    table = _at_the_end_of_a_turn(phase)
    exits = face(table.data, map_of(table.game).tiles, SERBARIU).exits
    events = table.stock_round_follows()
    laid = laid_tiles(events)
    assert upgraded_hexes(events) == [hex_id for _, hex_id, _, _ in laid]
    assert _colour(table, SERBARIU) == colour and _colour(table, "B39") == "yellow"
    assert [hex_id for _, hex_id, _, _ in laid] == ([SERBARIU] if colour == "green" else [])
    assert face(table.data, map_of(table.game).tiles, SERBARIU).exits == exits
    assert table.tokens("FMS")[SERBARIU, 0] == ("FMS",)


@pytest.mark.clause("1865/4.1-d")
@pytest.mark.clause("1865/4.1-e")
@pytest.mark.parametrize(("phase", "colour"), [("4", "green"), ("5", "brown"), ("7", "brown")])
def test_green_mines_become_brown_from_phase_5_on(phase: str, colour: str) -> None:
    """Phase 4: the green mine stays; phase 5: it is brown in the second stock round."""
    table = _at_the_end_of_a_turn(phase)
    table.stock_round_follows()
    assert _colour(table, SERBARIU) == "green"
    table.stock_round_follows()
    assert _colour(table, SERBARIU) == colour
    table.stock_round_follows()
    assert _colour(table, SERBARIU) == colour


@pytest.mark.clause("1865/4.1-b")
def test_a_mine_stays_when_no_tile_is_left() -> None:
    """All green mines lie elsewhere."""
    table = _at_the_end_of_a_turn("3")
    for hex_id in ("F3", "E6", "D7", "E8", "G8", "F9", "F11", "E12"):
        table.tile_lies(hex_id, "MG", 0)
    assert laid_tiles(table.stock_round_follows()) == []


@pytest.mark.clause("1865/4.1-b")
def test_a_mine_that_lost_its_token_is_not_touched() -> None:
    """An absorber gave it up."""
    table = _at_the_end_of_a_turn("3")
    table.token_is_removed("FMS", SERBARIU)
    assert laid_tiles(table.stock_round_follows()) == []


@pytest.mark.clause("1865/4.1-e")
def test_by_one_ruling_a_mine_comes_down_at_once() -> None:
    """Phase 5: from yellow to brown in one stock round."""
    table = _at_the_end_of_a_turn("5", mine_levels="all_due")
    table.stock_round_follows()
    assert _colour(table, SERBARIU) == "brown"


@pytest.mark.clause("1865/4.1-f")
@pytest.mark.clause("1865/4.1-g")
def test_a_company_moves_one_row_towards_the_phase() -> None:
    """Row of phase 2 in phase 5: to that of phase 3; one on the phase's row stays."""
    table = _at_the_end_of_a_turn("5")
    table.is_launched("FA", 80, BEN, row="5")
    assert new_rows(table.stock_round_follows()) == [("FMS", "3")]
    assert (table.row("FMS"), table.row("FA")) == ("3", "5")
    for row in ("4", "5", "5"):
        table.stock_round_follows()
        assert table.row("FMS") == row


def _two_joined(**rulings: str) -> Table:
    """FMS of Ada and the dearer FCS of Ben are joined to their destinations, CFC of Cleo is not."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 80, ADA)
    table.is_launched("CFC", 100, CLEO)
    table.is_launched("FCS", 90, BEN)
    table.tiles_lie(TO_CAGLIARI + TO_ARBATAX)
    return table


@pytest.mark.clause("1865/4.1-h")
@pytest.mark.clause("1865/4.7-f")
@pytest.mark.clause("1865/4.7-h")
def test_presidents_of_joined_minors_are_asked_in_operating_order() -> None:
    """The dearer company first, without a token at the destination; to decline is possible; a major is not asked again."""
    table = _two_joined()
    events = table.stock_round_follows()
    assert questions(events) == [("1865.conversion", BEN, "FCS"), ("1865.conversion", ADA, "FMS")]
    assert table.asked() == BEN and table.offered(BEN) == [ConvertCompany("FCS"), Pass()]
    assert table.refusal(BEN, ConvertCompany("FMS")) == ("not_your_turn", "1865/4.1-h")
    assert divisions(table.act(BEN, Pass())) == []
    assert divisions(table.act(ADA, ConvertCompany("FMS"))) == [("FMS", 10)]
    assert questions(table.stock_round_follows()) == [("1865.conversion", BEN, "FCS")]


@pytest.mark.clause("1865/4.7-h")
def test_a_token_at_the_destination_is_enough() -> None:
    """FMS has one in Cagliari, to which no track leads from another of its tokens."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA)
    table.token_stands("FMS", "F39")
    assert questions(table.stock_round_follows()) == [("1865.conversion", ADA, "FMS")]


@pytest.mark.clause("1865/4.7-g")
def test_a_direct_route_meets_no_other_city() -> None:
    """FMS is joined to Cagliari once the last tile lies."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA)
    table.tiles_lie(TO_CAGLIARI[:1])
    assert questions(table.stock_round_follows()) == []
    table.tiles_lie(TO_CAGLIARI[1:])
    assert questions(table.stock_round_follows()) == [("1865.conversion", ADA, "FMS")]


@pytest.mark.clause("1865/4.7-g")
def test_track_through_another_city_is_no_direct_route() -> None:
    """FA is joined to Macomer in the middle and Macomer to Sassari, its destination; that is no direct route to Sassari."""
    table = stock_table()
    table.is_launched("FA", 80, BEN)
    table.tiles_lie(OLBIA_TO_OZIERI_TO_SASSARI)
    assert questions(table.stock_round_follows()) == []
    table.token_stands("FA", "E24")
    assert questions(table.stock_round_follows()) == [("1865.conversion", BEN, "FA")]


@pytest.mark.clause("1865/4.1-i")
@pytest.mark.clause("1865/4.1-j")
@pytest.mark.clause("1865/4.8-a")
@pytest.mark.clause("1865/4.8-b")
def test_a_conversion_halves_what_a_share_is_and_adds_five() -> None:
    """Who has 60 % has 30 % after it; five more certificates are in the offer; price and treasury stay."""
    table = _two_joined()
    table.stock_round_follows()
    assert percent_text(table.game, "FCS", table.shares(BEN, "FCS")) == "60 %"
    events = table.act(BEN, ConvertCompany("FCS"))
    assert percent_text(table.game, "FCS", table.shares(BEN, "FCS")) == "30 %"
    assert table.game.held("FCS", "FCS") == (2, 3, 4, 5, 6, 7, 8) and table.shares_in("FCS") == 10
    assert table.price_of("FCS") == 90 and payments(events) == []
    assert set(unplaced_tokens(table.game, "FCS")) == {0}


@pytest.mark.clause("1865/4.7-e")
def test_shares_sold_after_a_conversion_bring_new_money() -> None:
    """Five new shares at 90 bring 450 to the treasury."""
    table = _two_joined()
    table.stock_round_follows()
    table.act(BEN, ConvertCompany("FCS"))
    table.act(ADA, Pass())
    treasury = table.game.money("FCS")
    for player in (ADA, BEN, CLEO, ADA, BEN):
        table.stock_turn_is(player)
        table.act(player, BuyCertificate("FCS", "FCS"))
    assert table.game.money("FCS") == treasury + 450


@pytest.mark.clause("1865/4.8-c")
@pytest.mark.parametrize(("phase", "tokens"), [("2", 4), ("3", 5), ("4", 6), ("5", 7), ("6", 7), ("7", 7)])
def test_a_conversion_adds_tokens_by_phase(phase: str, tokens: int) -> None:
    """3 and 1 in phase 2, 2 in phase 3, 3 in phase 4, 4 from phase 5 on."""
    table = _two_joined()
    if phase != "2":
        table.phase_is(phase)
    table.stock_round_follows()
    table.act(BEN, ConvertCompany("FCS"))
    assert len(unplaced_tokens(table.game, "FCS")) + len(table.tokens("FCS")) == tokens
