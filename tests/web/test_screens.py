"""What players see in a browser without asking for it: who comes to a table, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.serving import RULES, Seats, Web, as_player, game_of, registered, web_serving
from tests.web.test_browser import move_at_once, sequence

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
