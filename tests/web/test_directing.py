"""Directing an event in a browser, and what keeps nobody out of the pages of events and operators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, Position, expect

from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.events import Event, begun_event, played_round
from tests.web.serving import Web, web_serving

pytestmark = pytest.mark.integration

PLAYERS = ("Ann", "Bob", "Cy", "Dan", "Eva", "Flo")
DRAGS_MAX = 5
SAID_MILLISECONDS = 15_000


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("directed")) as running:
        yield running


class Played(NamedTuple):
    """An event of two rounds: one is played and ruled on, the other a draft."""

    event: Event
    round: str
    draft: str


@pytest.fixture(scope="module")
def played(web: Web) -> Played:
    """Six players; the ruling on a table is appealed against."""
    event = begun_event(web, "Dora", PLAYERS, rounds="2")
    published = played_round(event)
    event.director.done(f"{published}/tables/1/void", reason="the wrong bank")
    for each in event.players:
        each.send(f"{published}/tables/1/by-players/appeal", adjudication="1", text="it was the right one")
    return Played(event, published, event.director.done(f"{event.path}/direct/propose"))


def drag(page: Page, source: Locator, target: Locator) -> None:
    """Drag with the mouse until the page says what that does: a busy browser may see the end before the way there."""
    for _ in range(DRAGS_MAX):
        source.hover()
        page.mouse.down()
        for place in (Position(x=2, y=2), Position(x=6, y=6)):
            target.hover(position=place)
        page.mouse.up()
        try:
            expect(page.locator("#said")).not_to_be_empty(timeout=SAID_MILLISECONDS)
        except AssertionError:
            continue
        return


def test_a_small_event(web: Web, browser: Browser, played: Played) -> None:
    """Set up with the form, six enter, the round is drawn, a player is dragged to another table, and it is published; results
    become standings with the reason of each place."""
    page = visit(browser, web.address)
    sign_in(page, played.event.director.token, web.address)
    page.goto("/events/new?preset=club_evening")
    page.fill("[id='new.name']", "Autumn cup")
    page.fill("[id='new.rounds']", "1")
    page.fill("[id='new.preferred']", "3")
    page.fill("[id='new.smallest']", "2")
    page.fill("[id='new.external_least']", "2")
    page.click("text=Set up the event >> nth=-1")
    page.wait_for_url("**/direct*")
    path = page.url.removeprefix(web.address).partition("/direct")[0]
    page.click("text=Open the entries")
    expect(page.locator("text=Close the entries")).to_be_visible()
    players = played.event.players
    for each in players:
        each.done(f"{path}/take-part/enter")
    page.reload()
    page.click("text=Begin the stage")
    page.click("text=Draw round 1")
    page.wait_for_url("**/draft*")
    moving = page.locator("[data-table='1'] [data-player]").first
    name = moving.locator(".name").inner_text()
    drag(page, moving.locator(".name"), page.locator("[data-table='2'] legend"))
    expect(page.locator("#said")).to_contain_text(f"{name}: table 2, seat 4. Worse than recorded")
    expect(page.locator("[data-table='2'] [data-player]")).to_have_count(4)
    page.click("text=Publish these tables")
    expect(page.locator("#draft #refused")).to_contain_text("needs a reason")
    expect(page.locator("[data-table='2']")).to_contain_text(name)
    page.fill("[id='draft.reason']", "a lift home")
    page.click("text=Publish these tables")
    expect(page.locator("#table-2 ol")).to_contain_text(name)
    expect(page.locator("main")).to_contain_text("a lift home")
    published = page.url.removeprefix(web.address).partition("#")[0]
    tables = page.evaluate(
        "[...document.querySelectorAll('section.board ol')].map((each) => each.children.length)"
    )
    assert sorted(tables) == [2, 4]
    for number, size in enumerate(tables, 1):
        seated = page.locator(f"#table-{number} ol").inner_text()
        here = [each for each in players if each.name in seated]
        assert len(here) == size
        worths = {f"worth.{each.player_id}": str(900 + place) for place, each in enumerate(here)}
        here[0].done(f"{published}/tables/{number}/by-players/report", more=worths)
        here[1].done(f"{published}/tables/{number}/by-players/confirm", more=worths)
    page.goto(f"{path}/direct")
    page.click("text=End the stage")
    page.goto(f"{path}/standings/0")
    expect(page.locator("tbody tr")).to_have_count(6)
    expect(page.locator("tbody tr").first).to_contain_text("points 5")


def test_a_seat_is_given_by_keyboard(browser: Browser, web: Web, played: Played) -> None:
    """The numbers of table and seat move a player as dragging does, and say so; the focus stays."""
    page = visit(browser, web.address)
    sign_in(page, played.event.director.token, web.address)
    page.goto(played.draft)
    player = page.locator("[data-table='1'] [data-player]").first
    player_id = player.get_attribute("data-player")
    page.locator(f"[id='table.{player_id}']").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(f"[data-table='2'] [data-player='{player_id}']")).to_be_attached()
    expect(page.locator("#said")).to_contain_text("table 2, seat 1")
    expect(page.locator("#cost .sum")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == f"table.{player_id}"


PAGES = (
    *("/events", "/events/new", "/series", "/series/new", "/leaderboard"),
    *("", "/players", "/direct", "/charter", "/standings/0"),
)


@pytest.mark.parametrize("path", [*PAGES, "draft", "round", "room", "sheets"])
def test_pages_of_events_keep_nobody_out(web: Web, browser: Browser, played: Played, path: str) -> None:
    """See `assert_keeps_nobody_out`."""
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, played.event.director.token, web.address)
    named = {
        "draft": played.draft,
        "round": played.round,
        "room": f"{played.round}/tables/1",
        "sheets": f"{played.round}/sheets",
    }
    is_shared = path.startswith(("/events", "/series", "/leaderboard"))
    page.goto(named.get(path, path if is_shared else played.event.path + path))
    assert_keeps_nobody_out(page)
