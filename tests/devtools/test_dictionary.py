"""The games from which a dictionary is made, and what it is made of."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from devtools.dictionary import __main__ as command
from devtools.dictionary.measuring import measured
from devtools.dictionary.records import MadeRecord, RecordedGame
from devtools.dictionary.selecting import dictionary_of
from services.common.kafka.commits import read_commit
from services.common.kafka.packing import packed
from services.common.kafka.topics import COMMANDS, EVENTS, GAME_STATUSES, LOBBY_SUMMARIES
from services.common.kafka.unpacking import unpacked

BYTES_A_COMMAND_MAX = 600


@pytest.fixture(scope="module")
def records() -> list[MadeRecord]:
    """Of the first commands of a game, the one that the measurement takes."""
    return list(RecordedGame(command.TITLE, command.PLAYERS, command.SEED).records(40))


def test_a_game_leaves_what_services_write(records: list[MadeRecord]) -> None:
    """A commit and a status for each command, and the summaries that say something new; the same each time."""
    counts = Counter(each.topic for each in records)
    assert counts[COMMANDS.name] == counts[EVENTS.name] == counts[GAME_STATUSES.name] == 40
    assert 0 < counts[LOBBY_SUMMARIES.name] <= 40
    commits = [read_commit(each.value, each.key) for each in records if each.topic == EVENTS.name]
    assert all(
        after.first_sequence == before.first_sequence + len(before.facts)
        for before, after in pairwise(commits)
    )
    assert list(RecordedGame(command.TITLE, command.PLAYERS, command.SEED).records(40)) == records


def test_values_of_a_game_become_far_smaller(records: list[MadeRecord]) -> None:
    """Each comes out as it went in. What they take with the dictionary of this version is what volumes are sized by."""
    assert [unpacked(packed(each.value, each.key), each.key) for each in records] == [
        each.value for each in records
    ]
    found = measured(records, {"plain": lambda value, _: value, "packed": packed})
    plain, small = (sum(each.bytes[name] for each in found.values()) for name in ("plain, gzip", "packed"))
    assert small < BYTES_A_COMMAND_MAX
    assert small < 0.65 * plain


def test_a_dictionary_has_what_several_games_have() -> None:
    """What one game alone has, such as its ids, would help no other one."""
    games = [[f"cash moved from the bank to {name * 20}".encode()] * 30 for name in "abc"]
    found = dictionary_of(games, 200, 24)
    assert b"from the bank to" in found
    assert not any((name * 10).encode() in found for name in "abc")
    assert len(found) <= 200


def test_a_dictionary_is_made_in_one_order_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the order of sets fixed, another run would make another one."""
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    monkeypatch.setattr("sys.argv", ["dictionary", "--make", "never written"])
    with pytest.raises(SystemExit):
        command.main()
    assert "PYTHONHASHSEED=0" in capsys.readouterr().err
