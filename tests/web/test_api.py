"""Every rpc over HTTP and JSON: against an embedded host, through a socket."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.request import urlopen

import grpc
import pytest

from services.common.settings.web import WebSettings
from services.gen.signalbox.rules.v1 import rules_pb2, rules_pb2_grpc
from services.web.contracts import find_rpcs
from tests.hosting import channel_to
from tests.web.serving import LOBBY, RULES, SECONDS, Seats, Web, as_player, seats_at, until, web_serving

pytestmark = pytest.mark.integration

BODY_BYTES = 65_536


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server with small limits."""
    limits = WebSettings(body_bytes=BODY_BYTES, header_seconds=0.5, body_seconds=0.5, address_streams=3)
    with web_serving(tmp_path_factory.mktemp("web"), limits) as running:
        yield running


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game of 1824 for three."""
    return seats_at(web, ("Ann", "Bob", "Cem"))


@pytest.fixture(scope="module")
def tokens(seats: Seats) -> Sequence[str]:
    """Of its players."""
    return seats.tokens


@pytest.fixture(scope="module")
def game(seats: Seats) -> str:
    """Its id."""
    return seats.game


def test_a_move_is_made_and_watched_over_http(web: Web, tokens: Sequence[str], game: str) -> None:
    """Choices, a command, the same again, a stale one; the stream resumes where it was cut."""
    bearers = [f"Bearer {token}" for token in tokens]
    offers = [
        web.ask("GET", f"{RULES}/ListChoices?gameId={game}", Authorization=each).body for each in bearers
    ]
    acting = next(index for index, offer in enumerate(offers) if offer.get("choices"))
    offer = offers[acting]
    command = _passed(offer)
    request = {"gameId": game, "requestId": "m1", "expectedSequence": offer["sequence"], "command": command}
    accepted = as_player(web, tokens[acting], "Execute", RULES, **request)
    assert accepted.status == 200, accepted.body
    again = as_player(web, tokens[acting], "Execute", RULES, **request)
    assert again.body["accepted"]["repeatedRequest"] is True
    stale = as_player(web, tokens[acting], "Execute", RULES, **{**request, "requestId": "m2"})
    assert (stale.status, stale.body["reason"]) == (409, "stale_sequence")
    last = int(accepted.body["accepted"]["lastSequence"])
    assert stale.body["more"]["sequence"] == str(last)
    for seen in (0, last - 1):
        path = f"{RULES}/WatchGame?gameId={game}"
        with web.stream(
            path, Accept="text/event-stream", Authorization=bearers[0], Last_Event_ID=str(seen)
        ) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            assert _ids(stream, last - seen) == list(range(seen + 1, last + 1))


def _passed(offer: Any) -> Any:
    """A command that the rules accept as it is: passing."""
    assert any("passTurn" in json.dumps(choice) or choice.get("canPass") for choice in offer["choices"]), (
        offer
    )
    return {"passTurn": {}}


def _ids(stream: Any, count: int) -> list[int]:
    found: list[int] = []
    while len(found) < count:
        line = stream.readline().decode()
        assert line, "the stream has ended"
        if line.startswith("id: "):
            found.append(int(line.removeprefix("id: ")))
    return found


def test_a_stream_as_lines_of_json(web: Web, tokens: Sequence[str], game: str) -> None:
    """Without a wish for events every line is an answer."""
    with web.stream(f"{RULES}/WatchGame?gameId={game}", Authorization=f"Bearer {tokens[0]}") as stream:
        assert stream.headers["Content-Type"].startswith("application/x-ndjson")
        assert json.loads(stream.readline())["event"]["sequence"] == "1"


def test_streams_of_one_address_are_limited_and_given_back(
    web: Web, tokens: Sequence[str], game: str
) -> None:
    """The fourth is refused; when a client has left, there is room again."""
    path, bearer = f"{RULES}/WatchGame?gameId={game}", f"Bearer {tokens[0]}"

    def opened(count: int) -> int:
        if count == 0:
            return web.ask("GET", f"{RULES}/WatchGame?gameId={game}", Authorization="Bearer x").status
        with web.stream(path, Authorization=bearer) as stream:
            return opened(count - 1) if stream.status == 200 else stream.status

    assert opened(3) == 429
    # Of those that have ended the server hears a little later.
    assert until(lambda: opened(1), 401)


def test_an_unknown_game_is_refused_before_a_stream_begins(web: Web, tokens: Sequence[str]) -> None:
    """The status says so, not an event."""
    answer = web.ask("GET", f"{RULES}/WatchGame?gameId=nothing", Authorization=f"Bearer {tokens[0]}")
    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_a_token_does_what_its_scopes_name(web: Web, tokens: Sequence[str], game: str) -> None:
    """It reads; it neither moves, nor opens tables, nor makes tokens."""
    made = as_player(web, tokens[0], "MakeApiToken", scopes=["game:read"], lifetimeDays=1)
    reader = made.body["token"]
    assert as_player(web, reader, "ListChoices", RULES, gameId=game).status == 200
    for service, method in ((RULES, "Execute"), (LOBBY, "CreateTable"), (LOBBY, "MakeApiToken")):
        refused = as_player(web, reader, method, service)
        assert (refused.status, refused.body["reason"]) == (403, "scope_missing"), method
    with channel_to(web.rules) as channel, pytest.raises(grpc.RpcError) as failed:
        rules_pb2_grpc.RulesStub(channel).Execute(
            rules_pb2.ExecuteRequest(game_id=game), metadata=[("authorization", f"Bearer {reader}")]
        )
    assert failed.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        ({"scopes": ["game:see"]}, "game:see"),
        ({}, "none is named"),
        ({"scopes": ["game:read"], "lifetimeDays": 91}, "up to 90"),
    ],
)
def test_a_token_that_nobody_makes(web: Web, tokens: Sequence[str], request_: Any, named: str) -> None:
    """Unknown scopes, none, and too long a life."""
    refused = as_player(web, tokens[0], "MakeApiToken", **request_)
    assert refused.status == 400 and named in refused.body["detail"]


def test_rejections_are_problems(web: Web, tokens: Sequence[str]) -> None:
    """With the reason that never changes."""
    answer = as_player(web, tokens[0], "CreateTable", requestId="t9", title="1899", playerCount=3)
    assert answer.status == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.body["reason"] == "REJECTION_REASON_TITLE_UNKNOWN"
    assert "1899" in answer.body["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "reason", "named"),
    [
        ("POST", f"{LOBBY}/GetTable", {"tableIdd": "x"}, {}, 400, "malformed_request", "tableIdd"),
        ("GET", f"{LOBBY}/GetTable?tableIdd=x", None, {}, 400, "malformed_request", "tableIdd"),
        ("GET", f"{LOBBY}/GetTable?tableId=x&tableId=y", None, {}, 400, "malformed_request", "twice"),
        ("POST", f"{LOBBY}/GetTable", {"tableId": "x"}, {}, 404, "not_found", ""),
        ("POST", f"{LOBBY}/GetTable", b"[]", {}, 400, "malformed_request", "object"),
        ("POST", f"{LOBBY}/GetTable", b"{", {}, 400, "malformed_request", "JSON"),
        ("POST", f"{LOBBY}/GetTable", b"[" * 50_000, {}, 400, "malformed_request", "JSON"),
        (
            "POST",
            f"{LOBBY}/GetTable",
            b"{}",
            {"Content_Type": "text/plain"},
            415,
            "unsupported_media_type",
            "",
        ),
        ("POST", f"{LOBBY}/GetTable", b"{}", {"Content_Encoding": "gzip"}, 415, "unsupported_media_type", ""),
        ("POST", f"{LOBBY}/GetTable", b" " * (BODY_BYTES + 1), {}, 413, "body_too_large", ""),
        (
            "POST",
            f"{LOBBY}/GetTable",
            b"{}",
            {"Connect_Timeout_Ms": "-1"},
            400,
            "malformed_request",
            "timeout",
        ),
        ("GET", f"{LOBBY}/CreateTable", None, {}, 405, "method_not_allowed", "POST"),
        ("POST", f"{LOBBY}/CreateTable", {}, {}, 401, "unauthenticated", ""),
        ("POST", f"{LOBBY}/Nothing", {}, {}, 404, "no_such_method", "Nothing"),
        (
            "GET",
            f"{RULES}/WatchGame?gameId=x",
            None,
            {"Last_Event_ID": "no"},
            400,
            "malformed_request",
            "'no'",
        ),
        ("GET", "/nothing", None, {}, 404, "not_found", ""),
        ("DELETE", f"{LOBBY}/GetTable", None, {}, 405, "method_not_allowed", ""),
    ],
)
def test_what_is_wrong_is_named(
    web: Web, method: str, path: str, body: Any, headers: dict[str, str], status: int, reason: str, named: str
) -> None:
    """Each problem has its status, its reason and what is wrong."""
    answer = web.ask(method, path, body, **headers)
    assert (answer.status, answer.body["reason"]) == (status, reason)
    assert named in answer.body["detail"]


def test_the_deadline_is_passed_on(web: Web, tokens: Sequence[str]) -> None:
    """A call whose time is over before it begins ends with that, every time, and so does a stream."""
    asked: list[tuple[str, str, Any]] = [("POST", f"{LOBBY}/ListTables", {})] * 20
    asked.append(("GET", f"{RULES}/WatchGame?gameId=x", None))
    for method, path, body in asked:
        answer = web.ask(method, path, body, Connect_Timeout_Ms="0")
        found = answer.status, answer.body["reason"], answer.body["code"]
        assert found == (504, "deadline_exceeded", "deadline_exceeded")


@pytest.mark.parametrize("sent", [b"", b"POST /api/", b"POST /api HTTP/1.1\r\nHost: x\r\n"])
def test_a_half_open_request_ends(web: Web, sent: bytes) -> None:
    """Headers that do not come end the connection."""
    with socket.create_connection((web.host, web.port), timeout=SECONDS) as connection:
        connection.sendall(sent)
        assert connection.recv(1_024) == b""


def test_a_body_that_does_not_come_ends(web: Web) -> None:
    """With a problem that says so."""
    head = f"POST {LOBBY}/GetTable HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    with socket.create_connection((web.host, web.port), timeout=SECONDS) as connection:
        connection.sendall(head.encode() + b"{")
        assert b" 408 " in connection.recv(1_024)


def test_the_description_is_served(web: Web) -> None:
    """Every rpc has its address."""
    document = web.ask("GET", "/api/openapi.json").body
    assert set(document["paths"]) == {f"/api{path}" for path in find_rpcs()}


def test_health_and_metrics(web: Web) -> None:
    """Healthy while the services are reached; requests are counted by rpc, not by what clients choose."""
    path = f"{LOBBY}/GetTable"
    web.ask("POST", path, {"tableId": "x"})
    with urlopen(f"http://{web.metrics}/metrics", timeout=SECONDS) as metrics:
        shown = metrics.read().decode()
    assert f'signalbox_web_requests_total{{path="{path}",status="404"}}' in shown
    assert until(lambda: web.ask("GET", "/health").status, 200)
