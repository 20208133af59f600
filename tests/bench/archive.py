"""Finished games in an archive: bytes of one, games a second, and milliseconds of the first read; and how long a replica with an
empty disk takes until it serves, with finished games in the archive and without one.

`python -m tests.bench archive`; with other numbers `python -m tests.bench.archive --finished 1000 --live 20`. All games have the
events of one that was played, under ids of their own: what is written, copied, folded and archived is as of real games, and
making them costs next to nothing.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from confluent_kafka import Producer
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.eventlog.port import NewRecord
from services.common.eventlog.sqlite import Append, append_within, open_sqlite
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_producer
from services.common.kafka.commits import commit_message, facts_of, request_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.partitions import partition_of
from services.common.redis.settings import RedisSettings
from services.common.settings.service import Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.host.processes import ClusterHost, Replicas
from services.rules.archive.opening import RulesArchive
from services.rules.history import decode_event_range, stream_of
from services.rules.kernel.directing.commands import Direct, EndGame
from services.rules.kernel.values import Score
from services.rules.requests import CommandAccepted, Request
from services.rules.sessions import GameSessions
from services.rules.titles import TITLES
from tests.bench.cluster import PARTITIONS
from tests.bench.on_brokers import on_brokers
from tests.rules.service.desk import GAME, Desk

SEED = 20
MOVES = 250
FILE_GAMES = 300
READS = 60
FILE_BYTES = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
FINISHED, LIVE = 300, 30
# So many games are played at the same time; a number that fits into memory whatever the number of all.
AT_ONCE = 200
# Long before any number of days.
LONG_AGO_MS = 1_500_000_000_000
# An archiver rests three times as long as it works, and finds a processor that is busy.
ARCHIVING_SECONDS, ARCHIVING_SECONDS_OF_A_GAME, LOOK_SECONDS = 900.0, 1.0, 0.2
# No game is played here, so nobody asks for routes.
NOBODY = "127.0.0.1:1"


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 2 without brokers."""
    chosen = _parser().parse_args(arguments)
    commits = finished_game()
    facts = sum(len(commit.facts) for commit in commits)
    print(f"  a game of 1824: {len(commits)} commands, {facts} events")
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        _measure_file(Path(scratch), commits)
    return on_brokers(partial(_measure_replica, chosen, commits))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.archive", description=__doc__)
    parser.add_argument("--finished", type=int, default=FINISHED, help="games that are over, in Kafka")
    parser.add_argument("--live", type=int, default=LIVE, help="games in play")
    return parser


def finished_game(moves: int = MOVES) -> list[pb.Commit]:
    """The commits of a game that was played by chance and then ended by a director."""
    log = MemoryEventLog()
    desk = Desk(log, MemorySnapshotStore())
    desk.create(policy="free")
    desk.play_on(moves)
    scores = tuple(Score(seat, 100) for seat in desk.rules.reader.game_at(GAME).game.players)
    ending = Direct(EndGame(scores), "time is up", "pia")
    assert isinstance(desk.rules.execute(Request(GAME, "olga", "end", 0, ending)), CommandAccepted)
    return commits_in(log, stream_of(GAME))


def commits_in(log: MemoryEventLog, stream: str) -> list[pb.Commit]:
    """A stream as commits, of long ago."""
    records, found = log.read(stream), []
    for request in log.requests(stream):
        written = decode_event_range(request.outcome)
        facts = [
            NewRecord(each.type, each.schema_version, each.payload)
            for each in records[written.first - 1 : written.last]
        ]
        found.append(
            commit_message(stream, written.first - 1, facts, request, LONG_AGO_MS, request.request_id)
        )
    return sorted(found, key=lambda commit: commit.first_sequence)


def _measure_file(folder: Path, commits: list[pb.Commit]) -> None:
    """The file of one process."""
    path = folder / "signalbox.db"
    log, snapshots = open_sqlite(path)
    for number in range(FILE_GAMES):
        appends = [_append_of(commit, f"g{number:05}") for commit in commits]
        log.database.write(lambda connection, wanted=appends: append_within(connection, wanted))  # type: ignore[misc]
    log.append("other", 0, [NewRecord("x", 1, b"")])
    with log.database.reader() as connection:
        (of_file,) = connection.execute(FILE_BYTES).fetchone()
    settings = Settings(database=path, archive=f"folder:{folder / 'archive'}")
    archive = RulesArchive(settings, log, CollectorRegistry())
    ids = random.Random(SEED).sample([f"g{number:05}" for number in range(FILE_GAMES)], READS)
    before = _median_ms(ids, lambda game_id: _loaded(GameSessions(log, snapshots, TITLES), game_id))
    began, used = time.monotonic(), time.process_time()
    assert archive.archiver.run_once() == FILE_GAMES
    seconds, cores = time.monotonic() - began, time.process_time() - used
    sizes = [each.stat().st_size for each in (folder / "archive" / "contents").iterdir()]
    print(
        f"  an object: {statistics.mean(sizes):.0f} bytes, in place of {of_file / FILE_GAMES:.0f} bytes of the file"
    )
    print(
        f"  archived: {FILE_GAMES / seconds:.1f} games/s, {1000 * cores / FILE_GAMES:.1f} ms of a core each"
    )
    after = _median_ms(ids, lambda game_id: _loaded(GameSessions(archive.log, snapshots, TITLES), game_id))
    print(f"  first read with its state: {after:.1f} ms from a folder, {before:.1f} ms from the file")
    archive.close()
    log.close()


