"""The commands of directors and players, as docs/tournaments.md has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.main import app
from services.common.eventlog.sqlite import SqliteEventLog
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.grpc.server import Guard, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from tests.lobby.scoring import recompute
from tests.lobby.tournaments.club import Club

RUNNER = CliRunner()
LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:")
PLAYERS = ("Ann", "Bob", "Cy", "Dan")
SECONDS = ("Silvia", "Tom")


class Hall:
    """A served lobby over a file, and people with token files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "events.db"
        self.log = SqliteEventLog(SqliteDatabase(self.database))
        self.club = Club(0, self.log)
        lobby = self.club.lobby
        services = [lobby.hosted, *lobby.also_hosted]
        server, port = create_server(services, Settings(), Telemetry(), guard=Guard(lobby.verifier))
        self.server, self.address = server, f"127.0.0.1:{port}"
        server.start()

    def run(self, person: str, command: str, *arguments: object, code: int = 0) -> str:
        """What a person's command prints."""
        options = ["--server", self.address]
        if person:
            options += ["--token-file", str(self.folder / person)]
        result = RUNNER.invoke(app, ["tournament", command, *map(str, arguments), *options])
        assert result.exit_code == code, result.output + result.stderr
        # The served lobby logs to the same output.
        printed = [line for line in result.stdout.splitlines() if not LOGGED.match(line)]
        return "\n".join(printed) if code == 0 else result.stderr

    def local(self, command: str, *arguments: object, code: int = 0) -> str:
        """What a command prints that reads the file."""
        given = ["tournament", command, *map(str, arguments), "--log", f"sqlite:{self.database}"]
        result = RUNNER.invoke(app, given)
        assert result.exit_code == code, result.output
        return result.stdout if code == 0 else result.stderr

    def close(self) -> None:
        """End everything."""
        self.server.stop(0)
        self.log.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """People who have signed in."""
    hall = Hall(tmp_path)
    for name in ("Doris", *SECONDS, *PLAYERS):
        hall.run(name, "sign-in", name, "--password", "correct horse", "--register")
    yield hall
    hall.close()


def charter_in(hall: Hall) -> Path:
    """The charter of the guide, for an external game of four."""
    made = RUNNER.invoke(
        app,
        ["tournament", "charter", "Club day", "--rounds", "1", "--final", "0", "--title", "1824:3-4"],
    )
    assert made.exit_code == 0
    charter = json.loads(made.stdout)
    charter["titles"][0]["is_external"] = True
    charter["second_person_in"] = ["swiss"]
    path = hall.folder / "charter.json"
    path.write_text(json.dumps(charter), encoding="utf-8")
    return path


def exported_files_agree(hall: Hall, event: str, player: str, winner: str) -> None:
    """The exported tables lead to the exported standings, name the players, and a changed rank is found."""
    folder = hall.folder / "files"
    hall.local("export", event, folder)
    files = {path.name: path.read_text(encoding="utf-8") for path in (folder / "stage-0").iterdir()}
    assert recompute.recomputed(files) == recompute.given(files)
    assert f",{player}\n" in (folder / "names.csv").read_text(encoding="utf-8")
    exported = folder / f"{event}.json"
    assert winner in RUNNER.invoke(app, ["tournament", "check", str(exported)]).stdout
    exported.write_text(exported.read_text("utf-8").replace('"rank": 1', '"rank": 2', 1), encoding="utf-8")
    refused = RUNNER.invoke(app, ["tournament", "check", str(exported)])
    assert (refused.exit_code, "(STANDINGS_DIFFER)" in refused.stderr) == (2, True)


def calendar_before_publishing(hall: Hall, event: str, round_id: str) -> str:
    """The exported calendar, which has a round that will be published in an hour."""
    later = datetime.fromtimestamp(hall.club.clock.now_ms() / 1000 + 3_600, UTC)
    assert "not published before" in hall.run("Doris", "publish", round_id, "--at", later.isoformat())
    hall.local("export", event, hall.folder / "before")
    calendar = (hall.folder / "before" / f"{event}.ics").read_text(encoding="utf-8")
    assert f"UID:{round_id}@" in calendar
    return calendar


