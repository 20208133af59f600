"""The command `board`."""

from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner, Result

from services.cli.board import register
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import open_sqlite
from services.rules.adapters.codec import encode_event
from services.rules.history import stream_of
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.decide import Accepted, create, decide
from services.rules.titles import TITLES
from tests.recorded.documents import document

PASSED = {"type": "pass", "entity": 13, "entity_type": "player", "id": 1}


def drawn(*arguments: str | int | Path) -> Result:
    """The outcome of `signalbox board` with these arguments."""
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app, TITLES)
    return CliRunner().invoke(app, ["board", *map(str, arguments)])


@pytest.fixture
def recorded_file(tmp_path: Path) -> Path:
    """A recorded game of one action."""
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(document(PASSED)))
    return file


CREATION = create(TITLES["1824"], CreateGame("1824", ("ann", "bob", "cleo")))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """An event log with the game `g1`: created, and passed by its first player."""
    path = tmp_path / "signalbox.db"
    title = TITLES["1824"]
    assert isinstance(CREATION, Accepted)
    data = title.data_of(CREATION.game)
    passed = decide(title, data, CREATION.game, "cleo", Pass())
    assert isinstance(passed, Accepted)
    events = map(encode_event, (*CREATION.events, *passed.events))
    log, _ = open_sqlite(path)
    log.append(stream_of("g1"), 0, [NewRecord(*event) for event in events])
    log.close()
    return path


def test_a_recorded_game_is_drawn(recorded_file: Path, tmp_path: Path) -> None:
    """A file is played to its end, or to the action named, and drawn."""
    end, start = tmp_path / "end.svg", tmp_path / "start.svg"
    assert drawn(recorded_file, "-o", end).exit_code == 0
    assert drawn(recorded_file, "--at", 0, "-o", start).exit_code == 0
    assert "turn of 13" in start.read_text(encoding="utf-8")
    assert "turn of 12" in end.read_text(encoding="utf-8")


def test_a_game_of_the_log_is_drawn(database: Path, tmp_path: Path) -> None:
    """A game id is looked up in the event log, at the event named."""
    assert isinstance(CREATION, Accepted)
    output = tmp_path / "board.svg"
    created = CREATION.game.sequence
    assert drawn("g1", "--database", database, "-o", output).exit_code == 0
    assert "turn of bob" in output.read_text(encoding="utf-8")
    assert drawn("g1", "--at", created, "--database", database, "-o", output).exit_code == 0
    assert (
        f"turn of cleo: initial stock turn. 103 hexes, 0 tiles and 0 tokens laid; after event {created}."
        in (output.read_text(encoding="utf-8"))
    )


def test_beyond_the_end_nothing_is_drawn(recorded_file: Path, database: Path, tmp_path: Path) -> None:
    """An action or event the game never reached gives exit code 1."""
    output = tmp_path / "board.svg"
    result = drawn(recorded_file, "--at", 2, "-o", output)
    assert (result.exit_code, "has 1 actions, not 2" in result.output) == (1, True)
    assert drawn("g1", "--at", 20, "--database", database, "-o", output).exit_code == 1
    assert drawn("g1", "--at", 5000, "--database", database, "-o", output).exit_code == 1
    assert not output.exists()


def test_a_rejected_action_is_shown(tmp_path: Path) -> None:
    """A recorded action that the rules refuse ends with exit code 1 and its place and reason."""
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(document(PASSED | {"entity": 11})))
    result = drawn(file, "-o", tmp_path / "board.svg")
    assert (result.exit_code, "action 1 rejected" in result.output) == (1, True)


def test_no_such_game(recorded_file: Path, database: Path, tmp_path: Path) -> None:
    """A missing file, log or game, a file that is no game and an unknown company give exit code 2."""
    output = tmp_path / "board.svg"
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    assert drawn(tmp_path / "missing.json").exit_code == 2
    assert drawn("g1", "--database", tmp_path / "missing.db", "-o", output).exit_code == 2
    assert drawn("g2", "--database", database, "-o", output).exit_code == 2
    assert drawn(broken, "-o", output).exit_code == 2
    assert drawn(recorded_file, "--runs", "SD,QQ", "-o", output).exit_code == 2
    assert not output.exists()


def test_runs_can_be_chosen(recorded_file: Path, tmp_path: Path) -> None:
    """Runs of some companies only, or of none, may be asked for."""
    output = tmp_path / "board.svg"
    assert drawn(recorded_file, "--runs", "none", "-o", output).exit_code == 0
    assert drawn(recorded_file, "--runs", "SD, BK", "-o", output).exit_code == 0


def test_best_runs_are_solved_and_drawn(shared: Path, tmp_path: Path) -> None:
    """`best` draws a proven run of every company with trains, `best:` with symbols only theirs."""
    game = shared / "fixtures/18xx.games/1824/p3-s201.json.gz"
    every, one = tmp_path / "every.svg", tmp_path / "one.svg"
    assert drawn(game, "--at", 300, "--runs", "best", "-o", every).exit_code == 0
    assert drawn(game, "--at", 300, "--runs", "best: UG2", "-o", one).exit_code == 0
    words = [path.read_text(encoding="utf-8") for path in (every, one)]
    assert all("Best runs on this map" in each and ">proven<" in each for each in words)
    assert [each.count('class="route"') for each in words] == [8, 1]


def test_a_recorded_game_of_another_title_is_drawn_with_best_runs(shared: Path, tmp_path: Path) -> None:
    """1862: trains go by what they run as, and the best runs are proven."""
    game, output = shared / "fixtures/18xx.games/1862/46925.json.gz", tmp_path / "board.svg"
    assert drawn(game, "--runs", "best", "-o", output).exit_code == 0
    words = output.read_text(encoding="utf-8")
    assert ">proven<" in words and "not proven" not in words
    assert ">4/5E<" in words and words.count('class="route"') >= 8


def test_best_runs_of_nobody(recorded_file: Path, tmp_path: Path) -> None:
    """Without trains there is nothing to solve; unknown companies end with exit code 2."""
    output = tmp_path / "board.svg"
    assert drawn(recorded_file, "--runs", "best:QQ", "-o", output).exit_code == 2
    assert drawn(recorded_file, "--runs", "best:", "-o", output).exit_code == 0
    assert drawn(recorded_file, "--runs", "bestest", "-o", output).exit_code == 2
