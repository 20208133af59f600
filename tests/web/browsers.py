"""Debian's Chromium, driven by Playwright, in front of an embedded host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.programs import TEST_TOOLS, need

AXE = Path(__file__).parent / "axe" / "axe.min.js"
PASSWORD = "correct horse battery"
MILLISECONDS = 60_000
PRESSES_MOST = 200
HARMFUL = ("serious", "critical")
NARROW: ViewportSize = {"width": 360, "height": 740}
# Of axe's rules; the others say the same whatever the colours are.
COLOURS = ("color-contrast", "link-in-text-block")
LOOK_FOR_PROBLEMS = """async rules => {
  const only = rules.length ? {runOnly: {type: 'rule', values: rules}} : {};
  return (await axe.run(document, {resultTypes: ['violations'], ...only})).violations;
}"""
# As though each hex of the map had choices.
OFFER_ALL = """import(document.querySelector("script[src$='game.mjs']").src.replace('game.mjs', 'map.mjs')).then(
  map => map.offerHexes(new Set([...document.querySelectorAll('#picture path.hex')].map(each => each.dataset.hex))))"""
ARROWS = ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
LOOK_FOR_WIDE = """[...document.querySelectorAll('main .wide:not(.picture)')]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText.slice(0, 200))"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; see `need`."""
    expect.set_options(timeout=MILLISECONDS)
    program = need(("chromium-headless-shell", "chromium"), TEST_TOOLS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()


def visit(browser: Browser, address: str, **options: Any) -> Page:
    """A page of a browser window that shares nothing with others."""
    context = browser.new_context(base_url=address, **options)
    context.set_default_timeout(MILLISECONDS)
    return context.new_page()


def register(page: Page, name: str) -> None:
    """Register as a visitor does, and be signed in."""
    page.goto("/register")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_selector("text=Signed in as")


def sign_in(page: Page, token: str, address: str) -> None:
    """Be signed in with a token."""
    page.context.add_cookies([{"name": "signalbox_session", "value": token, "url": address}])


def harmful_problems(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds serious or critical on a page; `rules`: only by these."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(LOOK_FOR_PROBLEMS, list(rules))
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in HARMFUL
    ]


def assert_keeps_nobody_out(page: Page) -> None:
    """With all unfolded axe finds nothing serious on paper of either colour, and nothing but the map is wider than the screen."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.emulate_media(color_scheme="light")
    assert harmful_problems(page) == []
    page.emulate_media(color_scheme="dark")
    assert harmful_problems(page, COLOURS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    wide = page.evaluate(LOOK_FOR_WIDE)
    assert wide == [], wide


def hex_after(page: Page, key: str) -> str:
    """The hex of the map that had the focus when a key was pressed, or has it after an arrow."""
    at = "document.activeElement.dataset.hex"
    had = str(page.evaluate(at))
    page.keyboard.press(key)
    return str(page.evaluate(at)) if key in ARROWS else had


def tab_to(page: Page, selector: str) -> None:
    """Press the tabulator until an element has the focus."""
    for _ in range(PRESSES_MOST):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tabulator does not reach {selector}")


def press_until(page: Page, key: str, selector: str) -> None:
    """Press a key until an element is there."""
    for _ in range(PRESSES_MOST):
        if page.locator(selector).count():
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not bring {selector}")