def reported(hall: Hall, event: str, round_id: str, worths: list[str]) -> None:
    """By the first of these players, who leaves nobody out; the last one is bankrupt."""
    name = worths[1].partition("=")[0]
    left_out = hall.run(name, "report", round_id, 1, *worths[2:], code=2)
    sentence = "A result has the worth of each player of the table; missing: "
    assert left_out.startswith(f"RESULT_MALFORMED: {sentence}{name}")
    hall.run(name, "report", round_id, 1, *worths)
    assert f"; bankrupt {worths[-1]} (nobody else has confirmed it)" in hall.run("", "show", event)


def substitutes_come_and_go(hall: Hall, event: str, round_id: str, player: str) -> None:
    """Two take the seat of a player, one after the other; neither record was right."""
    why = ("--reason", "called away")
    for name in SECONDS:
        account = hall.club.lobby.players.named(name)
        assert account is not None
        given = (round_id, 1, player, account.player_id)
        refused = hall.run("Doris", "substitute", *given, *why, code=2)
        assert refused.startswith(f"SUBSTITUTE_DID_NOT_OFFER: {name} has not entered this event, ")
        hall.run(name, "enter", event)
        assert f"{name} for {player}: called away" in hall.run("Doris", "substitute", *given, *why)
        turns = hall.run("Doris", "substitute", *given, *why, "--turns", "1/30")
        assert f"{name} for {player} (1 of 30 turns): called away" in turns
    assert "Silvia for" not in hall.run("Doris", "no-substitute", round_id, 1, player, "silvia", *why)
    assert "Tom for" not in hall.run("Doris", "no-substitute", round_id, 1, player, SECONDS[1], *why)


def event_with_entries(hall: Hall) -> str:
    """A tournament that all players have entered, each with the hours in which they play."""
    event = hall.run("Doris", "create", charter_in(hall)).split()[0]
    hall.run("Doris", "entries", event, "--open")
    for name in PLAYERS:
        hall.run(name, "enter", event, "--prefer", "1824", "--hours", "mon 18-20")
    entries = hall.club.lobby.tournaments.reader.tournament(event).entries.values()
    assert {each.hours for each in entries} == {(18, 19)}
    return event


