"""Games go to the archive, are read from it as before, and come back when a director takes one up again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from services.common.archive.errors import ArchiveUnavailable, DamagedObject, DeletedFromArchive
from services.common.archive.log import ArchivedEventLog
from services.common.archive.names import content_name
from services.common.archive.reading import ArchiveReader
from services.common.archive.store import Deletion
from services.common.eventlog.archived import BROUGHT_BACK, IN_ARCHIVE, Marker
from services.common.eventlog.port import Appended, Archived, NewRecord, Record
from services.common.eventlog.sqlite import Append, append_within, forget_streams_within
from services.rules.archive.policy import ArchivePolicy, Policy
from services.rules.kernel.commands import Pass
from services.rules.kernel.directing.commands import RollBack
from services.rules.kernel.values import Audience
from services.rules.requests import CommandAccepted, CommandRejected
from services.rules.sessions import UnknownGameError
from tests.rules.archive.conftest import ArchiveDesk


def without_positions(records: list[Record]) -> list[tuple[object, ...]]:
    """Records without what only their file knows."""
    return [
        (each.stream, each.sequence, each.type, each.schema_version, each.payload, each.recorded_time_ms)
        for each in records
    ]


def rows(desk: ArchiveDesk, game_id: str = "g") -> int:
    """How many records and requests the file itself has of a game."""
    query = "SELECT count(*) FROM {} JOIN stream USING (stream_id) WHERE name = ?"
    with desk.file.database.reader() as connection:
        return sum(
            connection.execute(query.format(table), (f"game/{game_id}",)).fetchone()[0]
            for table in ("record", "request")
        )


def failed(desk: ArchiveDesk) -> float:
    """How many games could not be archived or brought back."""
    return desk.registry.get_sample_value("signalbox_archive_games_total", {"result": "failed"}) or 0.0


def test_a_finished_game_leaves_the_file_and_is_read_as_before(archive_desk: ArchiveDesk) -> None:
    """State, past states, events, requests and repeats are those of before, byte for byte."""
    records = archive_desk.finish()
    before, requests = archive_desk.game(), archive_desk.file.requests("game/g")
    past = archive_desk.rules.reader.game_at("g", 7).game
    events = archive_desk.rules.reader.events("g")
    assert archive_desk.archive_all() == 1
    assert rows(archive_desk) == 0
    assert archive_desk.game() == before
    assert archive_desk.rules.reader.game_at("g", 7).game == past
    assert archive_desk.rules.reader.events("g") == events
    assert archive_desk.rules.reader.events("g", 4, 9) == events[4:9]
    log = archive_desk.archive.log
    assert without_positions(log.read("game/g")) == without_positions(records)
    assert sorted(log.requests("game/g"), key=str) == sorted(requests, key=str)
    assert log.outcome("game/g", "ann-5") is not None
    assert log.outcome("game/g", "nobody's") is None
    assert "game/g" in log.streams("game/")


def test_only_what_is_finished_long_ago_goes(archive_desk: ArchiveDesk) -> None:
    """A game in play stays whatever its age, and a finished one until its days are over."""
    archive_desk.finish()
    archive_desk.pass_days(1)
    assert archive_desk.archiver.run_once() == 0
    assert rows(archive_desk) > 0
    assert archive_desk.archive_all() == 1
    assert rows(archive_desk, "live-g") > 0
    assert [path.name for path in archive_desk.objects()] == [f"g.{archive_desk.game().sequence}"]


def test_a_game_that_somebody_needs_stays(archive_desk: ArchiveDesk) -> None:
    """As one that is held, or under appeal."""
    archive_desk.finish()
    archive_desk.rules.hold("g", "it differs")
    archive_desk.archive.keep_games_with(lambda _: True, archive_desk.rules.is_held)
    archive_desk.pass_days()
    assert archive_desk.archiver.run_once() == 0
    archive_desk.rules.release("g")
    assert archive_desk.archiver.run_once() == 1


def test_what_others_own_is_theirs_to_archive(archive_desk: ArchiveDesk) -> None:
    """A process that does not own a game learns what its owner did."""
    archive_desk.finish()
    archive_desk.archive.keep_games_with(lambda _: False, lambda _: False)
    assert archive_desk.archive_all() == 0
    assert archive_desk.objects() == []


def test_the_newest_record_of_a_file_stays(archive_desk: ArchiveDesk) -> None:
    """Positions go on from it; the next game lets the first one go."""
    archive_desk.finish()
    second = archive_desk.finish("h")
    archive_desk.file.database.write(
        lambda connection: connection.execute("DELETE FROM record WHERE position > ?", (second[-1].position,))
    )
    assert archive_desk.archive_all() == 1
    assert rows(archive_desk, "h") > 0
    archive_desk.begin("later")
    archive_desk.archiver.run_once()
    assert rows(archive_desk, "h") == 0
    assert archive_desk.file.last_position() > second[-1].position


def test_a_move_in_an_archived_game_is_refused_as_in_any_finished_one(archive_desk: ArchiveDesk) -> None:
    """And a repeat of an accepted request gets its first result."""
    archive_desk.finish()
    archive_desk.archive_all()
    refused = archive_desk.ask("ann", Pass(), "late")
    assert isinstance(refused, CommandRejected)
    assert refused.rejection.code == "game_finished"
    outcome = archive_desk.archive.log.outcome("game/g", "ann-5")
    assert outcome is not None
    assert rows(archive_desk) == 0


def test_a_director_takes_an_archived_game_up_again(archive_desk: ArchiveDesk) -> None:
    """Its records are in the file again, and it is played on; in time it is archived anew, as a whole."""
    records = archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.rules.before_roll_backs(archive_desk.archive.bring_back)
    archive_desk.archive.start()
    result = archive_desk.direct(RollBack(records[-3].sequence - 1))
    assert isinstance(result, CommandAccepted), result
    archive_desk.archive.close()
    assert not archive_desk.game().finished
    assert without_positions(archive_desk.file.read("game/g"))[: len(records)] == without_positions(records)
    archive_desk.forget()
    archive_desk.do("bob", Pass())
    assert archive_desk.store.is_live("g", records[-1].sequence)
    assert archive_desk.archive_all() == 0
    assert archive_desk.rules.reader.last_sequence("g") > records[-1].sequence


def test_a_game_brought_back_for_nothing_returns_to_the_archive(archive_desk: ArchiveDesk) -> None:
    """The object that is there serves again."""
    archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.archiver.want("g")
    archive_desk.archiver.bring_back()
    assert rows(archive_desk) > 0
    archive_desk.begin("later")
    assert archive_desk.archiver.run_once() == 0, "it is left for an hour"
    archive_desk.restart()
    assert archive_desk.archiver.run_once() == 1
    assert rows(archive_desk) == 0
    assert len(archive_desk.objects()) == 1
    assert not archive_desk.store.is_live("g", archive_desk.game().sequence)


def test_a_file_with_the_same_games_learns_what_is_in_the_archive(tmp_path: Path) -> None:
    """As every replica does, whether it has the whole game, a part of it or nothing yet."""
    desk, other = ArchiveDesk(tmp_path), ArchiveDesk(tmp_path, "other.db")
    try:
        records = desk.finish()
        other.finish()
        desk.archive_all()
        other.clock.advance(desk.clock.now_ms() - other.clock.now_ms())
        assert other.archiver.learn() == 1
        assert other.archiver.learn() == 0
        other.forget()
        assert rows(other) == 0
        assert without_positions(other.archive.log.read("game/g")) == without_positions(records)
    finally:
        desk.close()
        other.close()


def test_two_owners_archive_the_same_game(tmp_path: Path) -> None:
    """The same object, or one of another day: each reads back what it wrote."""
    desk, other = ArchiveDesk(tmp_path), ArchiveDesk(tmp_path, "other.db")
    try:
        desk.finish()
        other.finish()
        for each in (desk, other):
            each.pass_days()
        both = [(each.archiver, each.archiver._due) for each in (desk, other)]
        now_ms = desk.clock.now_ms()
        found = [(by, [game for last in due.old(now_ms) if (game := due.due(last))]) for by, due in both]
        assert [by._archive(game) for by, (game,) in found] == [True, True]
        assert len(desk.objects()) == 1
    finally:
        desk.close()
        other.close()


def test_a_log_read_on_keeps_nothing_that_is_in_the_archive(archive_desk: ArchiveDesk) -> None:
    """A marker before the records, or in the middle of them: those up to it are passed over, later ones are kept."""
    records = archive_desk.finish()
    last = records[-1].sequence
    archive_desk.archive.log.archived.learn([Marker("game/h", last, "games/20260101/h.9", IN_ARCHIVE)])

    def append(expected: int, count: int) -> object:
        facts = [NewRecord("x", 1, b"")] * count
        wanted = Append("game/h", expected, facts, None, 1)
        return archive_desk.file.database.write(lambda connection: append_within(connection, [wanted]))[0]

    assert append(0, 3) == Archived(last)
    assert append(3, last - 3) == Archived(last)
    assert append(last, 2) == Appended(last + 1, last + 2)
    assert [each.sequence for each in archive_desk.file.read("game/h")] == [last + 1, last + 2]


def test_a_deleted_game_is_gone_for_good(archive_desk: ArchiveDesk) -> None:
    """Readers get that answer, at once by an object that is missing, later by what is known."""
    archive_desk.finish()
    archive_desk.archive_all()
    sequence = archive_desk.game().sequence
    archive_desk.forget()
    archive_desk.restart()
    deletion = Deletion("g", "tiny", "olga", "too old", archive_desk.clock.now_ms())
    archive_desk.store.note_deleted(deletion, sequence, is_hidden=False)
    for path in archive_desk.objects():
        path.unlink()
    with pytest.raises(DeletedFromArchive):
        archive_desk.game()
    archive_desk.archiver.learn()
    with pytest.raises(DeletedFromArchive):
        archive_desk.game()
    archive_desk.archiver.want("g")
    archive_desk.archiver.bring_back()
    assert rows(archive_desk) == 0


def test_of_a_deleted_game_that_few_could_see_nobody_learns(archive_desk: ArchiveDesk) -> None:
    """It is answered as one that never was."""
    archive_desk.finish(audience=Audience(is_invited=True))
    archive_desk.archive_all()
    sequence = archive_desk.game().sequence
    deletion = Deletion("g", "tiny", "olga", "too old", archive_desk.clock.now_ms())
    archive_desk.store.note_deleted(deletion, sequence, is_hidden=True)
    archive_desk.archiver.learn()
    archive_desk.forget()
    with pytest.raises(UnknownGameError):
        archive_desk.game()


def test_a_game_that_went_on_outlives_a_deletion(archive_desk: ArchiveDesk) -> None:
    """A policy is about what is finished."""
    records = archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.archiver.want("g")
    archive_desk.archiver.bring_back()
    archive_desk.forget()
    assert isinstance(archive_desk.direct(RollBack(records[-3].sequence - 1)), CommandAccepted)
    deletion = Deletion("g", "tiny", "olga", "too old", archive_desk.clock.now_ms())
    archive_desk.store.note_deleted(deletion, records[-1].sequence, is_hidden=False)
    archive_desk.archiver.learn()
    archive_desk.forget()
    assert not archive_desk.game().finished


def damaged(desk: ArchiveDesk, content: bytes) -> None:
    """Another content for the one object."""
    (path,) = desk.objects()
    path.write_bytes(content)


@pytest.mark.parametrize("harm", ["cut off", "changed", "empty", "of another game", "missing"])
def test_a_damaged_object_is_named_and_nothing_else_suffers(archive_desk: ArchiveDesk, harm: str) -> None:
    """No part of it is shown."""
    archive_desk.finish()
    archive_desk.finish("other")
    assert archive_desk.archive_all() == 2
    path, another = archive_desk.objects()
    content = path.read_bytes()
    changed = content[:-30] + bytes([content[-30] ^ 1]) + content[-29:]
    contents = {
        "cut off": content[:-7],
        "changed": changed,
        "empty": b"",
        "of another game": another.read_bytes(),
    }
    if harm in contents:
        path.write_bytes(contents[harm])
    else:
        path.unlink()
    with pytest.raises(DamagedObject, match=path.name):
        archive_desk.game()
    assert archive_desk.game("other").finished
    assert not archive_desk.game("live-g").finished
    assert archive_desk.registry.get_sample_value("signalbox_archive_reads_total", {"result": "damaged"}) == 1


def test_an_object_that_differs_from_what_was_written_keeps_the_game_here(archive_desk: ArchiveDesk) -> None:
    """Nothing is dropped that was not read back."""
    archive_desk.finish()
    archive_desk.pass_days()
    name = content_name("g", archive_desk.game().sequence)
    path = archive_desk.folder / "archive" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    assert archive_desk.archiver.run_once() == 0
    assert rows(archive_desk) > 0
    assert failed(archive_desk) == 1


def test_without_its_setting_an_archived_game_cannot_be_read(archive_desk: ArchiveDesk) -> None:
    """The sentence names the setting."""
    archive_desk.finish()
    archive_desk.archive_all()
    with pytest.raises(ArchiveUnavailable, match="SIGNALBOX_ARCHIVE"):
        ArchivedEventLog(archive_desk.file).read("game/g")


def test_the_state_of_a_brought_back_game_is_kept_by_its_row(archive_desk: ArchiveDesk) -> None:
    """A listing that names it once more changes nothing."""
    archive_desk.finish()
    archive_desk.archive_all()
    archive_desk.archiver.want("g")
    archive_desk.archiver.bring_back()
    archive_desk.archiver.learn()
    marker = archive_desk.archive.log.archived.find("game/g")
    assert marker is not None
    assert marker.state == BROUGHT_BACK


def test_a_partition_that_is_dropped_leaves_what_is_in_the_archive_known(archive_desk: ArchiveDesk) -> None:
    """Should it come back, nothing in the archive is copied again; a game that was brought back is in the archive again."""
    last = archive_desk.finish()[-1].sequence
    archive_desk.finish("h")
    archive_desk.archive_all()
    archive_desk.archiver.want("h")
    archive_desk.archiver.bring_back()
    database = archive_desk.file.database
    with database.reader() as connection:
        streams = connection.execute("SELECT stream_id, name FROM stream").fetchall()
    database.write(lambda connection: forget_streams_within(connection, streams))
    assert archive_desk.archive.log.archived.away() == ["game/g", "game/h"]
    assert archive_desk.file.streams("game/live") == []
    archive_desk.forget()
    assert archive_desk.rules.reader.last_sequence("g") == last
    assert archive_desk.rules.reader.last_sequence("h") == last


def test_a_game_is_deleted_while_it_is_read(archive_desk: ArchiveDesk) -> None:
    """Each reader gets all of it, or that it was deleted; never a part."""
    archive_desk.finish()
    archive_desk.archive_all()
    sequence = archive_desk.game().sequence
    wrong: list[object] = []
    is_over = threading.Event()

    def read_on() -> None:
        while not is_over.is_set():
            reader = ArchiveReader(archive_desk.store, CollectorRegistry(), archive_desk.clock)
            try:
                found = ArchivedEventLog(archive_desk.file, reader).read("game/g")
                if len(found) != sequence:
                    wrong.append(len(found))
            except DeletedFromArchive:
                pass
            except Exception as problem:
                wrong.append(problem)
            reader.close()

    readers = [threading.Thread(target=read_on) for _ in range(4)]
    for each in readers:
        each.start()
    policy = ArchivePolicy(archive_desk.store, clock=archive_desk.clock)
    ((game, heading),) = policy.chosen(Policy(("g",)))
    assert policy.delete(game, heading, "olga", "too old")
    archive_desk.archiver.learn()
    is_over.set()
    for each in readers:
        each.join(10)
    assert wrong == []
