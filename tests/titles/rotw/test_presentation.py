"""What players and watchers see: the view of a game, and its picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from services.drawing.board import draw_board
from services.drawing.lettering import width_of
from services.drawing.wording import headline
from services.gen.signalbox.titles.rotw.v1 import rotw_pb2
from services.rules.adapters.view import game_view
from services.rules.kernel.commands import AnswerOffer
from services.rules.kernel.values import Score
from services.rules.parts.presentation import presentation_of
from services.rules.titles.rotw.board import board_of
from services.rules.titles.rotw.commands import ProposeMerger
from services.rules.titles.rotw.flow import FLOW
from services.rules.titles.rotw.title import TITLE
from tests.titles.rotw.table import (
    ADA,
    BEN,
    BLUE,
    PURPLE,
    RED,
    YELLOW,
    Table,
    new_table,
    running_table,
    track,
)


def seen(table: Table) -> rotw_pb2.View:
    """What a client gets of the title's own."""
    view = rotw_pb2.View()
    assert game_view("g", TITLE, table.data, table.game).title_state.Unpack(view)
    return view


def test_the_view_has_cities_links_and_companies() -> None:
    """Cubes and markers by city, links with their track, bonds and income, who acts first, and the board itself."""
    table = running_table()
    table.has_link(RED, "Ashford", "Brookton")
    table.goods_are("Carlow", "red", "blue")
    table.is_emptied("Ashford")
    table.has_bonds(RED, 1)
    table.income_is(RED, 3)
    table.has_chosen(RED, "pass")
    view = seen(table)
    cities = {each.name: each for each in view.cities}
    assert (cities["Carlow"].hex, [*cities["Carlow"].cubes], cities["Carlow"].exits) == (
        "E14",
        ["red", "blue"],
        6,
    )
    assert [name for name, city in cities.items() if city.is_emptied] == ["Ashford"]
    link = view.links[0]
    assert (link.owner, link.one, link.other, tuple(link.path)) == (
        RED,
        "Ashford",
        "Brookton",
        track("Ashford", "Brookton"),
    )
    red = view.railroads[0]
    assert (red.company, red.income_space, red.bonds, red.bonds_left, [*red.actions]) == (
        RED,
        3,
        1,
        0,
        ["pass"],
    )
    blue = view.railroads[1]
    assert (blue.company, blue.income_space, blue.bonds, blue.bonds_left, [*blue.actions]) == (
        BLUE,
        0,
        0,
        0,
        [],
    )
    assert ([*view.acting_order], view.emptied_to_end) == ([RED, BLUE], 6)
    assert tuple(view.rows) == board_of(table.data).layout.rows and len(view.ridges) == 4


def test_the_view_does_not_say_how_anybody_voted() -> None:
    """Only who has: of Ada and Ben, who both hold shares of RED, Ben has."""
    table = running_table(cash=60000)
    table.owns(BEN, RED, 1)
    table.has_link(RED, "Ashford", "Brookton")
    table.has_link(BLUE, "Brookton", "Carlow")
    table.round_is("rotw.mergers", RED, step="propose_merger")
    table.act(ADA, ProposeMerger(RED, BLUE))
    table.act(BEN, AnswerOffer(False))
    merger = seen(table).merger[0]
    assert (merger.company, merger.target, merger.voting, [*merger.voted]) == (RED, BLUE, RED, [BEN])


def test_the_list_of_companies() -> None:
    """Reserve, links, income and bonds; what is none of is left blank, but for income and reserve."""
    table = running_table()
    table.has_link(RED, "Ashford", "Brookton")
    table.has_bonds(RED, 2)
    table.income_is(RED, 3)
    table.has_issued(RED, 5)
    columns = presentation_of(TITLE).company_columns
    assert [column.text(table.data, table.game, RED) for column in columns] == ["0", "1", "3", "2"]
    assert [column.text(table.data, table.game, BLUE) for column in columns] == ["5", "", "0", ""]


def test_every_kind_of_round_has_a_name() -> None:
    """And nobody else records these games: the peer's rulings are the rulebook's."""
    assert presentation_of(TITLE).round_names.keys() == FLOW.rounds.keys()
    assert all(ruling.peer == ruling.values[0] for ruling in TITLE.rulings)


def test_the_picture_shows_the_board() -> None:
    """That it is a house layout, cities by name, links in their owners' colours, share values, bonds."""
    table = running_table()
    table.has_link(RED, "Ashford", "Brookton")
    table.goods_are("Carlow", "red", "blue")
    table.is_emptied("Ashford")
    svg = draw_board(presentation_of(TITLE), table.data, table.game)
    ElementTree.fromstring(svg)
    for words in (
        "small house layout, not a published board",
        "Jasper",
        "Share prices",
        "Companies",
        "bonds",
    ):
        assert words in svg
    assert "link 1 of RED: Ashford to Brookton" in svg
    assert "Carlow, blue, 6 exits: red, blue" in svg and "Ashford, red, 6 exits: emptied" in svg
    assert svg == draw_board(presentation_of(TITLE), table.data, table.game)


def test_markers_leave_the_price_readable() -> None:
    """A price of five digits is as wide as half its cell, so markers stand below it."""
    table = running_table()
    table.value_is(RED, 12)
    root = ElementTree.fromstring(draw_board(presentation_of(TITLE), table.data, table.game))
    cell = next(each for each in root.iter() if each.findtext("{*}title") == "12000: RED")
    price, marker = (each for each in cell.iter() if each.tag.endswith("text"))
    assert (price.text, marker.text) == ("12000", "RED")
    assert float(marker.attrib["y"]) > float(price.attrib["y"]) + float(marker.attrib["font-size"])


@pytest.mark.parametrize(
    ("companies", "shown"),
    [
        ((YELLOW,), ["YELLOW"]),
        ((PURPLE, YELLOW), ["PURPLE", "YELLOW"]),
        ((RED, PURPLE, YELLOW), ["RED", "PUR", "YEL"]),
    ],
)
def test_a_long_symbol_fits_its_marker(companies: tuple[str, ...], shown: list[str]) -> None:
    """One or two markers are as wide as the cell; of more only the first letters are shown."""
    table = running_table()
    for company in companies:
        table.value_is(company, 12)
    root = ElementTree.fromstring(draw_board(presentation_of(TITLE), table.data, table.game))
    cell = next(each for each in root.iter() if each.findtext("{*}title") == f"12000: {', '.join(companies)}")
    assert [each.text for each in cell.iterfind("{*}g/{*}text")] == shown
    for marker in cell.iterfind("{*}g"):
        box, text = marker
        assert width_of(text.text or "", float(text.attrib["font-size"])) <= float(box.attrib["width"])


def test_a_headline_fits_the_picture() -> None:
    """At the end it names everybody, long names in short; what still has no room is cut, and shown in full by a pointer."""
    table = new_table(6)
    table.game.scores = tuple(Score(f"somebody with a long name {each}", 50_000) for each in range(6))
    table.game.finished = True
    line = headline(presentation_of(TITLE), table.data, table.game)
    assert line.count("… 50000") == 6
    svg = draw_board(presentation_of(TITLE), table.data, table.game)
    head = next(
        each for each in ElementTree.fromstring(svg).iter() if (each.text or "").startswith("opening")
    )
    assert width_of(head.text or "", 15) <= 1633
