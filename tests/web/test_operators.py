"""The pages of operators, and that nobody else is let in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from playwright.sync_api import Browser

from services.lobby import bootstrap
from services.lobby.adapters.random_ids import random_player_id
from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.events import Person
from tests.web.serving import Seats, Web, seats_at, web_serving

pytestmark = pytest.mark.integration

OPERATOR = "operator-1"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host whose settings name the account that is registered first as an operator."""
    ids = chain([OPERATOR], (random_player_id() for _ in repeat(None)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "random_player_id", lambda: next(ids))
        with web_serving(tmp_path_factory.mktemp("operated"), operators=(OPERATOR,)) as running:
            yield running


@pytest.fixture(scope="module")
def olga(web: Web) -> Person:
    """The operator."""
    found = Person(web, "Olga")
    assert found.player_id == OPERATOR
    return found


@pytest.fixture(scope="module")
def seats(web: Web, olga: Person) -> Seats:
    """A game that is played."""
    return seats_at(web, ("Ann", "Bob", "Cat"))


def test_health_is_what_the_services_report(olga: Person) -> None:
    """Each service by its name; the page is linked for operators."""
    page = olga.page("/operator")
    for service in (
        "signalbox.lobby.v1.LobbyService",
        "signalbox.rules.v1.Rules.Writes",
        "signalbox.ledger.v1.Ledger",
    ):
        assert f'<th scope="row">{service}</th><td>Serves</td>' in page
    assert "No game is held." in page and '<a href="/operator">' in olga.page("/")


@pytest.mark.parametrize("path", ["", "/games", "/players?player=Olga", "/games/nothing"])
def test_others_are_refused(web: Web, seats: Seats, path: str) -> None:
    """By the services; who is not signed in is led there."""
    token = f"signalbox_session={seats.tokens[0]}"
    refused = web.ask("GET", f"/operator{path}", Cookie=token)
    assert refused.status == 403 and b"only operators" in refused.body
    assert b'href="/operator"' not in web.ask("GET", "/", Cookie=token).body
    assert web.ask("GET", f"/operator{path}").status == 303


def test_others_change_nothing(web: Web, seats: Seats) -> None:
    """A form of somebody else is refused by the lobby and by the ledger."""
    mallory = Person(web, "Mallory")
    at = f"/operator/games/{seats.game}"
    for action in ("suspend", "rebuild", "release"):
        assert mallory.send(f"{at}/{action}", reason="for fun").status == 403


def test_players_and_their_games_are_found(olga: Person, seats: Seats) -> None:
    """By name in any case, and by id."""
    page = olga.page("/operator/players?player=aNN")
    assert "<h2>Ann</h2>" in page and seats.game in page
    assert "<h2>Olga</h2>" in olga.page(f"/operator/players?player={OPERATOR}")
    assert "No player has this name" in olga.page("/operator/players?player=Nobody")
    assert seats.game in olga.page("/operator/games")
    led = olga.get(f"/operator/games?game={seats.game}")
    assert (led.status, led.headers["location"]) == (303, f"/operator/games/{seats.game}")
    assert olga.get("/operator/games/nothing").status == 404


def test_a_game_is_suspended_with_a_reason_and_goes_on(olga: Person, seats: Seats) -> None:
    """The decision has the operator as its author; the book is rebuilt; what is not held is not released."""
    at = f"/operator/games/{seats.game}"
    assert olga.send(f"{at}/suspend", which="suspend").status in (400, 422)
    assert olga.done(f"{at}/suspend", reason="a dispute") == f"{at}?done=suspend"
    page = olga.page(f"{at}?done=suspend")
    assert "The game is suspended." in page and "Suspended by a director" in page
    olga.done(f"{at}/resume", reason="settled")
    assert "Suspended by a director" not in olga.page(at)
    olga.done(f"{at}/rebuild")
    refused = olga.send(f"{at}/release", which="rebuild")
    assert refused.status == 404 and b"is not held" in refused.body and b'id="refused"' in refused.body


@pytest.mark.parametrize("path", ["", "/games", "/players?player=Ann", "game"])
def test_pages_of_operators_keep_nobody_out(
    web: Web, browser: Browser, olga: Person, seats: Seats, path: str
) -> None:
    """See `assert_keeps_nobody_out`."""
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, olga.token, web.address)
    page.goto("/operator" + (f"/games/{seats.game}" if path == "game" else path))
    assert_keeps_nobody_out(page)
