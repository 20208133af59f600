"""`signalbox titles` with what is installed, and against a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from services.cli.main import app
from services.client.titles import Titles
from services.host.embedded import EmbeddedHost
from services.rules.titles import TITLES
from tests.hosting import settings_in


def run(*arguments: str) -> Result:
    """The command."""
    return CliRunner().invoke(app, ["titles", *arguments])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the rules of a host answer."""
    folder: Path = tmp_path_factory.mktemp("host")
    host = EmbeddedHost(settings_in(folder))
    for server in host._servers:
        server.start()
    yield host.addresses.rules
    host.stop()


def test_all_titles_are_listed() -> None:
    """Each with its players and options."""
    listed = run()
    assert listed.exit_code == 0
    for name in TITLES:
        assert name in listed.stdout
    assert "shorter_game" in listed.stdout
    assert "2-8" in listed.stdout


@pytest.mark.parametrize("title", TITLES)
def test_each_title_can_be_shown(title: str) -> None:
    """With every option, ruling and value."""
    shown = run(title)
    assert shown.exit_code == 0, shown.output
    for option in TITLES[title].options:
        assert option.name in shown.stdout
    for ruling in TITLES[title].rulings:
        assert ruling.name in shown.stdout


def test_conditions_of_options_are_shown() -> None:
    """What they exclude and need, with which numbers of players."""
    lines = run("1862").stdout.splitlines()
    assert any("shorter_game" in line and "short_game (with 2-4 players)" in line for line in lines)
    assert any("extra_companies" in line and "7, 8" in line for line in lines)


def test_json_has_everything() -> None:
    """Map, tiles and chart too, in the form of the API."""
    shown = json.loads(run("1824", "--option", "goods_time", "--profile", "18xx.games", "--json").stdout)
    assert shown["layout"] == "Goods Time"
    assert len(shown["map"]["hexes"]) == 103
    assert next(tile for tile in shown["map"]["tiles"] if tile["tile"] == "204")["count"] == 3
    phase = next(phase for phase in shown["trains"]["phases"] if phase["name"] == "5")
    assert phase["operating_rounds"] == 3
    assert [each["title"] for each in json.loads(run("--json").stdout)] == list(TITLES)


@pytest.mark.parametrize(
    ("arguments", "there_is"),
    [
        (["1899"], "titles: 1824, 1862, 1865"),
        (["1862", "--option", "beginners"], "options of 1862: short_game, long_game"),
        (["1862", "--profile", "x"], "profiles: 18xx.games"),
    ],
)
def test_what_is_not_there_fails_with_what_there_is(arguments: list[str], there_is: str) -> None:
    """One line that lists titles, options or profiles."""
    failed = run(*arguments)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("signalbox titles: ")
    assert there_is in failed.stderr


@pytest.mark.integration
def test_a_server_shows_the_same(address: str) -> None:
    """Without a token. What a client knows is not sent again."""
    assert run("1862", "--server", address).stdout.endswith(run("1862").stdout)
    assert run("--server", address).stdout.endswith(run().stdout)
    failed = run("1899", "--server", address)
    assert failed.exit_code == 1
    assert "titles: 1824, 1862, 1865" in failed.stderr
    client = Titles(address)
    first = client.title("1824", ("goods_time",))
    assert client.title("1824", ("goods_time",)) is first
    assert client.title("1824") != first
    client.close()
