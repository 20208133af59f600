"""What a player sees in a browser where something fails: a refused command, a question that gets no answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web.browsers import sign_in, visit
from tests.web.serving import Seats, Web, game_of, seats_at, web_serving
from tests.web.test_browser import MOVE, move_at_once, sequence

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("failing")) as running:
        yield running


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game of 1824 for three."""
    return seats_at(web, ("Kim", "Lou", "Max"))


def test_a_refresh_that_failed_is_repeated(web: Web, browser: Browser, seats: Seats) -> None:
    """The server tells of a move once; a player whose question about it is refused gets it all the same."""
    played = game_of(web, seats.tokens[:2], "island")
    token = played.acting(web)
    page = visit(browser, web.address)
    sign_in(page, next(each for each in played.tokens if each != token), web.address)
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=503)

    page.route("**/changes?*", refuse_once)
    with page.expect_response("**/live?*"):
        page.goto(f"/games/{played.game}")
    before = sequence(page)
    move_at_once(web, played, token)
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    expect(page.locator("#live")).to_have_text("")
    assert len(refused) == 1


def test_a_refusal_is_shown_in_place(web: Web, browser: Browser, seats: Seats) -> None:
    """With its sentence; the page stays as it is."""
    page = visit(browser, web.address)
    sign_in(page, seats.acting(web), web.address)
    page.goto(f"/games/{seats.game}")
    before = sequence(page)
    page.locator("#choices ul.choices [name=command]").first.evaluate(
        "each => { each.value = JSON.stringify({lay_tile: {company: 'BK', hex: 'A10', tile: '7'}}); }"
    )
    page.locator(MOVE).first.click()
    expect(page.locator("#refusal .problem")).to_be_visible()
    expect(page.locator("#refusal .code")).to_contain_text("Code of the reason, for programs:")
    assert sequence(page) == before


def test_a_form_of_another_session_is_refused_in_place(web: Web, browser: Browser, seats: Seats) -> None:
    """Who signed in again elsewhere reads why nothing was done, not a second page within the page."""
    played = game_of(web, seats.tokens[:2], "island")
    page = visit(browser, web.address)
    sign_in(page, played.acting(web), web.address)
    page.goto(f"/games/{played.game}")
    page.locator("#choices [name=csrf]").evaluate_all("all => all.forEach(each => { each.value = '0'; })")
    page.locator(MOVE).first.click()
    expect(page.locator("#refusal .code")).to_contain_text("foreign_form")
    expect(page.locator("header")).to_have_count(1)


def test_who_is_signed_in_no_more_is_led_to_sign_in(web: Web, browser: Browser, seats: Seats) -> None:
    """Where a move finds it out; it is no interrupted connection."""
    played = game_of(web, seats.tokens[:2], "island")
    page = visit(browser, web.address)
    sign_in(page, played.acting(web), web.address)
    page.goto(f"/games/{played.game}")
    page.context.clear_cookies()
    page.locator(MOVE).first.click()
    page.wait_for_url(f"**/sign-in?next=/games/{played.game}")


def test_a_move_that_was_not_answered_is_said(web: Web, browser: Browser, seats: Seats) -> None:
    """Until it is sent again, or the game goes on."""
    played = game_of(web, seats.tokens[:2], "island")
    page = visit(browser, web.address)
    sign_in(page, played.acting(web), web.address)
    page.goto(f"/games/{played.game}")
    before, notice = sequence(page), page.locator("#refusal [role=alert]")
    page.route("**/act", lambda route: route.abort())
    page.locator(MOVE).first.click()
    expect(notice).to_contain_text("send it again")
    page.unroute("**/act")
    page.locator(MOVE).first.click()
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    expect(notice).to_have_count(0)
