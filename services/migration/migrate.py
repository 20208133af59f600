"""Migrates streams, requests with their outcomes, recorded times, holds, staff acts, and the summaries with the players'
thinking times.

Order on Kafka: all events of the lobby, and the events of each game; the games of one partition follow each other in the
order in which they began. Order in a file: the lobby's, and the games' within each partition. Snapshots and books are not
migrated: services rebuild them from the events.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from services.audit.cases import StoredFact
from services.audit.kafka_log import LogReader, reading
from services.common.kafka.administration import check_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    STAFF_ACTS,
)
from services.gen.signalbox.lobby.v1.game_summary_pb2 import GameSummary
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.ports import Hold
from services.migration.appends import GAMES, is_game
from services.migration.compare import Compared, compare
from services.migration.errors import MigrationFailed, OtherContent
from services.migration.kafka_endpoint import (
    CountedLog,
    LogWriter,
    check_stopped,
    status_sequences,
    stored_acts,
    stored_holds,
    stored_summaries,
)
from services.migration.sqlite_endpoint import SqliteEndpoint
from services.migration.statuses import status_after

HOLD_VERSION = 1
COMMITS_PER_WRITE = 1000
TOPICS_MIGRATED = (EVENTS, LOBBY_EVENTS, LOBBY_SUMMARIES, GAME_STATUSES, LEDGER_EVENTS, STAFF_ACTS)
OnProgress = Callable[[str, int, int], None]
"""Called with the name of the step, events done since the last call, and events of the step in all."""


@dataclass(slots=True)
class MigrationSummary:
    """The result of a migration. `present_before`: events that an earlier run had migrated. `without_status`: games
    whose events were migrated but cannot be read here."""

    games: int = 0
    lobby_streams: int = 0
    events: int = 0
    requests: int = 0
    holds: int = 0
    present_before: int = 0
    without_status: list[str] = field(default_factory=list)


def to_kafka(
    file: SqliteEndpoint, kafka: KafkaSettings, on_progress: OnProgress, *, is_offline: bool = False
) -> MigrationSummary:
    """Migrate the file to Kafka; may be repeated after an interruption.

    Raises `InUse`, `OtherContent`, `MigrationFailed`, `UnreadableStream`, `TopicsDiffer`, `KafkaUnreachable`."""
    if not is_offline:
        check_stopped(kafka)
    check_topics(kafka, TOPICS_MIGRATED)
    writer = LogWriter(kafka)
    with reading(kafka) as reader:
        before = _compared(kafka, reader, file, on_progress, "comparing")
        foreign = [*before.differences, *before.beyond(before.kafka, before.file)]
        holds, known_holds = file.holds(), stored_holds(reader)
        foreign += [f"game {game_id} is held" for game_id in sorted(known_holds.keys() - holds.keys())]
        acts, known_acts = {each.act_id: each for each in file.acts()}, stored_acts(reader)
        foreign += [f"staff act {act_id}" for act_id in known_acts.keys() - acts.keys()]
        if foreign:
            raise OtherContent(f"Kafka at {', '.join(kafka.servers)}", foreign)
        missing = sum(before.file.values()) - sum(before.kafka.values())
        _write_lobby(file, writer, before, on_progress, missing)
        unread = _write_games(file, writer, before, status_sequences(reader), on_progress, missing)
        for game_id, hold in holds.items():
            if known_holds.get(game_id) != hold:
                writer.hold(_hold_changed(hold))
        for act_id, act in acts.items():
            if act_id not in known_acts:
                writer.act(act)
        summaries = _newer(file.summaries(), stored_summaries(reader))
        for game_id, summary in summaries.items():
            writer.summary(game_id, summary)
        writer.finish()
        after = _compared(kafka, reader, file, on_progress, "verifying")
        after.differences.extend(_acts_missing(acts, stored_acts(reader)))
        _check(after, holds, stored_holds(reader), _newer(file.summaries(), stored_summaries(reader)))
    return _summary(before.kafka, after, file, len(holds), unread)


def to_sqlite(
    kafka: KafkaSettings, file: SqliteEndpoint, on_progress: OnProgress, *, is_offline: bool = False
) -> MigrationSummary:
    """Migrate Kafka to the file; may be repeated after an interruption. Raises what `to_kafka` raises."""
    if not is_offline:
        check_stopped(kafka)
    check_topics(kafka, TOPICS_MIGRATED)
    with reading(kafka) as reader:
        before = _compared(kafka, reader, file, on_progress, "comparing")
        foreign = [*before.differences, *before.beyond(before.file, before.kafka)]
        holds = stored_holds(reader)
        foreign += [f"game {game_id} is held" for game_id in sorted(file.holds().keys() - holds.keys())]
        acts, known_acts = stored_acts(reader), {each.act_id for each in file.acts()}
        foreign += [f"staff act {act_id}" for act_id in known_acts - acts.keys()]
        if foreign:
            raise OtherContent(str(file.path), foreign)
        _write_file(CountedLog(kafka, reader), file, before, on_progress)
        file.put_holds(list(holds.values()))
        file.put_acts([act for act_id, act in acts.items() if act_id not in known_acts])
        summaries = stored_summaries(reader)
        file.put_summaries(_newer(summaries, file.summaries()).values())
        after = _compared(kafka, reader, file, on_progress, "verifying")
        after.differences.extend(_acts_missing(acts, {each.act_id: each for each in file.acts()}))
        _check(after, holds, file.holds(), _newer(summaries, file.summaries()))
    return _summary(before.file, after, file, len(holds), [])


def _write_lobby(
    file: SqliteEndpoint, writer: LogWriter, before: Compared, on_progress: OnProgress, missing: int
) -> None:
    for commit in file.lobby_commits():
        if commit.first_sequence > before.kafka.get(commit.stream, 0):
            writer.commit(commit)
            writer.end_stream()
            on_progress("writing", len(commit.facts), missing)


def _write_games(
    file: SqliteEndpoint,
    writer: LogWriter,
    before: Compared,
    statuses: dict[str, int],
    on_progress: OnProgress,
    missing: int,
) -> list[str]:
    """Write games, each with its status after its last event in the same transaction. Returns games without a status."""
    unread = []
    for stream in file.games():
        last, there = before.file[stream], before.kafka.get(stream, 0)
        game_id = stream.removeprefix(GAMES)
        if there == last and statuses.get(game_id) == last:
            continue
        commits = file.commits(stream)
        for commit in commits:
            if commit.first_sequence > there:
                writer.commit(commit)
                on_progress("writing", len(commit.facts), missing)
        status = status_after(game_id, _facts(commits))
        if status is None:
            unread.append(game_id)
        else:
            writer.status(status)
        writer.end_stream()
    return unread


def _write_file(log: CountedLog, file: SqliteEndpoint, before: Compared, on_progress: OnProgress) -> None:
    missing = sum(before.kafka.values()) - sum(before.file.values())
    waiting: list[pb.Commit] = []
    for commit in log.commits():
        if commit.first_sequence > before.file.get(commit.stream, 0):
            waiting.append(commit)
            on_progress("writing", len(commit.facts), missing)
        if len(waiting) == COMMITS_PER_WRITE:
            file.append(waiting)
            waiting = []
    if waiting:
        file.append(waiting)


def _compared(
    kafka: KafkaSettings, reader: LogReader, file: SqliteEndpoint, on_progress: OnProgress, step: str
) -> Compared:
    total = sum(file.last_sequences().values())
    return compare(kafka, reader, file, lambda events: on_progress(step, events, total))


def _newer(ours: Mapping[str, bytes], theirs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Summaries in `ours` with a higher sequence than in `theirs`."""
    return {
        game_id: summary
        for game_id, summary in ours.items()
        if GameSummary.FromString(summary).status.sequence
        > GameSummary.FromString(theirs.get(game_id, b"")).status.sequence
    }


