"""The whole picture."""

import hashlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from services.drawing.colours import TILE_GROUNDS, contrast, text_on
from services.drawing.lettering import shortened, width_of
from services.drawing.svg import INK, number
from services.rules.kernel.game import Interrupt
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES, neighbour
from services.rules.parts.map.state import MapState, map_of
from services.rules.parts.shares.data import cards_of
from tests.drawing.games import (
    RECORDED,
    SVG,
    begun,
    drawn_board,
    in_the_middle,
    of_class,
    parsed,
    recorded,
    texts,
)


def structure(root: ElementTree.Element) -> str:
    """A short hash of which elements there are, how they are nested, and what they say; not of where they are."""

    def in_words(element: ElementTree.Element) -> str:
        inner = "".join(map(in_words, element))
        return f"({element.tag.removeprefix(SVG)} {element.get('class', '')} {element.text or ''}{inner})"

    return hashlib.sha256(in_words(root).encode()).hexdigest()[:16]


def names(root: ElementTree.Element, class_: str) -> list[str]:
    """The names of all elements of a class."""
    return [element.findtext(SVG + "title", "") for element in of_class(root, class_)]


def test_the_picture_keeps_its_structure() -> None:
    """The game made by hand gives the elements and the words it always gave."""
    assert structure(parsed(drawn_board(*in_the_middle()))) == "22c2fe5d280b436f"


def test_the_same_state_gives_the_same_text() -> None:
    """Drawing is deterministic to the byte."""
    assert drawn_board(*in_the_middle()) == drawn_board(*in_the_middle())


def test_the_picture_says_what_it_is() -> None:
    """Assistive programs find title, description and the name of each hex; text is text."""
    data, game = in_the_middle()
    root = parsed(drawn_board(data, game))
    assert root.get("role") == "img"
    assert root.findtext(SVG + "title") == "1824: board"
    assert "103 hexes, 5 tiles and 3 tokens" in (root.findtext(SVG + "desc") or "")
    hexes = names(root, "hex")
    assert len(hexes) == len(map_data(data).hexes)
    assert "B9 Prag, tile 57 turned by 1, city 20 with BK" in hexes
    assert "A10, town, mountain 40" in hexes
    assert set(map_data(data).hexes) <= set(texts(root))


def test_a_space_added_to_a_city_is_drawn() -> None:
    """A token in a second space of a city that is printed with one has its place beside a free space."""
    data, game = in_the_middle()
    game = game.copy()
    MapState.to_write(game).tokens = {("F17", 1): ("", "UG")}
    drawn = parsed(drawn_board(data, game))
    on_map = next(element for element in of_class(drawn, "stops"))
    assert [name for name in names(on_map, "token") if "UG" in name] == ["UG Ungarische Staatsbahn"]


def test_tokens_homes_and_closed_mines_are_shown() -> None:
    """Tokens bear their symbols, homes of companies still to come are kept, a blocked mine is grey, a free one open."""
    data, game = in_the_middle()
    root = parsed(drawn_board(data, game))
    on_map = next(element for element in of_class(root, "stops"))
    assert sorted(names(on_map, "token")) == [
        "BK Böhmische Kommerzbahn",
        "MS Mährisch-Schlesische Eisenbahn",
        "blocked",
    ]
    homes = " ".join(names(on_map, "home"))
    for symbol in ("EOD", "MLB", "SPB", "SD1", "SD2", "SD3", "UG1", "UG2", "KK1", "KK2", "BH", "CL", "SB"):
        assert f"home of {symbol} " in homes
    assert "EPP" not in homes
    assert len(of_class(on_map, "mine")) == 4


def test_the_runs_asked_for_are_drawn() -> None:
    """By default the runs of all companies in play are drawn, else those of the companies named."""
    data, game = in_the_middle()
    assert names(parsed(drawn_board(data, game)), "route") == ["BK 3-0: 30 (B9, B13)", "BK 3-1: 30 (B9, B13)"]
    assert names(parsed(drawn_board(data, game, ["MS"])), "route") == []


