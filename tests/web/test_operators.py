"""The pages of operators, and that nobody else is let in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from playwright.sync_api import Browser

from services.lobby import bootstrap_accounts
from services.lobby.adapters.random_ids import random_player_id
from tests.web.browsers import NARROW, assert_keeps_nobody_out, sign_in, visit
from tests.web.events import Person
from tests.web.serving import LOBBY, PASSWORD, Seats, Web, as_player, seats_at, web_serving

pytestmark = pytest.mark.integration

OPERATOR = "operator-1"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host whose settings name the account that is registered first as an operator."""
    ids = chain([OPERATOR], (random_player_id() for _ in repeat(None)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap_accounts, "random_player_id", lambda: next(ids))
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


@pytest.mark.parametrize(
    "path", ["", "/games", "/players?player=Olga", "/games/nothing", "/acts", "/blocked", "/blocked/game"]
)
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
    for action in ("suspend", "rebuild", "release", "hold"):
        assert mallory.send(f"{at}/{action}", reason="for fun").status == 403
    for action in ("release", "skip"):
        assert mallory.send(f"/operator/blocked/{action}", reason="for fun").status == 403
    for action in ("ban", "unban", "end-sessions", "revoke-token"):
        path = f"/operator/players/{mallory.player_id}/{action}"
        assert mallory.send(path, reason="for fun").status == 403


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
    olga.done(f"{at}/rebuild", reason="to be sure")
    acts = olga.page(f"/operator/acts?game={seats.game}")
    assert "Suspended a game" in acts and "a dispute" in acts and "Rebuilt a book" in acts
    refused = olga.send(f"{at}/release", which="rebuild")
    assert refused.status == 404 and b"is not held" in refused.body and b'id="refused"' in refused.body


def test_a_player_is_banned_and_may_come_back(web: Web, olga: Person) -> None:
    """The session ends at once, signing in shows the reason, and the log names who did what and why."""
    paul = Person(web, "Paul")
    at = f"/operator/players/{paul.player_id}"
    assert olga.send(f"{at}/ban", which="ban").status == 422
    refused = olga.send(f"{at}/ban", which="ban", reason="spam", until="2001-01-01T00:00")
    assert refused.status == 422 and b"in the past" in refused.body
    bearer = {"Authorization": f"Bearer {paul.token}"}
    with web.stream(f"{LOBBY}/WatchGames", **bearer) as stream:
        assert stream.status == 200
        olga.done(f"{at}/ban", reason="spam <b>")
        ended = stream.read()
    assert json.loads(ended.strip().splitlines()[-1])["problem"]["reason"] == "token_revoked"
    unanswered = web.ask("GET", f"{LOBBY}/ListGames", **bearer)
    assert (unanswered.status, unanswered.body["reason"]) == (401, "token_revoked")
    page = olga.page("/operator/players?player=Paul")
    assert "Banned for good" in page and "spam &lt;b&gt;" in page
    # The token counts no more: the page is that of a visitor, or leads to signing in.
    assert paul.get("/operator").status in (303, 401)
    sign_in_again = {"name": "Paul", "password": PASSWORD}
    answer = web.ask("POST", f"{LOBBY}/LogIn", sign_in_again)
    assert answer.status == 422 and "spam" in answer.body["detail"]
    assert olga.done(f"{at}/unban", reason="settled").endswith("done=unban")
    assert web.ask("POST", f"{LOBBY}/LogIn", sign_in_again).status == 200
    olga.done(f"{at}/end-sessions", reason="to be sure")
    acts = olga.page("/operator/acts?player=paul")
    found = [acts.index(f"<td>{words}</td>") for words in ("to be sure", "settled", "spam &lt;b&gt;")]
    assert found == sorted(found)
    assert "spam" not in olga.page("/operator/acts?player=paul&act=unban")
    assert "No act of an operator" in olga.page("/operator/acts?author=Paul")


def test_what_is_held_up_is_none_of_one_process(olga: Person) -> None:
    """The page says so in words, and refuses what a form asks for."""
    assert "on this host all services are one process" in olga.page("/operator/blocked")
    for action, fields in (
        ("release", {"reader": "rules.owner", "game": "g1"}),
        ("skip", {"partition": "0", "offset": "3"}),
    ):
        refused = olga.send(f"/operator/blocked/{action}", reason="mended", **fields)
        assert refused.status == 422 and b"one process" in refused.body


def test_a_token_of_a_player_is_taken_back(web: Web, olga: Person) -> None:
    """With a reason; the session stays good."""
    paula = Person(web, "Paula")
    made = as_player(web, paula.token, "MakeApiToken", scopes=["game:read"], label="<b>leaked").body
    at = f"/operator/players/{paula.player_id}"
    assert "&lt;b&gt;leaked: game:read" in olga.page("/operator/players?player=Paula")
    refused = olga.send(f"{at}/revoke-token", which="revoke-token", token_id="none", reason="published")
    assert refused.status == 422 and b"no token for programs" in refused.body
    olga.done(f"{at}/revoke-token", token_id=made["tokenId"], reason="published")
    answer = as_player(web, made["token"], "ListGames")
    assert (answer.status, answer.body["reason"]) == (401, "token_revoked")
    assert "leaked" not in olga.page("/operator/players?player=Paula")
    assert "Took back a token" in olga.page("/operator/acts?player=Paula")
    assert paula.page("/")


def test_a_game_is_held_with_a_reason(olga: Person, seats: Seats) -> None:
    """Until it is released; the log of staff acts has both."""
    at = f"/operator/games/{seats.game}"
    olga.done(f"{at}/hold", reason="under review")
    assert "under review" in olga.page(at) and "under review" in olga.page("/operator")
    olga.done(f"{at}/release", reason="reviewed")
    assert "This game is not held." in olga.page(at)
    acts = olga.page(f"/operator/acts?game={seats.game}")
    assert "under review" in acts and "reviewed" in acts and "Released a game" in acts


@pytest.mark.parametrize("path", ["", "/games", "/players?player=Ann", "game", "/acts", "/blocked"])
def test_pages_of_operators_keep_nobody_out(
    web: Web, browser: Browser, olga: Person, seats: Seats, path: str
) -> None:
    """See `assert_keeps_nobody_out`."""
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, olga.token, web.address)
    page.goto("/operator" + (f"/games/{seats.game}" if path == "game" else path))
    assert_keeps_nobody_out(page)


def test_the_page_of_tokens_keeps_nobody_out(web: Web, browser: Browser, olga: Person) -> None:
    """With a token in its list."""
    as_player(web, olga.token, "MakeApiToken", scopes=["operator:*", "game:read"], label="watcher")
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, olga.token, web.address)
    page.goto("/account")
    assert page.get_by_text("Take back watcher").count() == 1
    assert_keeps_nobody_out(page)