def _check(
    after: Compared, wanted: dict[str, Hold], found: dict[str, Hold], summaries_missing: Iterable[str]
) -> None:
    differences = after.all_differences
    differences += [f"the summary of game {each} is missing" for each in summaries_missing]
    differences += [f"the hold of game {each} differs" for each in wanted if wanted[each] != found.get(each)]
    if differences:
        raise MigrationFailed("; ".join(differences[:5]))


def _acts_missing(wanted: Mapping[str, StaffAct], found: Mapping[str, StaffAct]) -> list[str]:
    return [f"staff act {act_id} differs" for act_id, act in wanted.items() if found.get(act_id) != act]


def _facts(commits: list[pb.Commit]) -> list[StoredFact]:
    return [
        StoredFact(fact.type, fact.schema_version, fact.payload, commit.recorded_time_ms)
        for commit in commits
        for fact in commit.facts
    ]


def _hold_changed(hold: Hold) -> pb.HoldChanged:
    return pb.HoldChanged(
        schema_version=HOLD_VERSION,
        game_id=hold.game_id,
        held=True,
        reason=hold.reason,
        detail=hold.detail,
        sequence=hold.sequence,
        recorded_time_ms=int(time.time() * 1000),
    )


def _summary(
    before: Mapping[str, int], after: Compared, file: SqliteEndpoint, holds: int, unread: list[str]
) -> MigrationSummary:
    games = sum(is_game(stream) for stream in after.file)
    return MigrationSummary(
        games=games,
        lobby_streams=len(after.file) - games,
        events=sum(after.file.values()),
        requests=sum(file.request_counts().values()),
        holds=holds,
        present_before=sum(before.values()),
        without_status=unread,
    )