def test_markers_stand_in_their_order() -> None:
    """A cell of the chart shows its markers from the upper one down."""
    root = parsed(drawn_board(*in_the_middle()))
    cells = {
        name: element for element in of_class(root, "price") if (name := element.findtext(SVG + "title"))
    }
    assert sorted(cells) == ["100: BK, MS", "120: SD, UG, KK, SB"]
    assert texts(cells["120: SD, UG, KK, SB"]) == ["120", "SD", "UG", "KK", "SB"]


def test_the_legend_tells_the_state() -> None:
    """Phase, round, turn, trains on sale, last runs, tiles left, directors and players' holdings are written."""
    data, game = begun()
    said = texts(parsed(drawn_board(data, game)))
    assert "Phase 2  ·  initial stock round, game turn 1  ·  turn of cleo: initial stock turn" in said
    assert said.count("on sale") == 1
    assert {"ann (priority)", "bob", "cleo", "bank", "820"} <= set(said)
    said = texts(parsed(drawn_board(*in_the_middle())))
    assert "3: 30" in said
    assert any("9 (9)" in line.split(", ") for line in said)
    assert "Böhmische Kommerzbahn" in said


def test_a_question_reads_as_plain_words() -> None:
    """Who must answer what about which company, without the title that alone asks such questions."""
    data, game = in_the_middle()
    game.interrupts = (Interrupt("1824.exchange_company", "bob", "EPP"),)
    said = texts(parsed(drawn_board(data, game)))
    assert "bob must answer: exchange company (EPP)" in said[1]


@pytest.mark.parametrize("quarter", [0, 2, 4])
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_games_can_be_drawn(shared: Path, name: str, quarter: int) -> None:
    """Recorded games at their start, middle and end give well-formed pictures with all their tokens."""
    data, game = recorded(shared, name, quarter)
    root = parsed(drawn_board(data, game))
    on_map = next(element for element in of_class(root, "stops"))
    assert len(of_class(on_map, "token")) == sum(
        bool(slot) for slots in map_of(game).tokens.values() for slot in slots
    )


def test_flat_hexes_can_be_drawn() -> None:
    """A map whose hexes are flat on top is drawn as well."""
    data, game = begun()
    neighbours = {
        hex_id: tuple(
            other if (other := neighbour(hex_id, edge, "flat")) in map_data(data).hexes else None
            for edge in EDGES
        )
        for hex_id in map_data(data).hexes
    }
    printed = map_data(data)
    figures = replace(printed.figures, orientation="flat")
    turned = replace(printed, figures=figures, neighbours=neighbours)
    flat = replace(data, sections={**data.sections, printed.PART: turned})
    assert len(of_class(parsed(drawn_board(flat, game)), "hex")) == len(map_data(data).hexes)


def test_dark_text_on_light_ground() -> None:
    """Text stands out from every ground by the 7 to 1 of the accessibility guidelines, symbols by 3 to 1."""
    assert all(contrast(ground, INK) >= 7 for ground in TILE_GROUNDS.values())
    data, _ = begun()
    for company in cards_of(data).values():
        fill = company.colours.fill
        assert contrast(fill, text_on(fill, company.colours.text)) >= 3


def test_long_words_are_cut() -> None:
    """Text too wide for its column ends in an ellipsis and then fits."""
    assert shortened("Bosnien", 12, 200) == "Bosnien"
    cut = shortened("Bosnien-Herzegowinische Landesbahn", 12, 100)
    assert cut.endswith("…")
    assert width_of(cut, 12) <= 100


def test_numbers_are_written_one_way() -> None:
    """Numbers have two decimals at most and no sign at zero."""
    assert [number(value) for value in (1.0, -0.001, 2.345, -1.5, 100.0)] == ["1", "0", "2.35", "-1.5", "100"]
