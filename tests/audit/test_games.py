"""The check of one game finds everything that contradicts its events."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from services.audit.cases import GameCase, StoredBook, StoredFact, StoredHold, StoredRequest, StoredSnapshot
from services.audit.games import check_game
from services.audit.sqlite_check import BookFile, check_sqlite
from services.common.eventlog.port import LogFileError
from services.common.eventlog.sqlite import open_sqlite
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.lobby.v1 import game_summary_pb2
from services.gen.signalbox.lobby.v1.game_status_pb2 import GameStatus
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.domain.journal import Entry, Transfer
from services.rules.adapters.codec import decode_event
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, encode_snapshot
from services.rules.kernel.fold import replay
from services.rules.status import balances_of, shortened, status_of
from services.rules.titles import TITLES
from tests.audit.platform import make_platform

GAME = "g1"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A platform in a file."""
    path = tmp_path_factory.mktemp("platform") / "signalbox.db"
    make_platform(path, games=2)
    return path


@pytest.fixture(scope="module")
def case(file: Path) -> GameCase:
    """Everything stored about one correct game."""
    log, _ = open_sqlite(file)
    records, requests = log.read(f"game/{GAME}"), log.requests(f"game/{GAME}")
    log.close()
    game = replay([decode_event(record.type, record.schema_version, record.payload) for record in records])
    with closing(BookFile(file)) as books:
        book = books.of_game(GAME)
    return GameCase(
        game_id=GAME,
        facts=[
            StoredFact(each.type, each.schema_version, each.payload, each.recorded_time_ms)
            for each in records
        ],
        requests=[StoredRequest(each.request_id, each.player, each.outcome) for each in requests],
        snapshots=[StoredSnapshot(game.sequence, SNAPSHOT_SCHEMA, encode_snapshot(game))],
        status=status(
            records[-1].recorded_time_ms, [(each.type, each.schema_version, each.payload) for each in records]
        ),
        has_statuses=True,
        book=book,
    )


def status(time_ms: int, facts: list[tuple[str, int, bytes]]) -> bytes:
    """The status that an owner writes after these events."""
    game = replay([decode_event(*fact) for fact in facts])
    title = TITLES[game.title]
    data = title.data_of(game)
    return status_of(GAME, title, data, game, time_ms).SerializeToString()


def kinds(case: GameCase) -> set[str]:
    """Kinds of what is found; every finding names the game."""
    checked = check_game(case)
    assert all(finding.stream == GAME for finding in checked.findings)
    return {finding.kind for finding in checked.findings}


def test_nothing_is_found_in_a_sound_game(case: GameCase) -> None:
    """Events, snapshot, status, stored book and requests say the same."""
    checked = check_game(case)
    assert checked.findings == []
    assert (checked.title, checked.counts.events) == ("1824", len(case.facts))


def test_events_that_cannot_be_read_or_folded_are_found(case: GameCase) -> None:
    """An unknown name, damaged bytes, another schema version, and an event that does not fit the state."""
    first, *others = case.facts
    for wrong in (
        replace(first, type="moon_landed"),
        replace(first, payload=b"\xff"),
        replace(first, schema_version=99),
    ):
        assert "undecodable" in kinds(replace(case, facts=[wrong, *others]))
    assert "fold" in kinds(replace(case, facts=others))


def changed_digest(said: pb.GameStatus) -> None:
    """Stands for other balances."""
    said.balances_digest = b"another"


def changed_sequence(said: pb.GameStatus) -> None:
    """Is one event behind."""
    said.sequence -= 1


def changed_actor(said: pb.GameStatus) -> None:
    """Lets another player act."""
    said.actor = "nobody"


@pytest.mark.parametrize("change", [changed_digest, changed_sequence, changed_actor])
def test_a_status_that_differs_is_found(case: GameCase, change: Callable[[pb.GameStatus], None]) -> None:
    """Balances, sequence, whose turn it is."""
    assert case.status is not None
    said = pb.GameStatus.FromString(case.status)
    change(said)
    assert kinds(replace(case, status=said.SerializeToString())) == {"status"}


def test_a_status_is_read_as_any_version_wrote_it(case: GameCase) -> None:
    """In short, with a seat in place of each player; and with names and the whole digest. One with another seat is found."""
    assert case.status is not None
    status = pb.GameStatus.FromString(case.status)
    short = shortened(status)
    game = replay([decode_event(each.type, each.schema_version, each.payload) for each in case.facts])
    title = TITLES[game.title]
    former = pb.GameStatus.FromString(case.status)
    former.schema_version = 2
    former.balances_digest = balances_of(title.data_of(game), game).digest()
    for said in (short, former):
        assert kinds(replace(case, status=said.SerializeToString())) == set()
    for seat in (short.acting_seats[0] + 1, len(status.players)):
        short.acting_seats[0] = seat
        assert kinds(replace(case, status=short.SerializeToString())) == {"status"}


