"""Building links (rotw/build, rotw/faq-l), on the small map."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.titles.rotw.board import board_of
from services.rules.titles.rotw.commands import BuildLink, DeliverGood
from services.rules.titles.rotw.state import links_of, own
from tests.positions.reading import moved_cash, paid
from tests.positions.rounds import ended_turns
from tests.titles.rotw.table import (
    ADA,
    BEN,
    BLUE,
    RED,
    Table,
    build,
    built,
    chosen_actions,
    deliver,
    running_table,
    track,
)

DETOUR = ("E8", "F9", "F11", "F13", "E14")


def over(company: str, hexes: str) -> BuildLink:
    """The command to build over these hexes."""
    return BuildLink(company, tuple(hexes.split()))


def listed_links(table: Table) -> list[tuple[int, BuildLink]]:
    """The links that Ada may build as they are listed, with what they cost."""
    return [(each.cost, each.command) for each in table.choices(ADA) if isinstance(each.command, BuildLink)]


@pytest.mark.clause("rotw/build-a")
def test_one_action_makes_one_or_two_links() -> None:
    """After the second link, or a pass after the first, it is the next company's turn."""
    table = running_table(cash=50000)
    events = table.act(ADA, build(RED, "Ashford", "Brookton"))
    assert ended_turns(events) == [] and chosen_actions(events) == [(RED, "build")]
    assert table.refusal(ADA, deliver(RED, "Ashford", "blue", "1")) == ("wrong_step", "")
    events = table.act(ADA, build(RED, "Brookton", "Hadley"))
    assert ended_turns(events) == [RED] and chosen_actions(events) == []
    table.act(BEN, build(BLUE, "Carlow", "Dunmore"))
    assert ended_turns(table.act(BEN, Pass())) == [BLUE]


@pytest.mark.clause("rotw/build-b")
@pytest.mark.parametrize(
    ("hexes", "cost"),
    [
        ("E2 E4 E6 E8", 4000),
        ("E14 E16 E18 E20", 5000),
        ("E14 D15 C16 B17", 8000),
        ("E2 D3 D5 D7 D9 C10 B11", 11000),
        ("B11 B13 B15 B17", 4000),
    ],
)
def test_the_first_link_costs_its_terrain(hexes: str, cost: int) -> None:
    """Open hexes 2,000, water 3,000, mountains 4,000."""
    table = running_table(cash=20000)
    assert paid(table.act(ADA, over(RED, hexes)), RED, BANK, cost, "tile_cost", RED)


def test_three_open_hexes() -> None:
    """6,000, the example of the clause build-b."""
    table = running_table(cash=20000)
    events = table.act(ADA, over(RED, "B5 B7 A8 A10 B11"))
    assert moved_cash(events) == [(RED, BANK, 6000)]


@pytest.mark.clause("rotw/build-c")
def test_the_second_link_costs_2000_more_for_each_hex() -> None:
    """Two open hexes and one of water: 13,000, where the first link would cost 7,000."""
    table = running_table(cash=50000)
    table.act(ADA, build(RED, "Ashford", "Brookton"))
    events = table.act(ADA, BuildLink(RED, DETOUR))
    assert moved_cash(events) == [(RED, BANK, 13000)]
    first = running_table(cash=50000)
    assert moved_cash(first.act(ADA, BuildLink(RED, DETOUR))) == [(RED, BANK, 7000)]


@pytest.mark.clause("rotw/build-d")
def test_a_link_may_be_of_any_length() -> None:
    """Eleven hexes in one action."""
    table = running_table(cash=50000)
    hexes = "B5 B7 A8 A10 A12 A14 A16 A18 A20 B21 C22 D21 E20"
    events = table.act(ADA, over(RED, hexes))
    assert built(events) == [("1", RED, tuple(hexes.split()))]
    assert moved_cash(events) == [(RED, BANK, 22000)]


