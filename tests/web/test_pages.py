"""What keeps pages safe: cookies, forms of others, policies, addresses to which nobody is led, and own tokens for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from unittest.mock import MagicMock
from urllib.parse import urlencode

import pytest

from services.web.application import PAGES
from services.web.pages.visitors import own_page
from tests.web.events import Person
from tests.web.serving import (
    LOBBY,
    PASSWORD,
    Answer,
    Seats,
    Web,
    as_player,
    game_of,
    registered,
    web_serving,
)

pytestmark = pytest.mark.integration

TOKENS = "/api/signalbox.lobby.v1.ApiTokens"
MADE = re.compile(r'<p class="code token">([^<]+)</p>')
REVOKE = re.compile(r'action="(/account/tokens/([0-9a-f]+)/revoke)')
FORM = "application/x-www-form-urlencoded"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("pages")) as running:
        yield running


def sent(web: Web, path: str, fields: dict[str, str], **headers: str) -> Answer:
    """The answer to a form."""
    return web.ask("POST", path, urlencode(fields).encode(), Content_Type=FORM, **headers)


@pytest.fixture(scope="module")
def cookie(web: Web) -> str:
    """Of somebody signed in."""
    answer = sent(web, "/register", {"name": "Greta", "password": PASSWORD})
    assert (answer.status, answer.headers["location"]) == (303, "/")
    return answer.headers["set-cookie"]


def test_no_script_reads_the_session(cookie: str) -> None:
    """And no form of another site sends it."""
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {each.strip() for each in cookie.split(";")}


def test_behind_tls_the_session_stays_there(web: Web, cookie: str) -> None:
    """A proxy that ended TLS says so."""
    form = {"name": "Greta", "password": PASSWORD}
    assert "Secure" in sent(web, "/sign-in", form, X_Forwarded_Proto="https").headers["set-cookie"]
    assert "Secure" not in cookie


@pytest.mark.parametrize("token", ["x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJleHAiOiJuZXZlciJ9."])
def test_what_is_no_session_is_nobodys(web: Web, token: str) -> None:
    """The page is that of a visitor."""
    answer = web.ask("GET", "/", Cookie=f"signalbox_session={token}")
    assert answer.status == 200 and b"Sign in" in answer.body


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game for two that its owner directs, with a decision whose reason is a script."""
    tokens = [registered(web, name) for name in ("Hugo", "Inge")]
    seats = game_of(web, tokens, ownerDirects=True, options=["cisleithania"])
    decision = {"suspend": {}, "reason": SCRIPT}
    directed = as_player(
        web, tokens[0], "DirectTable", requestId="d1", tableId=seats.table, direction=decision
    )
    assert directed.status == 200, directed.body
    return seats


@pytest.mark.parametrize("path", ["/sign-in", "/", "/lobby", "/nothing/here", "table", "game", "worth"])
def test_the_policy_allows_only_our_own_files(web: Web, seats: Seats, path: str) -> None:
    """No script or style within a page, and nothing of it is kept by caches or shown in a frame."""
    game = f"/games/{seats.game}"
    own = {"table": f"/tables/{seats.table}", "game": game, "worth": f"{game}/worth"}
    session = f"signalbox_session={seats.tokens[0]}"
    answer = web.ask("GET", own.get(path, path), Cookie=session)
    if path == "/nothing/here":
        assert answer.status == 404 and answer.headers["content-type"] == "application/problem+json"
        return
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not re.search(
        rb"<style|\sstyle=|<script(?! type=.module. src=./static/)|<[^>]*\son\w+=", answer.body
    )


def test_browsers_keep_what_pages_load_until_it_changes(web: Web) -> None:
    """Its address says what it holds; another address of it is asked for again each time. Nothing is taken for what it is not."""
    page = web.ask("GET", "/").body.decode()
    loaded = re.findall(r'"(/static/[^"]+)"', page)
    assert len(loaded) >= 3
    for address in loaded:
        found = web.ask("GET", address)
        assert found.status == 200 and found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    style = re.sub(r"/static/\w+/", "/static/other/", loaded[0])
    for address in (style, style.replace("other/", "")):
        found = web.ask("GET", address)
        assert (found.status, found.headers["cache-control"]) == (200, "no-cache")
        again = web.ask("GET", address, If_None_Match=found.headers["etag"])
        assert (again.status, again.headers["x-content-type-options"]) == (304, "nosniff")
    assert web.ask("GET", style.replace("site.css", "none.css")).status == 404


