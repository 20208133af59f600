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
SEATED = re.compile(r'name="table\.([^"]+)"\s+min="1" max="\d+" value="(\d+)"')
DIGEST = re.compile(r'name="digest" value="([0-9a-f]+)"')


class Person:
    """Somebody signed in, with a browser that runs no scripts."""

    def __init__(self, web: Web, name: str) -> None:
        self.web, self.name = web, name
        request = {"requestId": "r-" + name.replace(" ", "-"), "name": name, "password": PASSWORD}
        assert web.ask("POST", f"{LOBBY}/RegisterPlayer", request).status == 200
        session = web.ask("POST", f"{LOBBY}/LogIn", {"name": name, "password": PASSWORD}).body["session"]
        self.token, self.player_id = session["token"], session["player"]["playerId"]
        self.csrf = str(CSRF.findall(self.page("/"))[0])
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
        form = {"csrf": self.csrf, "request_id": f"r{self._requests}", "which": "tested", **fields, **more}
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
        "appeal_hours": "48",
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


def arrangement(page: str) -> dict[str, str]:
    """The fields of the form of a draft, tables and seats as they stand."""
    numbers: dict[str, int] = {}
    form = {"digest": DIGEST.findall(page)[0]}
    for player, table in SEATED.findall(page):
        numbers[table] = numbers.get(table, 0) + 1
        form |= {f"table.{player}": table, f"seat.{player}": str(numbers[table])}
        form[f"title.{table}"] = OVER_THE_BOARD
    return form


def results_of(
    event: Event, arranged: Mapping[str, str], published: str
) -> Mapping[str, tuple[Person, Person, Mapping[str, str]]]:
    """For each table where its players send forms: who reports, who confirms, and the worths of its seats in their order."""
    found = {}
    for table in sorted({value for name, value in arranged.items() if name.startswith("table.")}):
        seats = [
            name.removeprefix("table.")
            for name, value in arranged.items()
            if name.startswith("table.") and value == table
        ]
        one, other, *_ = (each for each in event.players if each.player_id in seats)
        worths = {f"worth.{seat}": str(1000 + 100 * number) for number, seat in enumerate(seats)}
        found[f"{published}/tables/{table}/by-players"] = one, other, worths
    return found


def played_round(event: Event) -> str:
    """Draws, publishes and plays a round; where its page is."""
    draft = event.director.done(f"{event.path}/direct/propose")
    drawn = arrangement(event.director.page(draft))
    published = event.director.done(f"{draft}/publish", more=drawn)
    for at, (one, other, worths) in results_of(event, drawn, published).items():
        one.done(f"{at}/report", more=worths)
        other.done(f"{at}/confirm", more=worths)
    return published