def _append_of(commit: pb.Commit, game_id: str) -> Append:
    expected = commit.first_sequence - 1
    return Append(stream_of(game_id), expected, facts_of(commit), request_of(commit), commit.recorded_time_ms)


def _loaded(sessions: GameSessions, game_id: str) -> None:
    assert sessions.get(game_id).game.finished


def _median_ms(ids: list[str], read: Callable[[str], None]) -> float:
    taken = []
    for game_id in ids:
        began = time.perf_counter()
        read(game_id)
        taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken)


def _measure_replica(
    chosen: argparse.Namespace,
    commits: list[pb.Commit],
    folder: Path,
    servers: KafkaServers,
    redis: RedisSettings,
) -> int:
    """A replica of rules with an empty disk."""
    kafka = servers.settings("bench.", partitions=PARTITIONS)
    apply_topics(kafka)
    began = time.monotonic()
    sent = _fill(kafka, commits, chosen.finished, chosen.live)
    print(f"  {sent} commits written in {time.monotonic() - began:.0f} s", flush=True)
    store = folder / "archive"
    without = Settings(routing_addresses=(NOBODY,))
    archiving = replace(without, archive=f"folder:{store}", archive_every_seconds=1.0)
    seconds, size = _from_nothing(folder / "without", kafka, redis, without, lambda: None)
    print(
        f"  {chosen.finished} finished, {chosen.live} live games: {seconds:.1f} s to serve without an archive, "
        f"{size / 1e6:.0f} MB",
        flush=True,
    )
    began = time.monotonic()
    _from_nothing(
        folder / "archiving", kafka, redis, archiving, partial(_wait_for, store / "games", chosen.finished)
    )
    print(
        f"  all archived by their owner after {time.monotonic() - began:.0f} s, its start included",
        flush=True,
    )
    seconds, size = _from_nothing(folder / "with", kafka, redis, archiving, lambda: None)
    print(f"  {seconds:.1f} s to serve with the finished games in the archive, {size / 1e6:.0f} MB")
    return 0


def _from_nothing(
    folder: Path, kafka: KafkaSettings, redis: RedisSettings, settings: Settings, serving: Callable[[], None]
) -> tuple[float, int]:
    """Seconds until a replica serves, and bytes of its files."""
    host = ClusterHost(folder, kafka, redis, Replicas(0, 1, 0, 0), settings)
    began = time.monotonic()
    host.start()
    seconds = time.monotonic() - began
    serving()
    host.stop()
    size = sum(each.stat().st_size for each in folder.rglob("*.copy.db*"))
    shutil.rmtree(folder)
    return seconds, size


def _wait_for(listed: Path, finished: int) -> None:
    end = time.monotonic() + max(ARCHIVING_SECONDS, finished * ARCHIVING_SECONDS_OF_A_GAME)
    while sum(1 for each in listed.rglob("*") if each.is_file()) < finished:
        assert time.monotonic() < end, "not archived in time"
        time.sleep(LOOK_SECONDS)


def _fill(kafka: KafkaSettings, commits: list[pb.Commit], finished: int, live: int) -> int:
    """Finished games and live ones; returns how many commits that were."""
    producer = new_producer(kafka, **{"linger.ms": 20, "queue.buffering.max.messages": 100_000})
    sent = 0
    for game_id, value in _mixed(commits, finished, live):
        send_commit(producer, kafka, value, game_id)
        sent += 1
    producer.flush()
    return sent


def _mixed(commits: list[pb.Commit], finished: int, live: int) -> Iterator[tuple[str, bytes]]:
    """The commits of all games, mixed as those of many tables: id and record."""
    draw = random.Random(SEED)
    bodies = [without_stream(commit) for commit in commits]
    games = [(f"g{number:06}", bodies) for number in range(finished)]
    games += [(f"live{number:06}", bodies[:-1]) for number in range(live)]
    draw.shuffle(games)
    for start in range(0, len(games), AT_ONCE):
        left = {game_id: iter(each) for game_id, each in games[start : start + AT_ONCE]}
        order = [game_id for game_id, each in games[start : start + AT_ONCE] for _ in each]
        draw.shuffle(order)
        for game_id in order:
            yield game_id, next(left[game_id]) + stream_field(game_id)


def without_stream(commit: pb.Commit) -> bytes:
    """A commit in bytes, to which the stream is to be added."""
    body = pb.Commit()
    body.CopyFrom(commit)
    body.ClearField("stream")
    return body.SerializeToString()


def stream_field(game_id: str) -> bytes:
    """The stream as a field of a commit in bytes: fields may come in any order."""
    return pb.Commit(stream=stream_of(game_id)).SerializeToString()


def send_commit(producer: Producer, kafka: KafkaSettings, value: bytes, game_id: str) -> None:
    """Hand a commit to a producer, as soon as that has room."""
    while True:
        try:
            producer.produce(
                EVENTS.name_in(kafka), value, game_id.encode(), partition_of(game_id, kafka.partitions)
            )
        except BufferError:
            producer.poll(0.1)
        else:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