def test_a_browser_gets_a_page_for_what_is_not_there(web: Web) -> None:
    """With the way back; a program, and every caller of the API, gets problem details."""
    page = web.ask("GET", "/nothing/here", Accept="text/html,*/*")
    assert page.status == 404 and page.headers["content-type"].startswith("text/html")
    assert b'href="/lobby"' in page.body and "content-security-policy" in page.headers
    of_api = web.ask("GET", "/api/nothing", Accept="text/html")
    assert (of_api.status, of_api.body["reason"]) == (404, "not_found")


def test_what_people_write_is_text(web: Web, seats: Seats) -> None:
    """A reason with a script in it is shown as it was written, on the page and in what replaces parts of it."""
    session = f"signalbox_session={seats.tokens[1]}"
    page = web.ask("GET", f"/games/{seats.game}", Cookie=session).body.decode()
    changes = web.ask("GET", f"/games/{seats.game}/changes?known=1", Cookie=session).body["panels"]
    for shown in (page, changes):
        assert SCRIPT not in shown and "&lt;script&gt;alert(1)" in shown


def posted() -> list[str]:
    """The paths of all forms."""
    site = MagicMock(page=lambda handler: handler)
    routes = [route for kind in PAGES for route in kind(site).routes()]
    return sorted({route.path for route in routes if "POST" in (route.methods or ())})


@pytest.mark.parametrize("path", posted())
def test_every_form_needs_the_word_of_its_session(web: Web, seats: Seats, path: str) -> None:
    """Whatever it does, and before anything changes."""
    filled = re.sub(r"\{\w+\}", "1", path.format_map(Places(table_id=seats.table, game_id=seats.game)))
    answer = sent(web, filled, {"sequence": "1"}, Cookie=f"signalbox_session={seats.tokens[0]}")
    assert answer.status == 403, answer.body
    assert b"foreign_form" in answer.body or path.startswith("/operator")


