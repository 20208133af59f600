"""Many who watch one game: one stream of rules for all of them, nothing missed, and nothing kept of those who have left."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from services.common.settings.web import WebSettings
from tests.hosting import LOOK_EVERY_SECONDS
from tests.web.serving import RULES, SECONDS, Seats, Web, as_player, registered, seats_at, web_serving

pytestmark = pytest.mark.integration

VIEWERS = 20
AT_ONCE = 150
STREAMS_MOST = 2
ACTIVE = re.compile(r'signalbox_rpc_active\{method="WatchMoves"[^}]*\} (\S+)')
CHECKSUM = re.compile(r'data-checksum="([^"]*)"')
CSRF = re.compile(rb'name="csrf" value="([0-9a-f]+)"')


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host."""
    with web_serving(tmp_path_factory.mktemp("watched"), WebSettings(address_streams=2 * AT_ONCE)) as running:
        yield running


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A public game of 1824 for three."""
    return seats_at(web, ("Lea", "Max", "Mia"))


@pytest.fixture(scope="module")
def outsider(web: Web) -> str:
    """The token of somebody who plays no game."""
    return registered(web, "Nora")


def cookie(token: str) -> str:
    """Of a browser that is signed in."""
    return f"signalbox_session={token}"


def moved(web: Web, seats: Seats) -> int:
    """Make the first move that is complete; the sequence after it."""
    token = seats.acting(web)
    offer = web.ask("GET", f"{RULES}/ListChoices?gameId={seats.game}", Authorization=f"Bearer {token}").body
    choice = next(each for each in offer["choices"] if "openField" not in each)
    request = {"gameId": seats.game, "requestId": f"m{offer['sequence']}", "command": choice["command"]}
    done = as_player(web, token, "Execute", RULES, **request, expectedSequence=offer["sequence"])
    assert done.status == 200, done.body
    return int(done.body["accepted"]["lastSequence"])


def next_event(stream: http.client.HTTPResponse) -> dict[str, Any]:
    """The next event with an id or a problem: its fields, `data` decoded."""
    fields: dict[str, Any] = {}
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and (line := stream.readline().decode()):
        name, _, value = line.rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            return {**fields, "data": json.loads(fields["data"])}
        else:
            fields = {}
    raise AssertionError(f"no event, {fields}")


def streams_of_rules(web: Web) -> int:
    """How many streams of moves rules has now."""
    with urlopen(f"http://{web.metrics}/metrics", timeout=SECONDS) as metrics:
        found = ACTIVE.search(metrics.read().decode())
    return int(float(found[1])) if found else 0


def page_of(web: Web, seats: Seats, token: str) -> tuple[int, str]:
    """Sequence and checksum of the page of the game."""
    page = web.ask("GET", f"/games/{seats.game}", Cookie=cookie(token)).body.decode()
    (checksum,) = CHECKSUM.findall(page)
    return int(re.findall(r'data-sequence="(\d+)"', page)[0]), checksum


def live(seats: Seats, sequence: int, checksum: str = "") -> str:
    """The address of the stream."""
    return f"/games/{seats.game}/live?{urlencode({'after': sequence, 'checksum': checksum})}"


def test_many_viewers_are_one_stream_of_rules(web: Web, seats: Seats, outsider: str) -> None:
    """All get what changed with the move itself, those who play its sequence; when they have gone, nothing is left."""
    sequence, checksum = page_of(web, seats, outsider)
    with ExitStack() as opened:
        path = live(seats, sequence, checksum)
        streams = [opened.enter_context(web.stream(path, Cookie=cookie(outsider))) for _ in range(VIEWERS)]
        playing = opened.enter_context(web.stream(path, Cookie=cookie(seats.tokens[0])))
        assert 1 <= streams_of_rules(web) <= STREAMS_MOST
        last = moved(web, seats)
        events = [next_event(stream) for stream in streams]
        assert {(each["event"], each["data"]["known"], each["data"]["sequence"]) for each in events} == {
            ("changes", sequence, last)
        }
        assert all(
            each["data"]["elements"] and 'form method="post"' not in each["data"]["panels"] for each in events
        )
        assert next_event(playing)["data"] == {"sequence": last}
        assert streams_of_rules(web) <= STREAMS_MOST
    end = time.monotonic() + SECONDS
    while (left := streams_of_rules(web)) and time.monotonic() < end:
        time.sleep(LOOK_EVERY_SECONDS)
    assert left == 0


def test_many_come_at_once(web: Web, seats: Seats, outsider: str) -> None:
    """All of them join, and the next move reaches each."""
    path = live(seats, *page_of(web, seats, outsider))
    connections = [http.client.HTTPConnection(web.host, web.port, timeout=SECONDS) for _ in range(AT_ONCE)]
    with ExitStack() as opened:
        for each in connections:
            opened.callback(each.close)
            each.request("GET", path, headers={"Cookie": cookie(outsider)})
        streams = [each.getresponse() for each in connections]
        assert {each.status for each in streams} == {200}
        last = moved(web, seats)
        assert {next_event(each)["data"]["sequence"] for each in streams} == {last}


def calls_of_rules(web: Web, method: str) -> int:
    """How many calls of a method rules has answered."""
    with urlopen(f"http://{web.metrics}/metrics", timeout=SECONDS) as metrics:
        text = metrics.read().decode()
    counted = re.findall(rf'signalbox_rpc_calls_total\{{code="OK",method="{method}"[^}}]*\}} (\S+)', text)
    return sum(int(float(each)) for each in counted)


def test_the_page_of_a_watched_game_is_read_once(web: Web, seats: Seats, outsider: str) -> None:
    """For all who only watch: it is the same as one that is read alone, and follows the moves. Players have their own."""
    path, panels = f"/games/{seats.game}", re.compile(r'<div id="panels">.*</main>', re.DOTALL)

    def shown(token: str) -> str:
        page = web.ask("GET", path, Cookie=cookie(token))
        assert page.status == 200
        (found,) = panels.findall(page.body.decode())
        return str(found)

    alone = shown(outsider)
    other = registered(web, "Petra")
    with web.stream(live(seats, *page_of(web, seats, outsider)), Cookie=cookie(outsider)) as stream:
        moved(web, seats)
        last = next_event(stream)["data"]["sequence"]
        first = shown(outsider)
        before = [calls_of_rules(web, each) for each in ("GetGame", "GetPicture")]
        assert {shown(token) for token in [outsider, other] * 3} == {first}
        assert [calls_of_rules(web, each) for each in ("GetGame", "GetPicture")] == before
        assert page_of(web, seats, other)[0] == last
        assert 'form method="post"' in shown(seats.acting(web))
    assert first == shown(outsider) != alone


def test_a_cut_misses_and_doubles_nothing(web: Web, seats: Seats, outsider: str) -> None:
    """The id of the last event leads from the picture that the browser has to the one of now; a slow reader gets one event."""
    sequence, checksum = page_of(web, seats, outsider)
    with web.stream(live(seats, sequence, checksum), Cookie=cookie(outsider)) as stream:
        moved(web, seats)
        seen = next_event(stream)
    moved(web, seats)
    last = moved(web, seats)
    path = live(seats, sequence, checksum)
    with web.stream(path, Cookie=cookie(outsider), Last_Event_ID=seen["id"]) as stream:
        resumed = next_event(stream)
    assert (resumed["data"]["known"], resumed["data"]["sequence"]) == (seen["data"]["sequence"], last)
    assert resumed["id"] == f"{last}-{resumed['data']['checksum']}"
    _, now = page_of(web, seats, outsider)
    assert now == resumed["data"]["checksum"]


def test_signing_out_ends_the_streams_of_the_session(web: Web, seats: Seats, outsider: str) -> None:
    """And not those of others, though theirs came over the stream of who has left."""
    leaving = registered(web, "Olaf")
    sequence, checksum = page_of(web, seats, outsider)
    path = live(seats, sequence, checksum)
    with (
        web.stream(path, Cookie=cookie(leaving)) as first,
        web.stream(path, Cookie=cookie(outsider)) as second,
    ):
        (csrf,) = set(CSRF.findall(web.ask("GET", "/", Cookie=cookie(leaving)).body))
        form = urlencode({"csrf": csrf.decode()}).encode()
        kind = "application/x-www-form-urlencoded"
        assert web.ask("POST", "/sign-out", form, Content_Type=kind, Cookie=cookie(leaving)).status == 303
        ended = next_event(first)
        assert (ended["event"], ended["data"]["status"]) == ("problem", 401)
        assert first.readline() == b""
        last = moved(web, seats)
        assert next_event(second)["data"]["sequence"] == last


def invited(web: Web, *names: str) -> Seats:
    """A game of 1824 that its two players alone may see; the first one directs."""
    tokens = [registered(web, name) for name in names]
    table = as_player(
        web, tokens[0], "CreateTable", requestId="i1", title="1824", playerCount=2, seed="3",
        visibility="TABLE_VISIBILITY_INVITED", options=["cisleithania"], ownerDirects=True,
    ).body["table"]["tableId"]  # fmt: skip
    as_player(web, tokens[0], "InvitePlayer", requestId="i2", tableId=table, playerName=names[1])
    joined = as_player(web, tokens[1], "JoinTable", requestId="i3", tableId=table)
    assert joined.status == 200, joined.body
    started = as_player(web, tokens[0], "StartTable", requestId="i4", tableId=table)
    return Seats(started.body["table"]["gameId"], table, tokens)


def test_a_game_of_invited_players_is_shared_with_nobody(web: Web, outsider: str) -> None:
    """Its players watch it, each over a stream of their own; others do not learn that there is one."""
    seats = invited(web, "Pia", "Quin")
    with ExitStack() as opened:
        streams = [
            opened.enter_context(web.stream(live(seats, 1), Cookie=cookie(each))) for each in seats.tokens
        ]
        assert [next_event(each)["event"] for each in streams] == ["message", "message"]
        assert web.ask("GET", live(seats, 1), Cookie=cookie(outsider)).status == 404
        assert streams_of_rules(web) == len(seats.tokens)


def test_whose_seat_was_given_away_sees_the_game_no_more(web: Web, outsider: str) -> None:
    """Neither page nor stream nor API, also not over a stream that was open before; who took the seat does."""
    seats = invited(web, "Rosa", "Sven")
    director, former = seats.tokens
    table = as_player(web, director, "GetTable", tableId=seats.table).body["table"]
    (seat,) = [each["playerId"] for each in table["players"] if each["name"] == "Sven"]
    link = as_player(web, director, "MakeInvitationLink", requestId="l", tableId=seats.table).body[
        "linkToken"
    ]
    offers = partial(
        as_player, web, outsider, "JoinTable", requestId="o", tableId=seats.table, asSubstitute=True
    )
    assert offers().status == 404
    assert "table" in offers(linkToken=link).body
    assert web.ask("GET", live(seats, 1), Cookie=cookie(outsider)).status == 404
    with web.stream(live(seats, 1), Cookie=cookie(former)) as stream:
        assert next_event(stream)["event"] == "message"
        given = {"reason": "ill", "assignSeat": {"seat": seat, "kind": "BEARER_KIND_SUBSTITUTE"}}
        done = as_player(
            web,
            director,
            "DirectTable",
            requestId="d",
            tableId=seats.table,
            direction=given,
            bearerName="Nora",
        )
        assert "directed" in done.body, done.body
        ended = next_event(stream)
        assert (ended["event"], ended["data"]["status"]) == ("problem", 404)
        assert stream.readline() == b""
    for token, status in ((former, 404), (outsider, 200)):
        shown = web.ask("GET", f"/games/{seats.game}", Cookie=cookie(token))
        read = web.ask("GET", f"{RULES}/GetGame?gameId={seats.game}", Authorization=f"Bearer {token}")
        assert (shown.status, read.status) == (status, status)
    assert web.ask("GET", live(seats, 1), Cookie=cookie(former)).status == 404
