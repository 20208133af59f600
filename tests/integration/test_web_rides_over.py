"""The web server, and a browser, in front of services that are killed: pages say so, work again by themselves, and no input is
lost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from devtools.brokers.kafka import KafkaServers
from services.bots.sensible import SensibleBot
from services.client.games import Games
from services.host.processes import ClusterHost
from services.rules.parts.trains.commands import RunTrains
from tests.clusters import cluster_to_kill
from tests.hosting import LOOK_EVERY_SECONDS
from tests.web.browsers import sign_in, visit
from tests.web.conftest import browser as browser, closed_windows as closed_windows
from tests.web.serving import LOBBY, SECONDS, Answer, Seats, Web, seats_at
from tests.web.test_browser import MOVE, sequence

pytestmark = pytest.mark.integration

LEDGER = "/api/signalbox.ledger.v1.Ledger"
FORM = "application/x-www-form-urlencoded"
FIELDS = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
UNAVAILABLE = 503
AWAY = "interrupted"
MOVES_MOST = 400


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


def restart(cluster: ClusterHost, name: str) -> None:
    """Start a killed process; returns when it serves."""
    replica = cluster.replica(name)
    replica.process.start()
    replica.wait_healthy()


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
    restart(cluster, "routing-1")


def opened(web: Web, browser: Browser, token: str, path: str) -> Page:
    """A page of a player."""
    page = visit(browser, web.address)
    sign_in(page, token, web.address)
    page.goto(path)
    return page


def running(cluster: ClusterHost, seats: Seats) -> str:
    """Bots play until trains run: the token of who may run them."""
    players = [
        (token, Games(cluster.addresses.rules, token), SensibleBot(number))
        for number, token in enumerate(seats.tokens)
    ]
    for _ in range(MOVES_MOST):
        for token, games, bot in players:
            offer = games.choices(seats.game)
            if any(isinstance(each.command, RunTrains) for each in offer.choices):
                return token
            if offer.choices:
                games.execute(seats.game, offer.sequence, bot.choose(offer.choices))
    raise AssertionError("no trains run")


def test_rules_is_killed_under_a_browser(
    cluster: ClusterHost, web: Web, browser: Browser, seats: Seats
) -> None:
    """A move that was chosen meanwhile is refused, and made when it is chosen again; what was typed stays."""
    page = opened(web, browser, seats.acting(web), f"/games/{seats.game}")
    before, live = sequence(page), page.locator("#live")
    page.fill("#from", "1")
    cluster.replica("rules-1").process.kill()
    expect(live).to_contain_text(AWAY)
    page.locator(MOVE).first.click()
    expect(page.locator("#refusal .problem")).to_be_visible()
    assert (sequence(page), page.input_value("#from")) == (before, "1")
    restart(cluster, "rules-1")
    expect(live).to_have_text("")
    page.locator(MOVE).first.click()
    expect(page.locator(f"#game:not([data-sequence='{before}'])")).to_be_attached()
    expect(page.locator("#refusal .problem")).to_have_count(0)


def test_the_lobby_is_killed_under_a_browser(
    cluster: ClusterHost, web: Web, browser: Browser, seats: Seats
) -> None:
    """A table is opened once though it was sent twice; a page that could not be made is shown without anybody asking again."""
    owner = opened(web, browser, seats.tokens[0], "/tables/new?title=1824")
    reader = opened(web, browser, seats.tokens[1], f"/tables/{seats.table}")
    owner.select_option("#player_count", "5")
    cluster.replica("lobby-1").process.kill()
    owner.locator("main form button.main").last.click()
    expect(owner.locator(".problem")).to_be_visible()
    reader.reload()
    expect(reader.locator(".problem")).to_be_visible()
    restart(cluster, "lobby-1")
    expect(reader.locator("#gathering")).to_be_visible()
    again = owner.get_by_role("button", name="Send again")
    again.click()
    owner.wait_for_url(re.compile("/tables/t"))
    expect(owner.locator("#gathering")).to_contain_text("Free chairs: 4")


def test_the_ledger_is_killed_under_a_browser(
    cluster: ClusterHost, web: Web, browser: Browser, seats: Seats
) -> None:
    """Its pages are shown once it is back; the game goes on without it."""
    page = opened(web, browser, seats.tokens[0], f"/games/{seats.game}")
    cluster.replica("ledger-1").process.kill()
    worth = opened(web, browser, seats.tokens[0], f"/games/{seats.game}/worth")
    expect(worth.locator(".problem")).to_be_visible()
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    restart(cluster, "ledger-1")
    expect(worth.locator(".curve").first).to_be_attached()


def test_routing_is_killed_under_a_browser(
    cluster: ClusterHost, web: Web, browser: Browser, seats: Seats
) -> None:
    """Runs are drawn by the player then, and what was drawn stays; the best ones are offered once routing is back."""
    page = opened(web, browser, running(cluster, seats), f"/games/{seats.game}")
    expect(page.get_by_text("The best runs earn")).to_be_visible()
    cluster.replica("routing-1").process.kill()
    page.reload()
    expect(page.locator("[data-look-again]")).to_be_visible()
    field = page.locator("[data-run]").first
    expect(field).to_be_visible()
    field.fill("A1")
    restart(cluster, "routing-1")
    page.wait_for_timeout(6_000)
    expect(field).to_have_value("A1")
    field.fill("")
    page.locator("h1").click()
    expect(page.get_by_text("The best runs earn")).to_be_visible()


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