def test_a_director_runs_a_tournament_from_the_command_line(hall: Hall) -> None:
    """From the charter to the files, with an absence, a penalty, an adjudication and an appeal."""
    event = event_with_entries(hall)
    hall.run("Doris", "post", event, "Lunch at noon")
    hall.run("Doris", "start", event)
    proposed = hall.run("Doris", "propose", event)
    round_id = proposed.split()[0]
    assert "cost forbidden 0, repeats 0" in proposed
    drawn = re.search(r"1\. 1824: (.*)", proposed)
    assert drawn is not None
    first, second, third, fourth = drawn[1].split(", ")
    turned = f"1824:{fourth},{third},{second},{first}"
    assert "OVERRIDE_WITHOUT_REASON" in hall.run("Doris", "override", round_id, "--table", turned, code=2)
    changed = hall.run("Doris", "override", round_id, "--table", turned, "--reason", "a lift home")
    assert "a lift home" in changed
    assert first not in calendar_before_publishing(hall, event, round_id)
    assert "not published" not in hall.run("Doris", "publish", round_id)
    hall.run("Doris", "no-show", round_id, 1, first, "--reason", "not at the table")
    worths = [
        part
        for number, name in enumerate((second, third, fourth, first), start=1)
        for part in ("--worth", f"{name}={number * 100}")
    ]
    worths += ["--bankrupt", first]
    reported(hall, event, round_id, worths)
    assert "RESULT_CHANGED" in hall.run(third, "confirm", round_id, 1, "--worth", f"{second}=5", code=2)
    assert "RESULT_CHANGED" in hall.run(third, "confirm", round_id, 1, *worths[:-2], code=2)
    hall.run("Doris", "no-show", round_id, 1, second, "--reason", "not at the table")
    assert f"{second} was missing" not in hall.run(
        "Doris", "was-there", round_id, 1, second, "--reason", "was late"
    )
    substitutes_come_and_go(hall, event, round_id, second)
    assert "(not verified here)" in hall.run(third, "confirm", round_id, 1, *worths)
    hall.run("Doris", "penalty", event, second, "0.5", "--reason", "late")
    awards = [part for name in PLAYERS for part in ("--award", f"{name}=2.5")]
    ruled = hall.run("Doris", "adjudicate", round_id, 1, "award", *awards, "--reason", "the hall closes")
    assert re.search(
        r"1: award by Doris, .* 2.5 points: the hall closes \(does not count until another", ruled
    )
    assert "ADJUDICATION_CHANGED" in hall.run("Doris", "confirm-adjudication", round_id, 1, 2, code=2)
    assert "NO_ADJUDICATION" in hall.run(second, "appeal", round_id, 1, 1, "we had finished", code=2)
    for name in SECONDS:
        hall.run("Doris", "role", event, name, "director")
    hall.run("Silvia", "confirm-adjudication", round_id, 1, 1)
    hall.run(second, "appeal", round_id, 1, 1, "we had finished")
    assert "SECOND_PERSON_NEEDED" in hall.run(
        "Doris", "decide-appeal", round_id, 1, 1, "--dismiss", "--reason", "no", code=2
    )
    assert f"appeal of {second} against adjudication 1: we had finished (not decided)" in hall.run(
        "", "show", event
    )
    hall.run("Tom", "decide-appeal", round_id, 1, 1, "--uphold", "--reason", "they had")
    assert "there is no game" in hall.run("Doris", "evidence", round_id, 1)
    hall.run("Doris", "finish", event)
    standings = hall.run("", "standings", event).splitlines()
    assert standings[0] == f"1. {fourth}: 5 points, 1 table", "the richest went bankrupt"
    assert standings[4:7:2] == [f"3. {second}: 1.5 points, 1 table", f"4. {first}: 0 points, 1 table"]
    shown = hall.run("", "show", event)
    assert "Lunch at noon" in shown
    assert f"Doris took 0.5 points of {second} in stage 0: late" in shown
    assert f"final ranking\n  1. {fourth}\n" in shown
    assert f"{first} was missing: not at the table" in shown
    assert event in hall.run("", "list")
    assert "Nobody is rated" in hall.run("", "leaderboard")
    checked = hall.local("check", event)
    assert checked.splitlines()[-1] == "pairings, results and standings follow from the streams"
    assert standings[0] in checked
    exported_files_agree(hall, event, first, standings[0])


def test_the_charter_is_amended_and_players_check_in(hall: Hall) -> None:
    """As the guide says: the charter is printed, changed, and shown with its reason; who checked in is listed."""
    assert hall.run("", "list") == "There is no tournament yet."
    event = hall.run("Doris", "create", charter_in(hall)).split()[0]
    hall.run("Doris", "entries", event, "--open")
    for name in PLAYERS:
        hall.run(name, "enter", event, "--prefer", "1824")
    charter = json.loads(hall.run("", "show", event, "--charter"))
    path = hall.folder / "amended.json"
    path.write_text(json.dumps({**charter, "has_check_in": True}), encoding="utf-8")
    hall.run("Doris", "amend", event, path, "--version", 1, "--reason", "a busy week")
    hall.run("Doris", "start", event)
    assert "Nobody has checked in for round 1" in hall.run("Doris", "propose", event, code=2)
    until = datetime.fromtimestamp(hall.club.clock.now_ms() / 1000, UTC) + timedelta(days=1)
    opened = hall.run("Doris", "open-check-in", event, 1, "--until", f"{until:%Y-%m-%dT%H:%MZ}")
    assert re.search(r"check-in for round 1 of stage 0 until \S+: 0 players", opened)
    assert re.search(r"check-in .*: 1 player$", hall.run("Ann", "check-in", event))
    players = hall.run("", "players", event).splitlines()
    assert re.fullmatch(r"Ann p\w+: takes part; checked in for round 1; prefers 1824", players[0])
    assert re.fullmatch(r"Bob p\w+: takes part; prefers 1824", players[1])
    hall.run("Doris", "amend", event, charter_in(hall), "--version", 2, "--reason", "quiet again")
    round_id = hall.run("Doris", "propose", event).split()[0]
    hall.run("Dan", "withdraw", event)
    assert "PLAYER_WITHDRAWN" in hall.run("Doris", "publish", round_id, code=2)
    assert "cannot be published, propose it again: Dan withdrew" in hall.run("Doris", "show", event)
    shown = hall.run("", "show", event)
    assert re.search(r"charter 2 of Doris, \S+: a busy week", shown)
    assert re.search(r"charter SHA-256 [0-9a-f]{64}", shown)


