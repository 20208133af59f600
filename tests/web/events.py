"""People who use the pages of events with forms alone, and a small event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.web.serving import LOBBY, PASSWORD, Answer, Web

FORM = "application/x-www-form-urlencoded"
CSRF = re.compile(r'name="csrf" value="([0-9a-f]+)"')
OVER_THE_BOARD = "over the board"


class Person:
    """Somebody signed in, with a browser that runs no scripts."""

    def __init__(self, web: Web, name: str) -> None:
        self.web, self.name = web, name
        request = {"requestId": "r-" + name.replace(" ", "-"), "name": name, "password": PASSWORD}
        assert web.ask("POST", f"{LOBBY}/RegisterPlayer", request).status == 200
        session = web.ask("POST", f"{LOBBY}/LogIn", {"name": name, "password": PASSWORD}).body["session"]
        self.token, self.player_id = session["token"], session["player"]["playerId"]
        self._csrf = str(CSRF.findall(self.page("/"))[0])
        self._requests = 0

    @property
    def cookie(self) -> str:
        """Of the session."""
        return f"signalbox_session={self.token}"

    def get(self, path: str) -> Answer:
        """What a page answers."""
        return self.web.ask("GET", path, Cookie=self.cookie)

    def page(self, path: str) -> str:
        """A page that is there."""
        answer = self.get(path)
        assert answer.status == 200, (path, answer.status, answer.body)
        return str(answer.body.decode())

    def send(self, path: str, **fields: Any) -> Answer:
        """The answer to a form; fields are given as `{"names.with.dots": ...}` in `more` where they are no names."""
        self._requests += 1
        more: Mapping[str, Any] = fields.pop("more", {})
        form = {"csrf": self._csrf, "request_id": f"r{self._requests}", "which": "tested", **fields, **more}
        return self.web.ask("POST", path, urlencode(form).encode(), Content_Type=FORM, Cookie=self.cookie)

    def done(self, path: str, **fields: Any) -> str:
        """The page to which a form leads that is not refused."""
        answer = self.send(path, **fields)
        assert answer.status == 303, (path, answer.status, answer.body.decode())
        return str(answer.headers["location"])


class Event(NamedTuple):
    """An event: its address, who directs it, and who plays."""

    path: str
    director: Person
    players: Sequence[Person]


def charter_form(**more: str) -> Mapping[str, str]:
    """A charter of one Swiss round over the board for tables of three, as its form describes it."""
    usual = {
        "name": "Club <evening>",
        "format": "swiss",
        "rounds": "1",
        "scoring": "place",
        "bye_points": "3",
    }
    sizes = {"preferred": "3", "smallest": "2", "largest": "4"}
    external = {"external": OVER_THE_BOARD, "external_least": "2", "external_most": "4"}
    return {**usual, **sizes, **external, **more}


def begun_event(web: Web, director: str, players: Sequence[str], **more: str) -> Event:
    """An event whose first stage has begun."""
    dora = Person(web, director)
    path = dora.done("/events/new", more=charter_form(**more)).removesuffix("/direct")
    dora.done(f"{path}/direct/entries", are_open="1")
    people = [Person(web, name) for name in players]
    for each in people:
        each.done(f"{path}/take-part/enter")
    dora.done(f"{path}/direct/start")
    return Event(path, dora, people)
