"""A browser in front of services that are killed, one after the other: the page says so, goes on by itself, and keeps what was
filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from devtools.brokers.kafka import KafkaServers
from services.bots.sensible import SensibleBot
from services.client.games import Games
from services.host.processes import ClusterHost
from services.rules.parts.trains.commands import RunTrains
from tests.clusters import cluster_to_kill
from tests.web.browsers import sign_in, visit
from tests.web.conftest import browser as browser, closed_windows as closed_windows
from tests.web.serving import Seats, Web, seats_at
from tests.web.test_browser import MOVE, sequence

pytestmark = pytest.mark.integration

AWAY = "interrupted"
MOVES_MOST = 400


@pytest.fixture(scope="module")
def cluster(kafka_servers: KafkaServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterHost]:
    """A cluster whose services may be killed."""
    with cluster_to_kill(kafka_servers, tmp_path_factory.mktemp("seen")) as host:
        yield host


@pytest.fixture(scope="module")
def web(cluster: ClusterHost) -> Web:
    """Its web server."""
    return Web(cluster.addresses.web)


@pytest.fixture(scope="module")
def seats(web: Web) -> Seats:
    """A game of 1824 for three."""
    return seats_at(web, ("Uma", "Veit", "Wim"))


def opened(web: Web, browser: Browser, token: str, path: str) -> Page:
    """A page of a player."""
    page = visit(browser, web.address)
    sign_in(page, token, web.address)
    page.goto(path)
    return page


def restart(cluster: ClusterHost, name: str) -> None:
    """Start a killed process; returns when it serves."""
    replica = cluster.replica(name)
    replica.process.start()
    replica.wait_healthy()


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


def test_rules_is_killed(cluster: ClusterHost, web: Web, browser: Browser, seats: Seats) -> None:
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


def test_the_lobby_is_killed(cluster: ClusterHost, web: Web, browser: Browser, seats: Seats) -> None:
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


def test_the_ledger_is_killed(cluster: ClusterHost, web: Web, browser: Browser, seats: Seats) -> None:
    """Its pages are shown once it is back; the game goes on without it."""
    page = opened(web, browser, seats.tokens[0], f"/games/{seats.game}")
    cluster.replica("ledger-1").process.kill()
    worth = opened(web, browser, seats.tokens[0], f"/games/{seats.game}/worth")
    expect(worth.locator(".problem")).to_be_visible()
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    restart(cluster, "ledger-1")
    expect(worth.locator(".curve").first).to_be_attached()


def test_routing_is_killed(cluster: ClusterHost, web: Web, browser: Browser, seats: Seats) -> None:
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
