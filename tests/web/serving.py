"""An embedded host with its web server, and a plain client of it."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from services.common.settings.web import WebSettings
from services.common.telemetry.logs import configure_logging
from services.host.embedded import EmbeddedHost
from tests.hosting import LOOK_EVERY_SECONDS, settings_in

SECONDS = 60.0
LOBBY = "/api/signalbox.lobby.v1.LobbyService"
RULES = "/api/signalbox.rules.v1.Rules"
PASSWORD = "correct horse battery"
_numbers = count(1)


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: Any


class Web:
    """A client of a running server."""

    def __init__(self, address: str, metrics: str = "", rules: str = "") -> None:
        """`metrics` and `rules`: host:port of the metrics and of rules behind it."""
        self.address, self.metrics, self.rules = address, metrics, rules
        host, _, port = address.removeprefix("http://").partition(":")
        self.host, self.port = host, int(port)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer to one request; bodies that are not bytes are sent as JSON."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            named.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, named)
            response = connection.getresponse()
            content = response.read()
            is_json = (response.headers["Content-Type"] or "").endswith(("/json", "+json"))
            return Answer(
                response.status, dict(response.headers), json.loads(content) if is_json else content
            )
        finally:
            connection.close()

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[http.client.HTTPResponse]:
        """A stream to be read line by line."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
        try:
            connection.request("GET", path, headers=named)
            yield connection.getresponse()
        finally:
            connection.close()


def until(ask: Callable[[], int], wanted: int) -> bool:
    """Whether the status becomes the one wanted."""
    end = time.monotonic() + SECONDS
    while (found := ask()) != wanted and time.monotonic() < end:
        time.sleep(LOOK_EVERY_SECONDS)
    return found == wanted


class Seats(NamedTuple):
    """A game: its table, and the tokens of its players."""

    game: str
    table: str
    tokens: Sequence[str]

    def acting(self, web: Web) -> str:
        """The token of who may act now."""
        path = f"{RULES}/ListChoices?gameId={self.game}"
        return next(
            each
            for each in self.tokens
            if web.ask("GET", path, Authorization=f"Bearer {each}").body.get("choices")
        )


def as_player(web: Web, token: str, method: str, service: str = LOBBY, **request: Any) -> Answer:
    """The answer to a player's request."""
    return web.ask("POST", f"{service}/{method}", request, Authorization=f"Bearer {token}")


def registered(web: Web, name: str) -> str:
    """Register a player; the token."""
    request = {"requestId": f"r-{name}", "name": name, "password": PASSWORD}
    answer = web.ask("POST", f"{LOBBY}/RegisterPlayer", request)
    assert answer.status == 200, answer.body
    signed_in = web.ask("POST", f"{LOBBY}/LogIn", {"name": name, "password": PASSWORD})
    return str(signed_in.body["session"]["token"])


def game_of(web: Web, tokens: Sequence[str], title: str = "1824", **chosen: Any) -> Seats:
    """Start a game of these players; `chosen`: more of the table."""
    number = next(_numbers)

    def do(token: str, method: str, **request: Any) -> Any:
        answer = as_player(web, token, method, requestId=f"{method}-{number}", **request)
        assert answer.status == 200, answer.body
        return answer.body["table"]

    request = {"title": title, "playerCount": len(tokens), "seed": "11", **chosen}
    table_id = do(tokens[0], "CreateTable", **request)["tableId"]
    for token in tokens[1:]:
        do(token, "JoinTable", tableId=table_id)
    return Seats(do(tokens[0], "StartTable", tableId=table_id)["gameId"], table_id, tokens)


def seats_at(web: Web, names: Sequence[str], title: str = "1824") -> Seats:
    """Register players and start a game."""
    return game_of(web, [registered(web, name) for name in names], title)


@contextmanager
def web_serving(folder: Path, web: WebSettings | None = None, **more: Any) -> Iterator[Web]:
    """An embedded host with its web server; `more`: other settings."""
    configure_logging("error")
    settings = replace(settings_in(folder), web=replace(web or WebSettings(), port=0), **more)
    host = EmbeddedHost(settings, has_web=True)
    host.start()
    try:
        yield Web(host.addresses.web, host.addresses.metrics, host.addresses.rules)
    finally:
        host.stop()
