"""What is in the box of 1865: ranks, zones, pools, trains and companies (section 1)."""

import pytest

from services.rules.kernel.vocabulary import POOL
from services.rules.parts.map.data import map_data
from services.rules.parts.market.data import chart_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import percent_text, shares_of
from services.rules.titles.g1865.companies import rank_of, zone_of
from services.rules.titles.g1865.figures import kind_of
from services.rules.titles.g1865.maritime import maritime_cards
from services.rules.titles.g1865.operating.forced import bank_prices
from services.rules.titles.g1865.title import TITLE
from tests.titles.g1865.table import ADA, Table, new_table, stock_table


@pytest.mark.clause("1865/1-d")
def test_rank_is_numbers_of_trains_and_tokens() -> None:
    """Two phase-2 trains and 3 tokens are rank 7; sea companies add nothing."""
    table = new_table()
    table.is_launched("FMS", 80, ADA)
    assert rank_of(table.game, table.data, "FMS") == 1
    table.owns_trains("FMS", "2", "2")
    table.token_stands("FMS", "F39")
    table.token_stands("FMS", "C40")
    table.has_maritime("FMS", "M1")
    assert rank_of(table.game, table.data, "FMS") == 7


@pytest.mark.clause("1865/1-e")
@pytest.mark.parametrize(("ruling", "rank"), [("capped", 16), ("counted", 21)])
def test_rank_goes_as_far_as_the_table(ruling: str, rank: int) -> None:
    """Two phase-7 trains and 7 tokens are 21, shown as 16."""
    table = new_table(rank_above_the_table=ruling)
    table.is_launched("FMS", 80, ADA)
    table.charter_has_tokens("FMS", *(0,) * 6)
    table.owns_trains("FMS", "7", "7")
    for hex_id in ("F39", "C40", "A24", "B23", "C24", "G26"):
        table.token_stands("FMS", hex_id)
    assert rank_of(table.game, table.data, "FMS") == rank


@pytest.mark.clause("1865/1-f")
@pytest.mark.parametrize(
    ("row", "zones"),
    [
        ("2", "rrwwgggggggggggg"),
        ("3", "rrrrwwgggggggggg"),
        ("4", "rrrrrrwwgggggggg"),
        ("5", "rrrrrrrrwwgggggg"),
        ("6", "rrrrrrrrrrwwgggg"),
        ("7", "rrrrrrrrrrrrwwgg"),
    ],
)
def test_zone_follows_from_rank_and_row(row: str, zones: str) -> None:
    """On the row of phase p a rank up to 2p-2 is red, 2p-1 and 2p are white, more is green."""
    found = ""
    for rank in range(1, 17):
        table = new_table()
        table.is_launched("FMS", 80, ADA, row=row)
        if rank > 1:
            _add_rank(table, rank - 1)
        assert rank_of(table.game, table.data, "FMS") == rank
        found += zone_of(table.game, table.data, "FMS")[0]
    assert found == zones


def _add_rank(table: Table, more: int) -> None:
    """Trains of the kinds 2 and 3 that add up to so much, or a token."""
    if more == 1:
        table.token_stands("FMS", "F39")
        return
    kinds = ("3",) * (more % 2) + ("2",) * (more // 2 - more % 2)
    for number, kind in enumerate(kinds):
        table.train_is_owned(f"{kind}-{number}", "FMS")


@pytest.mark.clause("1865/1-g")
@pytest.mark.clause("1865/1-h")
def test_there_are_three_places_for_shares_beside_players() -> None:
    """The offer of each company, the bank pool and the Dragon pool hold different certificates."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA, shares=2)
    assert table.game.held("FMS", "FMS") == (1, 2, 3)
    table.gets_certificates(POOL, "FMS", 1, source="FMS")
    table.gets_certificates(table.dragons, "FMS", 2, source="FMS")
    held = {holder: table.game.held(holder, "FMS") for holder in (ADA, "FMS", POOL, table.dragons)}
    assert held == {ADA: (0,), "FMS": (3,), POOL: (1,), table.dragons: (2,)}
    assert len({POOL, table.dragons, "FMS"}) == 3


@pytest.mark.clause("1865/1-i")
def test_the_share_market_is_one_line() -> None:
    """31 rising values from 10 to 490."""
    (line,) = chart_of(new_table().data).rows
    assert (len(line), line[0], line[-1], list(line)) == (31, 10, 490, sorted(set(line)))


@pytest.mark.clause("1865/1-j")
def test_trains_and_their_coverage() -> None:
    """Six kinds; coverage 8, 14, 20, 25, 30, 35. Those of phase 2 are there from the start, all others enter later."""
    table = new_table()
    assert [kind_of(table.data, f"{kind}-0").coverage for kind in "234567"] == [8, 14, 20, 25, 30, 35]
    counts = [kind_of(table.data, f"{kind}-0").count for kind in "234567"]
    assert counts == [6, 5, 4, 2, 3, 0]
    assert {train for train, seller in bank_prices(table.game, table.data)} == {"2-0"}
    table.trains_are_sold("2")
    assert {train for train, seller in bank_prices(table.game, table.data)} == {"3-0"}


@pytest.mark.clause("1865/1-k")
def test_colours_of_tiles() -> None:
    """Yellow, green, brown and grey."""
    tiles = map_data(new_table().data).tiles.values()
    assert {tile.face.colour for tile in tiles} == {"yellow", "green", "brown", "grey"}


@pytest.mark.clause("1865/1-l")
@pytest.mark.clause("1865/1-m")
def test_companies_and_their_certificates() -> None:
    """Eight; a share is 20 % of a minor and 10 % of a major, a president's certificate two shares."""
    table = new_table()
    assert len(cards_of(table.data)) == 8
    assert shares_of(table.data, "FMS", (0,)) == 2
    assert percent_text(table.game, "FMS", 1) == "20 %" and percent_text(table.game, "FMS", 2) == "40 %"
    table.is_converted("FMS")
    assert percent_text(table.game, "FMS", 1) == "10 %" and percent_text(table.game, "FMS", 2) == "20 %"


@pytest.mark.clause("1865/1-n")
def test_sea_companies() -> None:
    """M1 to M8, each at a port on the map."""
    data = new_table().data
    assert list(maritime_cards(data)) == [f"M{number}" for number in range(1, 9)]
    assert all(
        hex_id in map_data(data).hexes for card in maritime_cards(data).values() for hex_id in card.ports
    )
    assert TITLE.name == "1865"