@pytest.mark.clause("rotw/build-e")
@pytest.mark.parametrize("hexes", ["E2 E4 E6", "E4 E6 E8", "E2", "", "E2 E4"])
def test_a_link_is_completed_in_one_action(hexes: str) -> None:
    """Track that ends in the open is no link."""
    table = running_table(cash=50000)
    assert table.refusal(ADA, over(RED, hexes)) == ("rotw.link_incomplete", "rotw/build-e")


@pytest.mark.clause("rotw/build-f")
def test_the_first_build_starts_anywhere() -> None:
    """In any city, whatever others have built; all 10 cities are listed as ends."""
    table = running_table(cash=30000)
    table.has_link(BLUE, "Carlow", "Dunmore")
    ends = {each.path[0] for each in table.offered(ADA, BuildLink) if isinstance(each, BuildLink)} | {
        each.path[-1] for each in table.offered(ADA, BuildLink) if isinstance(each, BuildLink)
    }
    assert ends == board_of(table.data).by_hex.keys()
    table.act(ADA, build(RED, "Hadley", "Ashford"))


@pytest.mark.clause("rotw/build-g")
@pytest.mark.parametrize(("ruling", "allowed"), [("own", False), ("any", True)])
def test_later_builds_join_the_network(ruling: str, allowed: bool) -> None:
    """The own links; by the other reading those of any company."""
    table = running_table(cash=50000, links_to_connect_to=ruling)
    table.has_link(RED, "Ashford", "Brookton")
    table.has_link(BLUE, "Carlow", "Dunmore")
    assert table.refusal(ADA, build(RED, "Fulton", "Granby")) == ("rotw.not_connected", "rotw/build-g")
    to_blue = build(RED, "Dunmore", "Jasper")
    if allowed:
        offered = [each for each in table.offered(ADA, BuildLink) if isinstance(each, BuildLink)]
        assert to_blue in offered and {"E14", "B17"} in [{each.path[0], each.path[-1]} for each in offered]
        table.act(ADA, to_blue)
    else:
        assert table.refusal(ADA, to_blue) == ("rotw.not_connected", "rotw/build-g")
        assert to_blue not in table.offered(ADA, BuildLink)
        table.act(ADA, build(RED, "Brookton", "Fulton"))


def test_the_second_link_may_join_the_first() -> None:
    """That of this action counts as well, and links that came by a merger."""
    table = running_table(cash=50000)
    table.act(ADA, build(RED, "Ashford", "Elmira"))
    table.act(ADA, build(RED, "Elmira", "Fulton"))
    assert len(links_of(table.game, RED)) == 2


@pytest.mark.clause("rotw/build-h")
def test_a_link_belongs_to_its_builder() -> None:
    """It is marked as the company's, and nobody else's."""
    table = running_table(cash=50000)
    table.act(ADA, build(RED, "Ashford", "Brookton"))
    link = own(table.game).links["1"]
    assert (link.owner, link.path) == (RED, track("Ashford", "Brookton"))
    assert table.links(BLUE) == []


@pytest.mark.clause("rotw/build-i")
@pytest.mark.parametrize(
    "hexes",
    ["E2 E4 E8", "E2 E4 E4 E8", "E2 E4 E6 Z9 E8", "Z9 E4 E6 E8", "E2 E4 D5 C4 B5 A6 A8 B7 C6 C4 B5"],
)
def test_track_goes_from_hex_to_hex(hexes: str) -> None:
    """Side by side, on the board, and through none of them twice."""
    table = running_table(cash=90000)
    assert table.refusal(ADA, over(RED, hexes)) == ("rotw.no_path", "rotw/build-i")


def test_track_turns_gently() -> None:
    """By 60 degrees from hex to hex, not by 120."""
    table = running_table(cash=90000)
    assert table.refusal(ADA, over(RED, "E2 E4 D5 E6 E8")) == ("rotw.sharp_turn", "rotw/build-i")
    table.act(ADA, over(RED, "E2 D3 D5 E6 E8"))


