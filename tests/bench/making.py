"""Puts synthetic games where a platform has them: into Kafka, the archive and the snapshots of partitions, in a folder that a
later run uses again.

The folders of the stores are written as `FolderStore` does, but without waiting for the disk at each of two million files.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from services.common.archive.names import content_name, game_name
from services.common.archive.store import DAY_MS
from services.common.eventlog.whole_streams import WholeStream
from services.common.kafka.administration import apply_topics
from services.common.kafka.clients import new_producer
from services.common.kafka.landmarks import landmark
from services.common.kafka.offsets import ends, identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.folder import FolderStore
from services.common.partition_snapshots.format import Log, in_pieces
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.partitions import partition_of
from tests.bench.archive import LONG_AGO_MS, send_commit
from tests.bench.synthetic import SyntheticGame, SyntheticGames

ARCHIVE, STORE, MADE = "archive", "snapshots", "made.json"
TOPICS = (EVENTS, SNAPSHOTS)
# As if so many games of each day had been archived.
GAMES_A_DAY = 1_000
REPORT_SECONDS = 10.0
IN_BULK: dict[str, object] = {"linger.ms": 50, "queue.buffering.max.messages": 100_000}


class Made(msgspec.Struct, frozen=True):
    """What is in a folder. `live_time_ms`: when the events of games in play were written."""

    finished: int
    live: int
    partitions: int
    live_time_ms: int

    def games(self) -> SyntheticGames:
        """The same games again."""
        return SyntheticGames(self.live_time_ms)


def made_in(folder: Path) -> Made | None:
    """What an earlier run has made there, to its end."""
    path = folder / MADE
    return msgspec.json.decode(path.read_bytes(), type=Made) if path.exists() else None


def make(folder: Path, kafka: KafkaSettings, finished: int, live: int) -> Made:
    """Make everything, of topics that are not there yet, and say how far it is."""
    made = Made(finished, live, kafka.partitions, int(time.time() * 1000))
    games = made.games()
    apply_topics(kafka)
    _archive(folder / ARCHIVE, games, finished)
    lasts = _fill(kafka, games, made)
    _snapshots(PartitionSnapshots(FolderStore(folder / STORE), log_of(kafka)), kafka, games, made, lasts)
    _go_on(kafka, games, live)
    (folder / MADE).write_bytes(msgspec.json.encode(made))
    return made


def log_of(kafka: KafkaSettings) -> Log:
    """The log of which snapshots are written."""
    return Log(identity_of(kafka, TOPICS), kafka.partitions)


def _archive(folder: Path, games: SyntheticGames, finished: int) -> None:
    for number in _reported("finished games in the archive", finished):
        game = games.finished(number)
        heading, content = game.archived()
        day_ms = LONG_AGO_MS + number // GAMES_A_DAY * DAY_MS
        _write(folder / content_name(game.game_id, heading.records), content, is_first=number == 0)
        listing = folder / game_name(game.game_id, heading.records, day_ms)
        _write(listing, b"", is_first=number % GAMES_A_DAY == 0)


def _write(path: Path, content: bytes, is_first: bool) -> None:
    if is_first:
        path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    if content:
        os.write(descriptor, content)
    os.close(descriptor)


def _fill(kafka: KafkaSettings, games: SyntheticGames, made: Made) -> dict[int, bytes]:
    """All commits before the snapshots; returns the last of each partition."""
    producer = new_producer(kafka, **IN_BULK)
    lasts: dict[int, bytes] = {}
    for number in _reported("games in Kafka", made.finished + made.live):
        game = _game(games, made, number)
        for value in game.commits():
            send_commit(producer, kafka, value, game.game_id)
            lasts[partition_of(game.game_id, kafka.partitions)] = value
    producer.flush()
    return lasts


def _game(games: SyntheticGames, made: Made, number: int) -> SyntheticGame:
    return games.finished(number) if number < made.finished else games.live(number - made.finished)


def _go_on(kafka: KafkaSettings, games: SyntheticGames, live: int) -> None:
    """What came after the snapshots."""
    producer = new_producer(kafka, **IN_BULK)
    for number in range(live):
        game_id = games.live(number).game_id
        for value in games.live_after(number):
            send_commit(producer, kafka, value, game_id)
    producer.flush()


def _snapshots(
    store: PartitionSnapshots,
    kafka: KafkaSettings,
    games: SyntheticGames,
    made: Made,
    lasts: dict[int, bytes],
) -> None:
    """One of each partition: what its owner would have read out of its file."""
    found = ends(kafka, TOPICS)
    for partition in range(kafka.partitions):
        writer = store.writer(partition)
        for piece in in_pieces(_streams(games, made, partition)):
            writer.add(piece)
        value = lasts.get(partition)
        if value is not None:
            offsets = {topic: end for (topic, number), end in found.items() if number == partition}
            last = landmark(offsets[EVENTS.name_in(kafka)] - 1, value)
            assert writer.finish(offsets, last.offset, last.digest, made.live_time_ms) is not None


def _streams(games: SyntheticGames, made: Made, partition: int) -> Iterator[WholeStream]:
    for number in _reported(f"games looked through for partition {partition}", made.finished + made.live):
        game = _game(games, made, number)
        if partition_of(game.game_id, made.partitions) == partition:
            yield game.row() if number < made.finished else game.whole()


def _reported(what: str, count: int) -> Iterator[int]:
    """The numbers below `count`; now and then it is printed how far they are."""
    began = reported = time.monotonic()
    for number in range(count):
        yield number
        if (now := time.monotonic()) - reported >= REPORT_SECONDS:
            reported = now
            print(f"  {what}: {number + 1:,} of {count:,} after {now - began:.0f} s", flush=True)
    print(f"  {what}: {count:,} in {time.monotonic() - began:.0f} s", flush=True)
