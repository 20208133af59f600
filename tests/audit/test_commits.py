"""Which commits count, and which are findings."""

from __future__ import annotations

from services.audit.commits import Counted, RecordPosition, StoredRecord, count_commits, partition_for
from services.gen.signalbox.log.v1 import log_pb2 as pb

PARTITIONS = 3
GAME = "g1"
HOME = partition_for(GAME.encode(), PARTITIONS)


def commit(first: int, request_id: str = "", facts: int = 2, stream: str = f"game/{GAME}") -> pb.Commit:
    """A commit of so many facts."""
    message = pb.Commit(stream=stream, first_sequence=first, facts=[pb.Fact(type="x")] * facts)
    if request_id:
        message.request.request_id = request_id
    return message


def counted(
    *values: pb.Commit | bytes, has_one_writer: bool = True, partition: int = HOME, key: str = GAME
) -> Counted:
    """Fold these values, one record after another."""
    records = [
        StoredRecord(
            RecordPosition("rules.events", partition, offset),
            key.encode(),
            value if isinstance(value, bytes) else value.SerializeToString(),
        )
        for offset, value in enumerate(values)
    ]
    return count_commits(records, PARTITIONS, has_one_writer)


def found(result: Counted) -> list[tuple[str, str, int]]:
    """Kind, stream and sequence of all findings."""
    return [(each.kind, each.stream, each.sequence) for each in result.findings]


def test_commits_that_follow_each_other_count() -> None:
    """Sequences without gap, requests all different: nothing is found."""
    result = counted(commit(1, "a"), commit(3, "b"), commit(5), commit(7))
    assert (found(result), result.commits) == ([], 4)
    assert result.streams["game/g1"].last == 8


def test_a_gap_is_found_and_passed_over() -> None:
    """A commit that leaves a gap does not count, and neither does what builds on it."""
    result = counted(commit(1), commit(4), commit(6))
    assert found(result) == [("sequence", GAME, 4), ("sequence", GAME, 6)]
    assert result.streams["game/g1"].last == 2


def test_a_commit_that_lost_the_race_is_an_alarm_where_there_is_one_writer() -> None:
    """The second commit at the same place does not count: a finding for a game, as it should be in the lobby."""
    pair = commit(1, "a"), commit(1, "b")
    assert found(counted(*pair)) == [("lost_commit", GAME, 1)]
    lobby = [commit(1, name, stream="lobby.table.t1") for name in "ab"]
    home = partition_for(b"t1", PARTITIONS)
    result = counted(*lobby, has_one_writer=False, partition=home, key="t1")
    assert (found(result), result.lost_races, result.commits) == ([], 1, 1)


def test_a_request_counts_once() -> None:
    """The same request id further on does not count."""
    result = counted(commit(1, "a"), commit(3, "a"))
    assert (found(result), result.commits) == ([("lost_commit", GAME, 3)], 1)


def test_records_in_the_wrong_place_are_found() -> None:
    """A record in another partition than its key's, and one under another key."""
    elsewhere = counted(commit(1), partition=(HOME + 1) % PARTITIONS)
    assert found(elsewhere) == [("misplaced", GAME, 1)]
    assert found(counted(commit(1), key="g2")) == [("misplaced", GAME, 1)]


def test_what_is_no_commit_is_found() -> None:
    """Bytes that are no message, an empty value, a commit without facts, and what cannot be unpacked, which is named."""
    result = counted(b"\xff", b"", commit(1, facts=0), b"\x0f", b"\x17 of a version to come")
    assert found(result) == [("unreadable", GAME, 0)] * 5
    assert result.findings[3].text.endswith("packed, and cut off")
    assert result.findings[4].text.endswith("written by a newer version, this one knows up to 1")


def test_the_partition_of_a_key_is_what_it_always_was() -> None:
    """The arithmetic is that of zlib's crc32, for the figures 0 to 9 and an empty key."""
    assert partition_for(b"123456789", 2**32) == 0xCBF43926
    assert partition_for(b"", 12) == 0
