"""The command line as a whole, and the demo."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from services.cli import demo
from services.cli.demo import _usual_count
from services.cli.demo_settings import embedded_settings
from services.cli.main import app
from services.client.calls import NotAnsweredError
from services.client.lobby import register
from services.host.embedded import EmbeddedHost
from services.rules.describe import rulings_table
from services.rules.kernel.titlebuild import TitleDataError
from services.rules.kernel.titledata import TitleData
from services.rules.titles import BUILT_IN, TITLES

VARIANT_OF = "1824"


def test_all_commands_are_there() -> None:
    """The help lists what the README promises."""
    found = CliRunner().invoke(app, ["--help"])
    assert found.exit_code == 0
    for command in ("up", "demo", "import", "export", "board", "routes", "rulings"):
        assert command in found.stdout


@pytest.mark.parametrize(
    ("option", "value"), [("--title", "1999"), ("--players", "7"), ("--bots", "clever"), ("--host", "moon")]
)
def test_a_demo_that_cannot_be_is_refused(option: str, value: str) -> None:
    """Exit 2, and the sentence names the option."""
    found = CliRunner().invoke(app, ["demo", option, value])
    assert found.exit_code == 2 and option in found.stderr


def test_a_demo_names_what_is_wrong_in_the_data_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 1 with file, key and fault in a line, before any service starts."""

    def load(options: tuple[str, ...], rulings: Mapping[str, str], players: int = 0) -> TitleData:
        raise TitleDataError(["title.toml: figures: Object contains unknown field `fery_price`"])

    monkeypatch.setitem(TITLES, "1862", replace(TITLES["1862"], load=load))
    found = CliRunner().invoke(app, ["demo", "--title", "1862"])
    assert found.exit_code == 1
    assert found.stderr == "signalbox: title.toml: figures: Object contains unknown field `fery_price`\n"
    assert found.stdout == ""


@pytest.mark.integration
def test_a_demo_in_which_a_service_fails_says_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 1 with the number of the error, not with a traceback of the client."""

    def fail(*given: object) -> None:
        raise NotAnsweredError(StatusCode.INTERNAL, "internal error 2a", {})

    monkeypatch.setattr(demo, "play", fail)
    found = CliRunner().invoke(app, ["demo"])
    assert found.exit_code == 1
    assert found.stderr.splitlines()[-2:] == [
        "signalbox demo: INTERNAL: internal error 2a",
        "The log line of the service with this error_id says why.",
    ]


def test_a_demo_on_the_cluster_host_needs_brokers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts none itself: exit 2, and the sentence names the setting."""
    monkeypatch.delenv("SIGNALBOX_KAFKA_SERVERS", raising=False)
    found = CliRunner().invoke(app, ["demo", "--host", "cluster"])
    assert found.exit_code == 2 and "SIGNALBOX_KAFKA_SERVERS" in found.stderr


def test_up_names_a_setting_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 1 with the variable and its value."""
    monkeypatch.setenv("SIGNALBOX_RULES_PORT", "many")
    found = CliRunner().invoke(app, ["up"])
    assert found.exit_code == 1 and "SIGNALBOX_RULES_PORT" in found.stderr


def test_the_version_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed whatever else is wrong."""
    monkeypatch.setenv("SIGNALBOX_LOBY_PORT", "1")
    found = CliRunner().invoke(app, ["--version"])
    assert (found.exit_code, found.stdout) == (0, f"signalbox {version('signalbox')}\n")