def test_what_cannot_be_done_is_named(hall: Hall) -> None:
    """A missing token, a player who has not entered, numbers and times that are none, an unknown tournament."""
    event = hall.run("Doris", "create", charter_in(hall)).split()[0]
    for command in ("start", "enter"):
        assert "sign-in NAME writes one" in hall.run("nobody", command, event, code=2)
    assert "NOT_DIRECTOR" in hall.run("Ann", "start", event, code=2)
    assert "Zoe has not entered" in hall.run("Doris", "admit", event, "Zoe", code=2)
    assert "has no zone" in hall.run(
        "Doris", "open-check-in", event, 1, "--until", "2026-11-23T19:00", code=2
    )
    assert "'soon' is not a time such as" in hall.run(
        "Doris", "open-check-in", event, 1, "--until", "soon", code=2
    )
    divisions = ("--division", "Ann,Bob,Cy")
    assert "'mon 9' is not a time" in hall.run("Ann", "enter", event, "--hours", "mon 9", code=2)
    assert "--points: 'x' is not a whole number" in hall.run(
        "Doris", "series", "create", "League", *divisions, "--points", "5,x", code=2
    )
    assert "'x' is not PLAYER=NUMBER" in hall.run("Ann", "report", f"{event}.0.1", 1, "--worth", "x", code=2)
    assert "NOT_FOUND" in hall.run("", "show", "nothing", code=2)
    assert "no such tournament" in hall.local("check", "nothing", code=2)


def test_seasons_from_the_command_line(hall: Hall) -> None:
    """A series with two divisions, its first season opened; a season that runs is not closed."""
    for name in ("Eva", "Fay"):
        hall.run(name, "sign-in", name, "--password", "correct horse", "--register")
    divisions = ("--division", "Ann,Bob,Cy", "--division", "Dan,Eva,Fay")
    created = hall.run(
        "Doris", "series", "create", "League", *divisions, "--size", 3, "--moving", 1, "--points", "5,3"
    )
    series = created.split()[0]
    assert "division 2: Dan (invited), Eva (invited), Fay (invited)" in created
    early = hall.run("Doris", "series", "open-season", series, charter_in(hall), code=2)
    assert early.startswith("MEMBERS_DID_NOT_AGREE: ") and "not yet: Ann, Bob, Cy." in early
    hall.run("Gil", "sign-in", "Gil", "--password", "correct horse", "--register")
    assert "Fay (invited), Gil (invited)" in hall.run(
        "Doris", "series", "members", series, "--newcomer", "Gil", "--leaving", "Dan", "--leaving", "Eva"
    )
    assert "NOT_INVITED" in hall.run("Dan", "series", "join", series, code=2)
    hall.run(
        "Doris", "series", "members", series, *("--newcomer", "Dan", "--newcomer", "Eva", "--leaving", "Gil")
    )
    for name in ("Ann", "Bob", "Cy", "Dan", "Eva", "Fay"):
        assert f"{name} (invited)" not in hall.run(name, "series", "join", series)
    assert "Fay (invited)" in hall.run("Fay", "series", "leave", series)
    hall.run("Fay", "series", "join", series)
    opened = hall.run("Doris", "series", "open-season", series, charter_in(hall))
    event = re.search(r"division 1, (\S+): Ann, Bob, Cy", opened)
    assert event is not None
    assert "3 players" in hall.run("", "show", event[1])
    hall.run("Doris", "start", event[1])
    assert "Divisions that are not over: 1, 2" in hall.run("Doris", "series", "close-season", series, code=2)
    hall.run("Eva", "series", "leave", series)
    shown = hall.run("", "series", "show", series)
    assert "season 1: running" in shown and "division 2: Fay, Dan, Eva (invited)" in shown
    assert "League: 1 seasons" in hall.run("", "series", "list")
    assert "follow from the streams" in hall.local("series", "check", series)
    hall.local("series", "export", series, hall.folder / "league")
    assert "follow from the standings" in hall.local(
        "series", "check", hall.folder / "league" / f"{series}.json"
    )
    assert "no such series" in hall.local("series", "check", "nothing", code=2)
