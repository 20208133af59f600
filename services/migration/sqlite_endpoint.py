"""An SQLite file of the embedded host as source or target of a migration, locked while it is open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from services.common.eventlog.claim import FileClaim, FileInUse
from services.common.eventlog.port import Appended, LogFileError, NewRecord, Record, RequestRecord
from services.common.eventlog.sqlite import SEQUENCE_MAX, Append, append_within
from services.common.eventlog.sqlite_database import SqliteDatabase
from services.common.staff.acts import act_in, record_of
from services.common.staff.stream import STAFF_STREAM
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.adapters.sqlite import SqliteBookStore
from services.ledger.ports import Hold
from services.lobby.adapters.sqlite_summaries import SqliteSummaries, put_summary_within
from services.lobby.summary_codec import decode_summary
from services.migration.appends import commits_of, is_game
from services.migration.errors import InUse, MigrationFailed

BUSY_SECONDS = 1.0
# Staff acts have a topic of their own on Kafka, and are no stream there.
LAST_OF_STREAMS = """SELECT name, (SELECT max(sequence) FROM record WHERE record.stream_id = stream.stream_id)
    FROM stream WHERE name != ?"""
RECORDS = """SELECT frame FROM record WHERE stream_id = (SELECT stream_id FROM stream WHERE name = ?)
    AND sequence > ? AND sequence <= ? ORDER BY sequence"""
REQUESTS = """SELECT request_id, player, content_hash, outcome FROM request
    WHERE stream_id = (SELECT stream_id FROM stream WHERE name = :stream)
    AND (:request_id IS NULL OR request_id = :request_id)"""
REQUESTS_OF_STREAMS = "SELECT name, count(*) FROM stream JOIN request USING (stream_id) GROUP BY name"

_decode = msgspec.msgpack.Decoder(Record).decode


class SqliteEndpoint:
    """The file; no other process can open it meanwhile."""

    def __init__(self, path: Path, *, must_exist: bool) -> None:
        """Raises `LogFileError` for a missing file with `must_exist` or one that is no event log, `InUse`, and `MigrationFailed`
        for one whose games are partly in an archive."""
        if must_exist and not path.is_file():
            raise LogFileError(f"{path}: there is no such file")
        self.path = path
        with ExitStack() as opening:
            try:
                opening.callback(FileClaim(path).close)
            except FileInUse as used:
                raise InUse(str(used)) from used
            SqliteDatabase(path).close()
            SqliteBookStore(path).close()
            SqliteSummaries(path).close()
            self._lock = _locked(path)
            opening.callback(self._lock.close)
            _check_whole(path, self._lock)
            self._opened = opening.pop_all()

    def close(self) -> None:
        """Let others open the file again."""
        self._opened.close()

    def last_sequences(self) -> dict[str, int]:
        """The last sequence of every stream but that of staff acts."""
        return {name: last for name, last in self._lock.execute(LAST_OF_STREAMS, (STAFF_STREAM,)) if last}

    def request_counts(self) -> dict[str, int]:
        """The number of requests of every stream that has any."""
        return dict(self._lock.execute(REQUESTS_OF_STREAMS).fetchall())

    def lobby_commits(self) -> list[pb.Commit]:
        """All appends to the lobby's streams, in the order in which they were written."""
        positioned: list[tuple[int, pb.Commit]] = []
        for stream in self.last_sequences():
            if not is_game(stream):
                records = self._records(stream)
                positions = [record.position for record in records]
                positioned += [
                    (positions[commit.first_sequence - 1], commit)
                    for commit in commits_of(stream, records, self._requests(stream))
                ]
        return [commit for _, commit in sorted(positioned, key=lambda pair: pair[0])]

    def games(self) -> list[str]:
        """Streams of all games, in the order in which they began."""
        rows = self._lock.execute(
            "SELECT name FROM stream JOIN record USING (stream_id) WHERE sequence = 1 ORDER BY position"
        )
        return [name for (name,) in rows if is_game(name)]

    def commits(self, stream: str) -> list[pb.Commit]:
        """All appends to a stream."""
        return commits_of(stream, self._records(stream), self._requests(stream))

    def difference(self, commit: pb.Commit) -> str:
        """How the file differs from a commit that it should contain; empty when it does not."""
        first, count = commit.first_sequence, len(commit.facts)
        records = self._records(commit.stream, first - 1, first + count - 1)
        if len(records) != count:
            return f"{commit.stream} #{first + len(records)} is missing in {self.path}"
        for record, fact in zip(records, commit.facts, strict=True):
            kept = (record.type, record.schema_version, record.payload, record.recorded_time_ms)
            if kept != (fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms):
                return f"{commit.stream} #{record.sequence} is a different event"
        wanted = _request(commit)
        if wanted is not None and wanted not in self._requests(commit.stream, wanted.request_id):
            return f"{commit.stream} #{first}: request {wanted.request_id!r} is a different one"
        return ""

    def _records(self, stream: str, after: int = 0, up_to: int = SEQUENCE_MAX) -> list[Record]:
        rows = self._lock.execute(RECORDS, (stream, after, up_to))
        return [_decode(frame) for (frame,) in rows]

    def _requests(self, stream: str, request_id: str | None = None) -> list[RequestRecord]:
        """Those of a stream, or the one with this id."""
        rows = self._lock.execute(REQUESTS, {"stream": stream, "request_id": request_id})
        return [RequestRecord(*row) for row in rows]

    def append(self, commits: Sequence[pb.Commit]) -> None:
        """Write appends in one transaction, with their recorded times."""
        wanted = [
            Append(
                commit.stream,
                commit.first_sequence - 1,
                [NewRecord(fact.type, fact.schema_version, fact.payload) for fact in commit.facts],
                _request(commit),
                commit.recorded_time_ms,
            )
            for commit in commits
        ]
        self._lock.execute("BEGIN IMMEDIATE")
        try:
            results = append_within(self._lock, wanted)
            for commit, result in zip(commits, results, strict=True):
                if not isinstance(result, Appended):
                    raise MigrationFailed(f"{commit.stream} #{commit.first_sequence} was rejected: {result}")
            self._lock.execute("COMMIT")
        except BaseException:
            # After some failures, such as a full disk, SQLite has rolled back by itself.
            if self._lock.in_transaction:
                self._lock.execute("ROLLBACK")
            raise

    def acts(self) -> list[StaffAct]:
        """What operators did, oldest first. Raises `UnreadableAct`."""
        return [act_in(each.type, each.schema_version, each.payload) for each in self._records(STAFF_STREAM)]

    def put_acts(self, acts: Sequence[StaffAct]) -> None:
        """Store further acts."""
        last = len(self._records(STAFF_STREAM))
        wanted = [
            Append(STAFF_STREAM, last + index, [record_of(act)], None, act.time_ms)
            for index, act in enumerate(acts)
        ]
        self._lock.execute("BEGIN IMMEDIATE")
        append_within(self._lock, wanted)
        self._lock.execute("COMMIT")

    def summaries(self) -> dict[str, bytes]:
        """The lobby's summary of each game, with the players' thinking times, which are stored nowhere else."""
        return dict(self._lock.execute("SELECT game_id, summary FROM lobby_summaries").fetchall())

    def put_summaries(self, summaries: Iterable[bytes]) -> None:
        """Store those that are newer than the stored ones."""
        self._lock.execute("BEGIN IMMEDIATE")
        for summary in summaries:
            put_summary_within(self._lock, decode_summary(summary))
        self._lock.execute("COMMIT")

    def holds(self) -> dict[str, Hold]:
        """The holds of the ledger."""
        rows = self._lock.execute("SELECT game_id, reason, detail, sequence FROM ledger_holds")
        return {row[0]: Hold(*row) for row in rows}

    def put_holds(self, holds: Sequence[Hold]) -> None:
        """Store these holds."""
        self._lock.executemany(
            "INSERT OR REPLACE INTO ledger_holds VALUES (?, ?, ?, ?)",
            [(hold.game_id, hold.reason, hold.detail, hold.sequence) for hold in holds],
        )


def _request(commit: pb.Commit) -> RequestRecord | None:
    if not commit.HasField("request"):
        return None
    said = commit.request
    return RequestRecord(said.request_id, said.player, said.content_hash, said.outcome)


def _check_whole(path: Path, connection: sqlite3.Connection) -> None:
    (away,) = connection.execute("SELECT count(*) FROM archived WHERE state = 0").fetchone()
    if away:
        raise MigrationFailed(
            f"{path}: {away} games are in the archive; `signalbox archive back` puts them into the file again"
        )


def _locked(path: Path) -> sqlite3.Connection:
    """A connection with an exclusive lock on the file. Raises `InUse`.

    Leaving WAL mode needs the only connection to the file, and returning to WAL in exclusive mode keeps the file locked."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    try:
        for statement in (
            "PRAGMA journal_mode = DELETE",
            "PRAGMA locking_mode = EXCLUSIVE",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "BEGIN EXCLUSIVE",
            "COMMIT",
        ):
            connection.execute(statement)
    except sqlite3.OperationalError as error:
        connection.close()
        raise InUse(f"{path}: a host or another program uses it ({error}); stop it first") from error
    return connection
