"""Pictures in fragments: those that changed, put into an earlier picture, make up the later one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from services.drawing.board import picture_of
from services.drawing.chart import price_cell
from services.drawing.mapdrawing import drawn_hex
from services.drawing.picture import Picture
from services.drawing.scene import scene_of
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.presentation import presentation_of
from services.rules.titles import TITLES
from tests.drawing.games import SVG, begun, in_the_middle, parsed, recorded
from tests.simulation.play import Play

PLAYERS = ("ann", "bob", "cem", "dora")
COMMANDS = 40
EVERY = 8


def drawn(data: TitleData, game: Game) -> Picture:
    """The picture of a game."""
    return picture_of(presentation_of(TITLES[game.title]), data, game)


def drawn_afresh(data: TitleData, game: Game) -> str:
    """The document, nothing of which was drawn before."""
    for kept in (drawn_hex, scene_of, price_cell):
        kept.cache_clear()
    return drawn(data, game).document()


def in_one_form(document: str) -> str:
    """A document in a form that can be compared."""
    return ElementTree.canonicalize(document, rewrite_prefixes=True)


def with_changes(earlier: Picture, later: Picture) -> str:
    """What a client makes of an earlier document and what changed."""
    changed = later.changes_since(earlier)
    if changed is None:
        return in_one_form(later.document())
    root = parsed(earlier.document())
    parents = {child.get("id"): parent for parent in root.iter() for child in parent}
    for fragment in changed:
        parent = parents[fragment.id]
        place = [child.get("id") for child in parent].index(fragment.id)
        new = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{fragment.svg}</svg>')[0]
        new.tail = parent[place].tail
        parent[place] = new
    root.set("width", str(round(later.width)))
    root.set("height", str(round(later.height)))
    root.set("viewBox", f"0 0 {later.width:.0f} {later.height:.0f}")
    return in_one_form(ElementTree.tostring(root, encoding="unicode"))


def stretch(title: str) -> Iterator[tuple[TitleData, Game]]:
    """States of a game that bots play."""
    count = TITLES[title].player_counts[0]
    play = Play(CreateGame(title, PLAYERS[:count], seed=2), "eager")
    for number in range(COMMANDS):
        if play.game.finished:
            return
        outcome = play.decided(play.player, play.choose())
        assert isinstance(outcome, Accepted)
        play.carry_out(outcome)
        if number % EVERY == 0:
            yield play.data, play.game


@pytest.mark.parametrize("title", TITLES)
def test_changes_make_up_the_later_picture(title: str) -> None:
    """For every title: from state to state, and back from the last to the first."""
    states = list(stretch(title))
    pictures = [drawn(*state) for state in states]
    for earlier, later in zip(pictures, (*pictures[1:], pictures[0]), strict=True):
        assert with_changes(earlier, later) == in_one_form(later.document())
    assert drawn_afresh(*states[-1]) == pictures[-1].document()


@pytest.mark.parametrize("name", ["p4-s138", "p5-s207"])
def test_a_recorded_game_from_its_middle_to_its_end(shared: Path, name: str) -> None:
    """On the ripe map of 1824 as well; what was kept from earlier pictures is what is drawn afresh."""
    states = [recorded(shared, name, quarter) for quarter in (2, 4)]
    earlier, later = [drawn(*state) for state in states]
    assert with_changes(earlier, later) == in_one_form(later.document())
    assert later.document() == drawn_afresh(*states[1])


def test_ids_are_unique_and_say_what_they_are() -> None:
    """A hex has an element in each layer, a stop its number, and a cell of the chart its place."""
    data, game = in_the_middle()
    picture = drawn(data, game)
    root = parsed(picture.document())
    ids = [found for element in root.iter() if (found := element.get("id"))]
    assert len(ids) == len(set(ids))
    assert set(picture.fragments) <= set(ids)
    for hex_id in map_data(data).hexes:
        assert {f"{layer}-{hex_id}" for layer in ("hex", "track", "stops", "words")} <= set(ids)
        assert sum(element.get("data-hex") == hex_id for element in root.iter()) == 4
    stops = next(element for element in root.iter() if element.get("id") == "stops-B9")
    assert [element.get("data-stop") for element in stops] == ["0"]
    assert {"market-0-0", "panel-companies", "panel-players", "board-routes", "board-headline"} <= set(ids)


def test_what_did_not_change_is_not_sent() -> None:
    """The same state has no changes and the same checksum."""
    first, again = drawn(*begun()), drawn(*begun())
    assert first.changes_since(again) == ()
    assert first.checksum == again.checksum
    later = drawn(*in_the_middle())
    changed = later.changes_since(first)
    assert changed is not None
    ids = {each.id for each in changed}
    assert "hex-B9" in ids and "hex-A10" not in ids
    assert later.checksum != first.checksum