@pytest.mark.parametrize(
    ("ruling", "hexes", "cost"),
    [
        ("half", "E8 E10 E12 E14", 8000),
        ("full", "E8 E10 E12 E14", 8000),
        ("half", "H5 H7 H9 H11", 6000),
        ("full", "H5 H7 H9 H11", 8000),
        ("half", "H11 H9 H7 H5", 6000),
    ],
)
def test_ridges(ruling: str, hexes: str, cost: int) -> None:
    """4,000 within a link, at a city half of it (low confidence, a ruling)."""
    table = running_table(cash=50000, ridge_at_city=ruling)
    assert moved_cash(table.act(ADA, over(RED, hexes))) == [(RED, BANK, cost)]


def test_crossing_track_costs_more_and_a_hex_takes_two() -> None:
    """2,000 for a hex with track in it, whosever it is; a third track finds no room."""
    table = running_table(cash=50000)
    table.has_link(BLUE, "Brookton", "Elmira")
    events = table.act(ADA, over(RED, "E2 D3 D5 D7 D9 C10 B11"))
    assert moved_cash(events) == [(RED, BANK, 13000)]
    table.act(ADA, Pass())
    table.company_round_is(RED)
    assert table.refusal(ADA, over(RED, "E2 F3 F5 E6 D7 C8 B9 B11")) == ("rotw.hex_full", "rotw/build-i")
    before_city = running_table(cash=50000)
    before_city.has_link(BLUE, *["B5", "C4", "D5", "E6", "F7", "G6", "H5"])
    before_city.has_link(BLUE, *["B5", "C6", "D7", "E6", "F5", "G4", "H5"])
    assert before_city.refusal(ADA, over(RED, "E2 E4 E6 E8")) == ("rotw.hex_full", "rotw/build-i")
    last_of_a_link = running_table(cash=50000)
    last_of_a_link.has_link(BLUE, *["C8", "D7", "E6", "F5", "G4"])
    last_of_a_link.has_link(BLUE, *["B5", "C4", "D5", "E6", "E8"])
    assert last_of_a_link.refusal(ADA, over(RED, "E2 E4 E6 F7 G6 H5")) == ("rotw.hex_full", "rotw/build-i")


def test_no_two_tracks_through_one_side() -> None:
    """Neither between hexes nor into a city."""
    table = running_table(cash=50000)
    table.has_link(BLUE, "Ashford", "Brookton")
    for hexes in ("E2 D3 D5 E6 E8", "E2 F3 F5 E6 E8"):
        assert table.refusal(ADA, over(RED, hexes)) == ("rotw.hexside_taken", "rotw/build-i")
    table.act(ADA, over(RED, "E2 D3 D5 D7 E8"))


@pytest.mark.parametrize("allowed", [True, False])
def test_a_second_link_between_two_cities(allowed: bool) -> None:
    """One owner may not have two (low confidence, a ruling); two owners may have one each."""
    table = running_table(cash=50000, second_link_between_cities="allowed" if allowed else "forbidden")
    table.has_link(RED, "Ashford", "Brookton")
    table.has_link(RED, "Brookton", "Carlow")
    again = over(RED, "E2 D3 D5 D7 E8")
    if allowed:
        table.act(ADA, again)
    else:
        assert table.refusal(ADA, again) == ("rotw.link_twice", "rotw/build-i")
    table.company_round_is(BLUE)
    table.act(BEN, over(BLUE, "E2 F3 F5 F7 E8"))


@pytest.mark.clause("rotw/build-k")
def test_a_link_passes_no_city() -> None:
    """Ashford to Carlow through Brookton is two links."""
    table = running_table(cash=90000)
    assert table.refusal(ADA, over(RED, "E2 E4 E6 E8 E10 E12 E14")) == (
        "rotw.city_on_the_way",
        "rotw/build-k",
    )


@pytest.mark.clause("rotw/build-j")
def test_shares_then_bonds_pay_for_track() -> None:
    """A treasury that is short issues shares; when none is left it takes bonds."""
    table = running_table(cash=1000)
    events = table.act(ADA, build(RED, "Ashford", "Brookton", shares=1))
    assert paid(events, BANK, RED, 8000, "rotw.share_issued", RED) and table.game.money(RED) == 5000
    table.has_issued(RED, 4)
    table.has_cash(RED, 3000)
    events = table.act(ADA, build(RED, "Brookton", "Hadley", bonds=1))
    assert paid(events, BANK, RED, 5000, "rotw.bond", RED) and table.game.money(RED) == 0


