"""What players see in a browser without asking for it: who comes to a table, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.serving import Web, as_player, registered, web_serving

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
