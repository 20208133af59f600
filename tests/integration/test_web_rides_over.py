"""The web server in front of services that are killed: pages say so, work again by themselves, and no input is lost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest

from devtools.brokers.kafka import KafkaServers
from services.host.processes import ClusterHost
from tests.clusters import cluster_to_kill
from tests.hosting import LOOK_EVERY_SECONDS
from tests.web.serving import LOBBY, SECONDS, Answer, Seats, Web, seats_at

pytestmark = pytest.mark.integration

LEDGER = "/api/signalbox.ledger.v1.Ledger"
FORM = "application/x-www-form-urlencoded"
FIELDS = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
UNAVAILABLE = 503


@pytest.fixture(scope="module")
def cluster(kafka_servers: KafkaServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterHost]:
    """A cluster whose services may be killed."""
    with cluster_to_kill(kafka_servers, tmp_path_factory.mktemp("ridden")) as host:
        yield host


@pytest.fixture(scope="module")
def web(cluster: ClusterHost) -> Web:
    """Its web server."""
    return Web(cluster.addresses.web)


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game of 1824 for three."""
    return seats_at(web, ("Rut", "Sam", "Tim"))


def become(ask: Callable[[], Answer], status: int) -> Answer:
    """The first answer with this status."""
    end = time.monotonic() + SECONDS
    while (answer := ask()).status != status and time.monotonic() < end:
        time.sleep(LOOK_EVERY_SECONDS)
    assert answer.status == status, answer.body
    return answer


def test_rules_is_killed_under_a_move(cluster: ClusterHost, web: Web, seats: Seats) -> None:
    """Who watches learns it at once; the form that was sent meanwhile is carried out once when it is sent again."""
    headers = {"Cookie": f"signalbox_session={seats.acting(web)}"}
    page = web.ask("GET", f"/games/{seats.game}", **headers).body.decode()
    form = re.findall(r"<form.*?</form>", page.partition('class="choices"')[2], re.DOTALL)[0]
    fields = dict(FIELDS.findall(form.replace("&#34;", "&quot;")))
    fields["command"] = fields["command"].replace("&quot;", '"')

    def send() -> Answer:
        body = urlencode(fields).encode()
        return web.ask(
            "POST", f"/games/{seats.game}/act", body, Content_Type=FORM, X_Signalbox_Module="1", **headers
        )

    rules = cluster.replica("rules-1")
    after = fields["sequence"]
    with web.stream(f"/games/{seats.game}/live?after={after}", **headers) as stream:
        rules.process.kill()
        assert _field(stream, "event") == "away"
        shown = become(lambda: web.ask("GET", f"/games/{seats.game}", **headers), UNAVAILABLE)
        assert b'role="alert"' in shown.body
        assert send().status == UNAVAILABLE
        assert web.ask("GET", "/lobby", **headers).status == UNAVAILABLE
        rules.process.start()
        assert _field(stream, "event") == "back"
        done = become(send, 200).body
        assert send().body == done
        assert json.loads(_field(stream, "data", after="id"))["sequence"] == done["sequence"]
    assert web.ask("GET", f"/games/{seats.game}", **headers).status == 200


@pytest.mark.parametrize(
    ("name", "path"), [("lobby-1", f"{LOBBY}/ListTables"), ("ledger-1", f"{LEDGER}/GetNetWorth?gameId=")]
)
def test_others_are_killed(cluster: ClusterHost, web: Web, seats: Seats, name: str, path: str) -> None:
    """What needs them says so, and answers again by itself; the game of a browser that knows its names goes on."""
    headers = {"Authorization": f"Bearer {seats.tokens[0]}"}
    wanted = f"{path}{seats.game}" if path.endswith("=") else path
    process = cluster.replica(name).process
    process.kill()
    failed = become(lambda: web.ask("GET", wanted, **headers), UNAVAILABLE)
    assert failed.body["reason"] == "unavailable"
    assert name.partition("-")[0] in web.ask("GET", "/health").body["unreached"]
    process.start()
    become(lambda: web.ask("GET", wanted, **headers), 200)


def test_routing_is_not_needed_for_pages(cluster: ClusterHost, web: Web, seats: Seats) -> None:
    """The page of the game is there without it."""
    cluster.replica("routing-1").process.kill()
    headers = {"Cookie": f"signalbox_session={seats.tokens[0]}"}
    assert web.ask("GET", f"/games/{seats.game}", **headers).status == 200


def _field(stream: object, name: str, after: str = "") -> str:
    """The next value of a field of an event that is not a comment; `after`: a field that comes before it."""
    end = time.monotonic() + SECONDS
    is_there = not after
    while time.monotonic() < end:
        line = stream.readline().decode().rstrip("\n")  # type: ignore[attr-defined]
        found, _, value = line.partition(": ")
        is_there = is_there or found == after
        if is_there and found == name:
            return str(value)
    raise AssertionError(f"no {name}")