def test_a_setting_that_does_not_exist_stops_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line with the nearest name."""
    monkeypatch.setenv("SIGNALBOX_LOBY_PORT", "1")
    for command in (["up"], ["titles"], ["serve", "rules"]):
        found = CliRunner().invoke(app, command)
        assert found.exit_code == 1
        assert found.stderr == (
            "signalbox: SIGNALBOX_LOBY_PORT: there is no such setting; did you mean SIGNALBOX_LOBBY_PORT?\n"
        )


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("no.such.module:TITLE", "ModuleNotFoundError"),
        ("services.rules.titles.g1862.title", "AttributeError"),
        ("services.rules.titles.g1862.title:OWN", "is no title"),
        ("services.rules.titles.g1862.title:TITLE", "two titles called '1862'"),
        (":", "ValueError"),
    ],
)
def test_a_wrong_list_of_titles_ends_a_command_with_one_line(setting: str, problem: str) -> None:
    """No traceback, and the entry is named. In a process of its own, for titles are listed once."""
    environment = {**os.environ, "SIGNALBOX_TITLES": setting}
    command = [sys.executable, "-m", "services.cli", "titles"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    (line,) = found.stderr.splitlines()
    assert line.startswith("signalbox: SIGNALBOX_TITLES: ")
    assert problem in line


@pytest.mark.parametrize("title", TITLES)
def test_rulings_are_printed(title: str) -> None:
    """The page of a title's rulings goes to standard output; exit 2 names the titles there are."""
    found = CliRunner().invoke(app, ["rulings", title])
    assert found.exit_code == 0 and found.stdout == rulings_table(TITLES[title])
    unknown = CliRunner().invoke(app, ["rulings", "1999"])
    assert unknown.exit_code == 2 and title in unknown.stderr


@pytest.mark.integration
def test_the_demo_plays_a_variant() -> None:
    """As many play as the variant allows at most when no number is given. 1824 is played when no title is given."""
    found = CliRunner().invoke(app, ["demo", "--variant", "cisleithania", "--players", "2", "--seed", "5"])
    assert found.exit_code == 0, found.output
    assert_whole_game(found.output, "SR 1", "OR 2.1")
    assert _usual_count("1824", ("cisleithania",)) == 3
    assert _usual_count("1824", ()) == 4


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--players", "2"], "--players: 1824 is played by 3 to 6, not by 2"),
        (["--variant", "cisleithania", "--players", "4"], "cisleithania is for 2, 3 players, not for 4"),
        (["--variant", "steam"], "steam"),
    ],
)
def test_a_demo_of_a_variant_that_cannot_be_is_refused(arguments: list[str], problem: str) -> None:
    """With exit 2 and the reason."""
    found = CliRunner().invoke(app, ["demo", *arguments])
    assert found.exit_code == 2 and problem in found.output


@pytest.mark.integration
@pytest.mark.parametrize("title", [title.name for title in BUILT_IN if title.name != VARIANT_OF])
def test_the_demo_plays_a_whole_game(title: str) -> None:
    """The titles of which it does not play a variant above."""
    found = CliRunner().invoke(app, ["demo", "--title", title, "--players", "3", "--seed", "5"])
    assert found.exit_code == 0
    rounds = {"rotw": ("OA 1", "CR 2.1", "DIV 2", "ANS 2")}.get(title, ("SR 1", "OR 2.1"))
    assert_whole_game(found.stdout, *rounds)


@pytest.mark.integration
def test_the_demo_plays_on_services_that_run(tmp_path: Path) -> None:
    """A host that somebody else started, where others have the names of the demo's players already."""
    host = EmbeddedHost(embedded_settings(tmp_path))
    host.start()
    try:
        at = host.addresses
        places = ["--host", "running", "--lobby", at.lobby, "--rules", at.rules, "--ledger", at.ledger]
        register(at.lobby, "Ada", "correct horse battery")
        found = CliRunner().invoke(app, ["demo", *places, "--title", "rotw", "--players", "3", "--seed", "5"])
    finally:
        host.stop()
    assert found.exit_code == 0, found.output
    assert_whole_game(found.output, "OA 1", "CR 2.1")


def assert_whole_game(output: str, *rounds: str) -> None:
    """Rounds go by; then standings, balanced books, and the folded log equal to the live state."""
    for line in (*rounds, "standings", "ledger balanced", "equals the live state"):
        assert line in output


def test_a_demo_writes_over_no_log(tmp_path: Path) -> None:
    """Exit 2 for a file that exists, and for a host that keeps its log elsewhere."""
    (tmp_path / "games.db").touch()
    found = CliRunner().invoke(app, ["demo", "--database", str(tmp_path / "games.db")])
    assert found.exit_code == 2 and "--database" in found.stderr
    found = CliRunner().invoke(app, ["demo", "--host", "cluster", "--database", str(tmp_path / "other.db")])
    assert found.exit_code == 2 and "--database" in found.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["titles"], ["rulings", "1862"]])
def test_output_that_cannot_be_written_ends_a_command_with_a_line(arguments: list[str]) -> None:
    """Such as to a full disk: no traceback."""
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "services.cli", *arguments]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "signalbox: [Errno 28] No space left on device\n")
