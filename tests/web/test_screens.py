"""What players see in a browser without asking for it: who comes to a table, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.serving import RULES, Seats, Web, as_player, game_of, registered, web_serving
from tests.web.test_browser import move_at_once, played_until, sequence

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("screens")) as running:
        yield running


@pytest.fixture(scope="module")
def tokens(web: Web) -> Sequence[str]:
    """Of two players."""
    return [registered(web, name) for name in ("Ada", "Bert")]


def seen_by(web: Web, browser: Browser, token: str, path: str) -> Page:
    """A page in a narrow window of its own."""
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, token, web.address)
    page.goto(path)
    return page


def test_an_open_table_shows_who_comes(web: Web, browser: Browser, tokens: Sequence[str]) -> None:
    """And that its game began; what the owner is typing meanwhile stays."""
    chosen: Any = {"title": "1824", "playerCount": 2, "options": ["cisleithania"]}
    made = as_player(web, tokens[0], "CreateTable", requestId="s1", **chosen).body["table"]["tableId"]
    pages = [seen_by(web, browser, each, f"/tables/{made}") for each in tokens]
    ada, bert = pages
    ada.fill("[name=player_name]", "Somebody")
    bert.get_by_role("button", name="Join").click()
    expect(ada.locator("#gathering")).to_contain_text("Bert")
    expect(ada.locator("[name=player_name]")).to_have_value("Somebody")
    assert_keeps_nobody_out(ada)
    ada.get_by_role("button", name="Start the game").click()
    expect(bert.locator("#gathering a")).to_have_attribute("href", ada.url.removeprefix(web.address))
    expect(bert.get_by_role("button", name="Agree to end the game")).to_be_visible()
    assert_keeps_nobody_out(bert)


def test_an_invitation_link_is_a_page_for_everybody(
    web: Web, browser: Browser, tokens: Sequence[str]
) -> None:
    """Signed in or not."""
    for token in (tokens[0], "none"):
        page = seen_by(web, browser, token, "/tables/any/join?link=0")
        assert_keeps_nobody_out(page)


# Tabs of a browser without a screen are never hidden by themselves; `streams` has all that the page opened.
HIDING = """Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? false });
window.streams = [];
window.EventSource = class extends EventSource { constructor(url) { super(url); window.streams.push(this); } };
window.hide = (isHidden) => { window.isHidden = isHidden; document.dispatchEvent(new Event('visibilitychange')); };"""
OPENED = """new Promise(done => setInterval(
  () => { if (streams.length === 1 && streams[0].readyState === EventSource.OPEN) done(); }, 20))"""
CLOSED = "streams.every(each => each.readyState === EventSource.CLOSED)"


@pytest.fixture(scope="module")
def seats(web: Web, tokens: Sequence[str]) -> Seats:
    """A game of the two."""
    return game_of(web, tokens, options=["cisleithania"])


def test_a_page_that_nobody_sees_has_no_stream(web: Web, browser: Browser, seats: Seats) -> None:
    """Once it is seen again it shows what happened meanwhile, and what happens then."""
    page = visit(browser, web.address)
    page.add_init_script(HIDING)
    sign_in(page, seats.tokens[0], web.address)
    page.goto(f"/games/{seats.game}")
    page.evaluate(OPENED)
    page.evaluate("hide(true)")
    assert page.evaluate(CLOSED)
    before = sequence(page)
    for _ in range(2):
        move_at_once(web, seats, seats.acting(web))
    assert sequence(page) == before and page.evaluate(CLOSED)
    page.evaluate("hide(false)")
    last = as_player(web, seats.tokens[0], "GetGame", RULES, gameId=seats.game).body["game"]["sequence"]
    expect(page.locator(f"#game[data-sequence='{last}']")).to_be_attached()
    move_at_once(web, seats, seats.acting(web))
    expect(page.locator(f"#game:not([data-sequence='{last}'])")).to_be_attached()
    assert page.evaluate("streams.filter(each => each.readyState !== EventSource.CLOSED).length") == 1


def test_moves_and_turns_are_read_out(web: Web, browser: Browser, seats: Seats) -> None:
    """What happened, by name, and who is next; nothing when a page is opened."""
    page = visit(browser, web.address)
    sign_in(page, seats.tokens[0], web.address)
    with page.expect_response("**/live?*"):
        page.goto(f"/games/{seats.game}")
    said = page.locator("#said[role=status][aria-live=polite]")
    expect(said).to_have_text("")
    move_at_once(web, seats, seats.acting(web))
    expect(said).not_to_have_text("")
    words, turn = said.inner_text(), page.locator("#turn").inner_text().strip()
    assert words.endswith(turn) and words != turn
    assert page.locator(".log li").first.inner_text() in words


def hex_clicked(page: Page, place: str) -> None:
    """Choose a hex on the map."""
    page.locator(f"#hex-{place}").dispatch_event("click")


def test_a_tile_is_laid_in_steps(web: Web, browser: Browser, tokens: Sequence[str]) -> None:
    """Which one, how it is turned, with its track on the map, then what it costs and by which clause; and it can be left."""
    island = game_of(web, tokens, "island")
    page = seen_by(web, browser, played_until(web, island, "layTile"), f"/games/{island.game}")
    place = str(page.locator("form[data-tile]").last.get_attribute("data-hex"))
    steps, preview = page.locator("#steps"), page.locator(".preview-track")
    hex_clicked(page, place)
    expect(steps).to_be_visible()
    if not steps.locator("[aria-pressed]").count():
        steps.get_by_role("button").first.click()
    expect(preview.first).to_be_attached()
    page.keyboard.press("Escape")
    expect(steps).to_be_hidden()
    expect(preview).to_have_count(0)
    hex_clicked(page, place)
    if not steps.locator("[aria-pressed]").count():
        steps.get_by_role("button").first.press("Enter")
    turned = steps.locator("[aria-pressed=true]")
    first = turned.inner_text()
    hex_clicked(page, place)
    if steps.locator("[aria-pressed]").count() > 1:
        assert turned.inner_text() != first
    assert_keeps_nobody_out(page)
    before, track = sequence(page), page.locator(f"#track-{place}").inner_html()
    steps.locator("button.main").press("Enter")
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    assert page.locator(f"#track-{place}").inner_html() != track
    expect(steps).to_be_hidden()


def test_the_map_is_made_larger_and_smaller(web: Web, browser: Browser, seats: Seats) -> None:
    """By buttons and by keys; it stays so when a move is shown."""
    page = visit(browser, web.address)
    sign_in(page, seats.tokens[0], web.address)
    page.goto(f"/games/{seats.game}")
    picture = page.locator("#picture svg").first

    def width() -> float:
        box = picture.bounding_box()
        assert box is not None
        return box["width"]

    usual = width()
    page.get_by_role("button", name="Larger").click()
    larger = width()
    assert larger > usual
    page.locator("#picture").press("+")
    assert width() > larger
    before = sequence(page)
    move_at_once(web, seats, seats.acting(web))
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    assert width() > larger
    page.locator("#picture").press("0")
    assert width() == usual
    page.get_by_role("button", name="Smaller").click()
    assert width() < usual