@pytest.mark.clause("rotw/faq-l")
def test_exits_of_a_city_are_limited() -> None:
    """Jasper has two: a third link cannot end there, and none is listed. Where the others were built from does not matter."""
    table = running_table(cash=50000)
    table.has_link(BLUE, "Jasper", "Carlow")
    table.has_link(BLUE, "Ironton", "Jasper")
    third = build(RED, "Dunmore", "Jasper")
    assert table.refusal(ADA, third) == ("rotw.no_exit_left", "rotw/faq-l")
    assert not [
        each for each in table.offered(ADA, BuildLink) if isinstance(each, BuildLink) and "H17" in each.path
    ]
    printed = {city.name: city.exits for city in board_of(table.data).cities.values()}
    assert printed["Jasper"] == 2 and set(printed.values()) == {2, 4, 6}


@pytest.mark.clause("rotw/faq-l")
@pytest.mark.parametrize("cities", [("Jasper", "Carlow"), ("Ironton", "Jasper")])
def test_a_link_uses_one_exit_of_each_end(cities: tuple[str, str]) -> None:
    """Jasper has two: one is left for a second link."""
    table = running_table(cash=50000)
    table.has_link(BLUE, *cities)
    table.act(ADA, build(RED, "Dunmore", "Jasper"))


def test_the_cheapest_track_is_listed() -> None:
    """Between Brookton and Carlow the detour around the ridge; every listed link can be built as listed."""
    table = running_table(cash=20000)
    table.has_link(RED, "Ashford", "Brookton")
    listed = listed_links(table)
    ways = {(command.path[0], command.path[-1]): (cost, command) for cost, command in listed}
    assert ways["E8", "E14"] == (6000, over(RED, "E8 D9 D11 E12 E14"))
    assert len(ways) == len(listed)
    for _, command in listed:
        before = table.game.copy()
        table.act(ADA, command)
        table.game = before


def test_a_ridge_at_a_city_is_cheaper_for_the_search_too() -> None:
    """A second link from Hadley to Ironton goes straight over it: 4,000 for two hexes, 4,000 more, 2,000 for the ridge."""
    table = running_table(cash=90000)
    table.act(ADA, build(RED, "Ashford", "Hadley"))
    assert (10000, over(RED, "H5 H7 H9 H11")) in listed_links(table)


@pytest.mark.parametrize(("second", "count"), [(False, 17), (True, 24)])
def test_what_is_listed_costs_what_it_says(second: bool, count: int) -> None:
    """With crossings and the surcharge of a second link; each pair of cities that can be joined is listed once, from whichever
    side, also where the straight track is closed."""
    table = running_table(cash=90000, second_link_between_cities="allowed")
    table.has_links(BLUE, "Elmira", "Brookton", "Ironton")
    table.has_links(RED, "Ashford", "Hadley")
    table.has_issued(RED, 5)
    if second:
        table.act(ADA, build(RED, "Hadley", "Ironton"))
    listed = listed_links(table)
    pairs = [frozenset((command.path[0], command.path[-1])) for _, command in listed]
    assert len(set(pairs)) == len(pairs) == count
    for cost, command in listed:
        before, log = table.game.copy(), [*table.log]
        assert [amount for _, _, amount in moved_cash(table.act(ADA, command))] == [cost], command
        table.game, table.log = before, log


def test_a_company_that_can_build_no_second_link_is_not_asked() -> None:
    """Its money is gone: the turn is over."""
    table = running_table(cash=4000)
    table.has_issued(RED, 5)
    events = table.act(ADA, build(RED, "Ashford", "Brookton"))
    assert ended_turns(events) == [RED]
    assert table.offered(BEN, DeliverGood) == []