def test_a_missing_status_is_found_where_there_must_be_one(case: GameCase) -> None:
    """On Kafka every game has a status, in a file none has."""
    assert kinds(replace(case, status=None)) == {"status"}
    assert kinds(replace(case, status=b"\xff")) == {"status"}
    assert kinds(replace(case, status=None, has_statuses=False)) == set()


def test_a_snapshot_that_differs_is_found(case: GameCase) -> None:
    """Damaged, of another state, or beyond the last event; one of another schema says nothing."""
    kept = case.snapshots[0]
    richer = replay([decode_event(fact.type, fact.schema_version, fact.payload) for fact in case.facts])
    richer.cash["ann"] += 1
    for wrong in (
        replace(kept, payload=kept.payload[:-1]),
        replace(kept, payload=encode_snapshot(richer)),
        replace(kept, sequence=kept.sequence + 1),
    ):
        assert kinds(replace(case, snapshots=[wrong])) == {"snapshot"}
    assert kinds(replace(case, snapshots=[replace(kept, schema=1, payload=b"")])) == set()


def test_a_stored_book_that_differs_is_found(case: GameCase) -> None:
    """An amount that is not what the events say; a book that is only behind is sound."""
    assert case.book is not None
    entries = [
        entry for batch in case.book.batches for entry in msgspec.msgpack.decode(batch, type=list[Entry])
    ]
    place = next(index for index, entry in enumerate(entries) if isinstance(entry, Transfer))
    transfer = entries[place]
    assert isinstance(transfer, Transfer)
    forged = [*entries[:place], replace(transfer, amount=transfer.amount + 1), *entries[place + 1 :]]
    book = StoredBook(case.book.sequence, 1, (msgspec.msgpack.encode(forged),))
    assert kinds(replace(case, book=book)) == {"books"}
    behind = [entry for entry in entries if entry.sequence <= 20]
    assert kinds(replace(case, book=StoredBook(20, 1, (msgspec.msgpack.encode(behind),)))) == set()


def test_money_from_nowhere_is_found_in_the_books(case: GameCase) -> None:
    """Where the events themselves do not add up, the rebuilt books show it."""
    place, fact = next(
        (place, fact) for place, fact in enumerate(case.facts) if fact.type == "certificates_moved"
    )
    event = events_pb2.CertificatesMoved.FromString(fact.payload)
    event.shares += 1
    facts = [*case.facts]
    facts[place] = replace(fact, payload=event.SerializeToString())
    assert "books" in kinds(replace(case, facts=facts, status=None, has_statuses=False, snapshots=[]))


def test_a_hold_needs_a_reason(case: GameCase) -> None:
    """A game held although its books are sound is found; one held for a difference is not."""
    hold = StoredHold("difference", "ann has too much", 5)
    assert kinds(replace(case, hold=hold)) == {"hold"}
    assert "hold" not in kinds(replace(case, hold=hold, facts=case.facts[1:]))


def test_requests_stand_once_and_where_they_say(case: GameCase) -> None:
    """A request that is there twice, and an outcome that names other events than its commit has."""
    one = case.requests[0]
    assert kinds(replace(case, requests=[*case.requests, one])) == {"request"}
    beyond = replace(one, outcome=msgspec.msgpack.encode((1, len(case.facts) + 1)))
    assert kinds(replace(case, requests=[beyond])) == {"outcome"}
    elsewhere = replace(one, outcome=msgspec.msgpack.encode((1, 2)), first=1, last=3)
    assert kinds(replace(case, requests=[elsewhere])) == {"outcome"}


def test_a_summary_that_differs_is_found(case: GameCase) -> None:
    """A summary of the game's last event must show it as it is; one that is behind is rebuilt anyway."""
    summary = game_summary_pb2.GameSummary(
        status=GameStatus(game_id=GAME, sequence=len(case.facts), title="1862")
    )
    assert kinds(replace(case, summary=summary.SerializeToString())) == {"projection"}
    summary.status.sequence -= 1
    assert kinds(replace(case, summary=summary.SerializeToString())) == set()


def test_a_file_is_checked_by_several_processes(file: Path) -> None:
    """Every game of the file is looked at, and what was changed behind the log's back is found."""
    assert check_sqlite(file, processes=2).titles["1824"].games == 2
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE ledger_books SET last_sequence = last_sequence + 999 WHERE game_id = 'g2'")
        connection.execute(
            "DELETE FROM record WHERE sequence = 7 AND stream_id = (SELECT stream_id FROM stream WHERE name = 'game/g1')"
        )
    findings = check_sqlite(file).findings
    assert ("sequence", "g1", 8) in [(each.kind, each.stream, each.sequence) for each in findings]
    assert ("books", "g2") in [(each.kind, each.stream) for each in findings]


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    """A missing file, a text and a database of something else."""
    text, database = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("no database at all, only words" * 100)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE thing (name TEXT)")
    for path in (tmp_path / "none.db", text, database):
        with pytest.raises(LogFileError, match=path.name):
            check_sqlite(path)