class Places(dict[str, str]):
    """What stands in addresses; all else as it is."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def test_a_session_does_not_outlive_the_sign_out(web: Web) -> None:
    """The browser forgets it, and where it is kept all the same no page knows it."""
    # Of somebody else: sessions of one player that begin in one second have one token.
    signed_in = sent(web, "/register", {"name": "Jan", "password": PASSWORD})
    session = signed_in.headers["set-cookie"].partition(";")[0]
    (csrf,) = set(re.findall(rb'name="csrf" value="([0-9a-f]+)"', web.ask("GET", "/", Cookie=session).body))
    answer = sent(web, "/sign-out", {"csrf": csrf.decode()}, Cookie=session)
    assert answer.status == 303
    assert (
        answer.headers["set-cookie"].startswith('signalbox_session=""')
        and "Max-Age=0" in answer.headers["set-cookie"]
    )
    kept = web.ask("GET", "/lobby", Cookie=session)
    assert (kept.status, kept.headers["location"]) == (303, "/sign-in?next=/lobby")


def test_forms_of_others_are_refused(web: Web, cookie: str) -> None:
    """Without the word of the session, from another site, or to sign somebody in."""
    session = cookie.partition(";")[0]
    table = {"title": "1824", "player_count": "3", "request_id": "r1"}
    assert sent(web, "/tables/new", table, Cookie=session).status == 403
    assert sent(web, "/tables/new", {**table, "csrf": "0" * 32}, Cookie=session).status == 403
    form = {"name": "Greta", "password": PASSWORD}
    assert sent(web, "/sign-in", form, Origin="https://elsewhere.example").status == 403
    assert sent(web, "/sign-in", form, Origin="http://[::1").status == 403
    assert sent(web, "/sign-in", form, Origin="null").status == 403
    assert sent(web, "/sign-in", form, Sec_Fetch_Site="cross-site").status == 403
    assert sent(web, "/sign-in", form, Sec_Fetch_Site="same-origin").status == 303


@pytest.mark.parametrize(
    ("wanted", "led"),
    [("/lobby?title=1824", "/lobby?title=1824"), ("///elsewhere.example", "/"), ("/%2F/elsewhere.example", "/"),
     ("javascript:alert(1)", "/"), ("/lobby#\n", "/"), ("//elsewhere.example", "/"), ("/\\elsewhere.example", "/"),
     ("https://elsewhere.example", "/"), ("/x\r\nSet-Cookie: a=b", "/")],
)  # fmt: skip
def test_pages_elsewhere_are_not_ours(wanted: str, led: str) -> None:
    """Whatever their address looks like."""
    assert own_page(wanted) == led


@pytest.mark.parametrize(
    ("wanted", "led"), [("/lobby?title=1824", "/lobby?title=1824"), ("//elsewhere.example", "/")]
)
def test_nobody_is_led_elsewhere(web: Web, cookie: str, wanted: str, led: str) -> None:
    """After signing in."""
    answer = sent(web, "/sign-in", {"name": "Greta", "password": PASSWORD, "next": wanted})
    assert (answer.status, answer.headers["location"]) == (303, led)


def test_a_session_is_a_new_one(web: Web, cookie: str) -> None:
    """What a browser brought is not kept: nobody can give it a session of his own."""
    form = {"name": "Greta", "password": PASSWORD}
    answer = sent(web, "/sign-in", form, Cookie="signalbox_session=chosen.by.somebody")
    assert "chosen.by.somebody" not in answer.headers["set-cookie"]


def test_who_is_not_signed_in_is_led_there(web: Web) -> None:
    """And back."""
    answer = web.ask("GET", "/tables/new")
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in?next=/tables/new")


def test_wrong_passwords_are_shown_in_place(web: Web, cookie: str) -> None:
    """What was typed as a name stands there again, escaped; the password does not."""
    answer = sent(web, "/sign-in", {"name": "<b>Greta", "password": "wrong-password"})
    assert answer.status == 422
    assert b"&lt;b&gt;Greta" in answer.body and b"<b>Greta" not in answer.body
    assert b"wrong-password" not in answer.body


@pytest.fixture(scope="module")
def anja(web: Web) -> Person:
    """A player with programs."""
    return Person(web, "Anja")


def made_on_page(person: Person, label: str) -> str:
    """The token that the page shows once."""
    scopes = {"scope.game:read": "1", "scope.bot:play": "1"}
    answer = person.send("/account/tokens/make", label=label, days="1", more=scopes)
    assert answer.status == 200, answer.body
    (token,) = MADE.findall(answer.body.decode())
    return str(token)


def test_a_token_is_made_shown_once_and_taken_back(web: Web, anja: Person) -> None:
    """By forms alone; it is refused at once, its stream ends, and the session goes on."""
    token = made_on_page(anja, "my <bot>")
    page = anja.page("/account")
    assert "my &lt;bot&gt;" in page and f"…{token[-4:]}" in page and token not in page
    assert "game:read, bot:play" in page
    bearer = {"Authorization": f"Bearer {token}"}
    ((path, token_id),) = REVOKE.findall(page)
    with web.stream(f"{LOBBY}/WatchGames", **bearer) as stream:
        assert stream.status == 200
        assert anja.done(path) == "/account?done=revoke"
        ended = stream.read()
    assert json.loads(ended.strip().splitlines()[-1])["problem"]["reason"] == "token_revoked"
    assert web.ask("GET", f"{LOBBY}/ListGames", **bearer).body["reason"] == "token_revoked"
    after = anja.page("/account?done=revoke")
    assert "nobody can use it any more" in after and token_id not in after


def test_what_is_refused_is_shown_in_place(web: Web, anja: Person) -> None:
    """No scope, a token of somebody else; who is not signed in is led there, and the scope of operators is theirs."""
    refused = anja.send("/account/tokens/make", which="make", label="kept text")
    assert refused.status == 400 and b"none is named" in refused.body and b"kept text" in refused.body
    bob = Person(web, "Boris")
    made = as_player(web, bob.token, "MakeApiToken", scopes=["game:read"]).body
    foreign = anja.send(f"/account/tokens/{made['tokenId']}/revoke")
    assert foreign.status == 422 and b"no token for programs" in foreign.body
    assert web.ask("GET", "/account").status == 303
    assert "scope.operator:*" not in anja.page("/account")


def test_programs_list_and_take_back_too(web: Web, anja: Person) -> None:
    """Over HTTP with the token of a session; a limited one is refused."""
    made = as_player(web, anja.token, "MakeApiToken", scopes=["game:read"], label="reader").body
    session = {"Authorization": f"Bearer {anja.token}"}
    listed = web.ask("GET", f"{TOKENS}/ListApiTokens", **session).body["tokens"][0]
    assert (listed["label"], listed["tokenId"]) == ("reader", made["tokenId"])
    limited = as_player(web, made["token"], "ListApiTokens", TOKENS)
    assert (limited.status, limited.body["reason"]) == (403, "scope_missing")
    answer = as_player(web, anja.token, "RevokeApiToken", TOKENS, tokenId=made["tokenId"])
    assert answer.status == 200 and answer.body["token"]["label"] == "reader"
    unknown = as_player(web, anja.token, "RevokeApiToken", TOKENS, tokenId="none")
    assert (unknown.status, unknown.body["reason"]) == (422, "REJECTION_REASON_API_TOKEN_UNKNOWN")
