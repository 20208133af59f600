"""Browsers of the tests of pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsers import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a module: what a test opens in it is closed after the test. While it runs its thread has an event loop of its
    own, so that tests without a browser may not come between."""
    with chromium() as running:
        yield running


@pytest.fixture(autouse=True)
def closed_windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Windows left open would go on following their games."""
    yield
    if "browser" in request.fixturenames:
        browser: Browser = request.getfixturevalue("browser")
        for each in browser.contexts:
            each.close()
