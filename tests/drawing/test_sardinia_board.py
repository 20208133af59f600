"""Pictures of 1865: hexsides and what they cost, premiums, the Dragon table, traffic in cubes, sea companies, destinations."""

from __future__ import annotations

from xml.etree import ElementTree

from services.rules.titles.g1865.owntables import own_tables
from services.rules.titles.g1865.state import State
from tests.drawing.games import SVG, drawn_board, of_class, parsed, texts
from tests.titles.g1865.table import ADA, Table, new_table


def table_in_the_middle() -> Table:
    """FMS on the row of phase 3 with a train and 17 traffic, a sea company with it and one with a player."""
    table = new_table()
    table.is_launched("FMS", 100, ADA, row="3")
    table.owns_trains("FMS", "3")
    table.traffic_is("FMS", 17)
    table.has_maritime("FMS", "M2")
    table.has_maritime(ADA, "M1")
    table.port_is_used("M2", "FMS")
    return table


def picture(table: Table) -> ElementTree.Element:
    """The picture of a table, read back."""
    return parsed(drawn_board(table.data, table.game))


def titles_of(root: ElementTree.Element, class_: str) -> list[str]:
    """What pointers show over the elements of a class."""
    return [each.findtext(SVG + "title", "") for each in of_class(root, class_)]


def test_the_layout_is_named_on_the_picture() -> None:
    """The heading says that it is not the published board."""
    assert "1865 Sardinia (house layout, not the published board)" in texts(picture(new_table()))


def test_hexsides_are_drawn_with_their_cost() -> None:
    """One line for each kind along as many sides as the data has, and a key with what each costs."""
    table = new_table()
    root = picture(table)
    sides = table.data.sections["map"].sides
    for kind, cost in (("river", 40), ("mountain", 60), ("sea", 60)):
        line = next(each for each in of_class(root, kind) if each.findtext(SVG + "title"))
        assert line.findtext(SVG + "title") == f"{kind} {cost}"
        assert 2 * line.get("d", "").count("M") == sum(
            side == kind for each in sides.values() for side in each
        )
        assert f"{kind} {cost}" in texts(root)
    assert "all others (plain) 10" in texts(root)


def test_prices_have_their_premiums() -> None:
    """Below each value of the share line is what a Dragon share costs in the white and in the green zone."""
    root = picture(new_table())
    lines = [
        ["".join(text.itertext()) for text in cell.iter(SVG + "text")] for cell in of_class(root, "price")
    ]
    assert len(lines) == 31
    assert ["100", "w 110", "g 130"] in lines
    assert ["490", "w 520", "g 540"] in lines


def test_the_dragon_table_has_its_zones_and_companies() -> None:
    """Six rows of 16 ranks; a company's token is on its row at its rank."""
    table = table_in_the_middle()
    root = picture(table)
    assert "2 (now)" in texts(root)
    fills = [each.get("fill") for each in root.iter(SVG + "rect")]
    assert fills.count("#f3b3a8") == 2 + 4 + 6 + 8 + 10 + 12
    assert fills.count("#b9e0a5") == 12 + 10 + 8 + 6 + 4 + 2
    held = titles_of(root, "token").count("FMS Ferrovie Meridionali Sarde")
    without = titles_of(picture(new_table()), "token").count("FMS Ferrovie Meridionali Sarde")
    assert (
        held - without == 4
    )  # in the lists of companies, of traffic and of sea companies, and on the Dragon table


def test_tokens_on_the_dragon_table_do_not_hide_each_other() -> None:
    """Three companies of one rank: two in the row of the phase, the third in one more below it."""
    table = new_table()
    for company in ("FMS", "RCSF", "SFSS"):
        table.is_launched(company, 100, ADA)
    dragons, *_ = own_tables(table.data, table.game)
    assert [(row[0].text, row[1].tokens) for row in dragons.rows[:3]] == [
        ("2 (now)", ("FMS", "RCSF")),
        ("", ("SFSS",)),
        ("3", ()),
    ]
    assert dragons.rows[1][1].ground == "red"


def test_companies_have_their_offer_and_no_runs() -> None:
    """Shares nobody bought are with the company; trains run nowhere."""
    root = picture(table_in_the_middle())
    assert "in offer" in texts(root) and "40 %" in texts(root)
    assert not any(text.startswith("last runs") for text in texts(root))


def test_traffic_is_shown_in_cubes() -> None:
    """17 are a blue, a purple and two black cubes."""
    root = picture(table_in_the_middle())
    assert titles_of(root, "cube") == ["blue", "purple", "black", "black"]


def test_sea_companies_are_listed_with_their_ports() -> None:
    """Each with its place and who has it; the map has a sign at each port and at each destination."""
    root = picture(table_in_the_middle())
    assert "traffic brought" in texts(root)
    signs = titles_of(root, "sign")
    assert signs.count("port of M2 Carbonia") == 3
    assert "destination of FMS Ferrovie Meridionali Sarde" in signs
    assert len(signs) == 8 + 7 + 3


def test_no_state_has_a_table_of_another() -> None:
    """A table of the title is its own: nothing of the state before remains."""
    table = table_in_the_middle()
    State.to_write(table.game).traffic = {}
    assert titles_of(picture(table), "cube") == []
