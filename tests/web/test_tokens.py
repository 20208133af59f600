"""The page of one's own account, and tokens for programs over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsers import NARROW, assert_keeps_nobody_out, chromium, sign_in, visit
from tests.web.events import Person
from tests.web.serving import LOBBY, Web, as_player, web_serving

pytestmark = pytest.mark.integration

TOKENS = "/api/signalbox.lobby.v1.ApiTokens"
MADE = re.compile(r'<p class="code token">([^<]+)</p>')
REVOKE = re.compile(r'action="(/account/tokens/([0-9a-f]+)/revoke)')


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("tokens")) as running:
        yield running


@pytest.fixture(scope="module")
def ann(web: Web) -> Person:
    """A player."""
    return Person(web, "Ann")


def made_on_page(person: Person, label: str) -> str:
    """The token that the page shows once."""
    scopes = {"scope.game:read": "1", "scope.bot:play": "1"}
    answer = person.send("/account/tokens/make", label=label, days="1", more=scopes)
    assert answer.status == 200, answer.body
    (token,) = MADE.findall(answer.body.decode())
    return str(token)


def test_a_token_is_made_shown_once_and_taken_back(web: Web, ann: Person) -> None:
    """By forms alone; it is refused at once, its stream ends, and the session goes on."""
    token = made_on_page(ann, "my <bot>")
    page = ann.page("/account")
    assert "my &lt;bot&gt;" in page and f"…{token[-4:]}" in page and token not in page
    assert "game:read, bot:play" in page
    bearer = {"Authorization": f"Bearer {token}"}
    ((path, token_id),) = REVOKE.findall(page)
    with web.stream(f"{LOBBY}/WatchGames", **bearer) as stream:
        assert stream.status == 200
        assert ann.done(path) == "/account?done=revoke"
        ended = stream.read()
    assert json.loads(ended.strip().splitlines()[-1])["problem"]["reason"] == "token_revoked"
    assert web.ask("GET", f"{LOBBY}/ListGames", **bearer).body["reason"] == "token_revoked"
    after = ann.page("/account?done=revoke")
    assert "nobody can use it any more" in after and token_id not in after


def test_what_is_refused_is_shown_in_place(web: Web, ann: Person) -> None:
    """No scope, a token of somebody else; who is not signed in is led there, and the scope of operators is theirs."""
    refused = ann.send("/account/tokens/make", which="make", label="kept text")
    assert refused.status == 400 and b"none is named" in refused.body and b"kept text" in refused.body
    bob = Person(web, "Bob")
    made = as_player(web, bob.token, "MakeApiToken", scopes=["game:read"]).body
    foreign = ann.send(f"/account/tokens/{made['tokenId']}/revoke")
    assert foreign.status == 422 and b"no token for programs" in foreign.body
    assert web.ask("GET", "/account").status == 303
    assert "scope.operator:*" not in ann.page("/account")


def test_programs_list_and_take_back_too(web: Web, ann: Person) -> None:
    """Over HTTP with the token of a session; a limited one is refused."""
    made = as_player(web, ann.token, "MakeApiToken", scopes=["game:read"], label="reader").body
    session = {"Authorization": f"Bearer {ann.token}"}
    listed = web.ask("GET", f"{TOKENS}/ListApiTokens", **session).body["tokens"][0]
    assert (listed["label"], listed["tokenId"]) == ("reader", made["tokenId"])
    limited = as_player(web, made["token"], "ListApiTokens", TOKENS)
    assert (limited.status, limited.body["reason"]) == (403, "scope_missing")
    answer = as_player(web, ann.token, "RevokeApiToken", TOKENS, tokenId=made["tokenId"])
    assert answer.status == 200 and answer.body["token"]["label"] == "reader"
    unknown = as_player(web, ann.token, "RevokeApiToken", TOKENS, tokenId="none")
    assert (unknown.status, unknown.body["reason"]) == (422, "REJECTION_REASON_API_TOKEN_UNKNOWN")


def test_the_page_keeps_nobody_out(web: Web, ann: Person) -> None:
    """See `assert_keeps_nobody_out`."""
    made_on_page(ann, "bot")
    with chromium() as browser:
        _look(browser, web, ann)


def _look(browser: Browser, web: Web, person: Person) -> None:
    page = visit(browser, web.address, viewport=NARROW)
    sign_in(page, person.token, web.address)
    page.goto("/account")
    assert_keeps_nobody_out(page)
