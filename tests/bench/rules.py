"""How fast recorded games are decided, rebuilt and played over gRPC on this machine."""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track

from services.common.eventlog.memory import MemorySnapshotStore
from services.common.eventlog.port import NewRecord, SnapshotStore
from services.common.eventlog.sqlite import open_sqlite
from services.rules.adapters.codec import encode_event
from services.rules.adapters.snapshots import SNAPSHOT_SCHEMA, encode_snapshot
from services.rules.history import stream_of
from services.rules.importer.files import read_record
from services.rules.importer.record import Record
from services.rules.importer.replay import Replay, play
from services.rules.kernel.fold import replay as fold
from services.rules.sessions import EVENTS_PER_SNAPSHOT, GameSessions
from services.rules.titles import TITLES
from tests.conftest import SHARED_VARIABLE, shared_folder
from tests.hosting import hosting, seat


@dataclass(frozen=True, slots=True)
class Benched:
    """A recorded game, and what is to be reached with it in milliseconds. How fast it is decided is measured by `ratios`, which
    compares with the commit before and with a fixed computation of the same run."""

    path: str
    goal_cold_ms: int = 20
    goal_snapshot_ms: int = 3


GAMES = (
    Benched("1824/1824_game_end_reason_bank.json.gz"),
    Benched("1862/46925.json.gz"),
)
GAME_ID = "recorded"
DECIDE_RUNS, REBUILD_RUNS = 9, 25


def main() -> int:
    """Measure and print; 2 without the recorded games."""
    folder = shared_folder() / "fixtures" / "18xx.games"
    missing = [benched.path for benched in GAMES if not (folder / benched.path).is_file()]
    if missing:
        print(
            f"no recorded game {folder / missing[0]}; {SHARED_VARIABLE} may name another folder",
            file=sys.stderr,
        )
        return 2
    for benched in GAMES:
        _bench(benched, read_record(folder / benched.path))
    return 0


def _bench(benched: Benched, record: Record) -> None:
    """All figures of a game. Players cannot book what a game recorded otherwise, so such a one is not played over gRPC."""
    print(f"-- {record.title}: {benched.path}", flush=True)
    replay = _bench_decide(record)
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as folder:
        _bench_rebuild(benched, replay, Path(folder) / "rebuild.db")
        if not replay.corrections:
            _bench_execute(replay, Path(folder))


def _bench_decide(record: Record) -> Replay:
    replays = [
        play(record, TITLES[record.title], time.perf_counter, as_recorded=True)
        for _ in track(range(DECIDE_RUNS), "decide", transient=True)
    ]
    assert all(each.matches for each in replays), "the recorded game does not replay"
    rates = [each.actions / each.decide_seconds for each in replays]
    best = max(rates)
    print(f"decide: {replays[0].actions} actions, {len(replays[0].events)} events")
    print(
        f"  {best:8.0f} actions/s, best of {DECIDE_RUNS} (first {rates[0]:.0f}, median {statistics.median(rates):.0f})"
    )
    return replays[0]


def _bench_rebuild(benched: Benched, replay: Replay, database: Path) -> None:
    """From the log alone and from the latest snapshot a host would have kept, with the events after it."""
    log, snapshots = open_sqlite(database)
    stream = stream_of(GAME_ID)
    log.append(
        stream,
        0,
        [NewRecord(*encode_event(event)) for event in replay.events],
    )

    def rebuild(store: SnapshotStore) -> None:
        game = GameSessions(log, store, TITLES).get(GAME_ID).game
        assert game.sequence == len(replay.events)

    cold = _milliseconds(lambda: rebuild(MemorySnapshotStore()), "rebuild from the log")
    kept = len(replay.events) - len(replay.events) % EVENTS_PER_SNAPSHOT
    snapshots.put(stream, kept, SNAPSHOT_SCHEMA, encode_snapshot(fold(replay.events[:kept])))
    warm = _milliseconds(lambda: rebuild(snapshots), "rebuild from a snapshot")
    log.close()
    print(f"rebuild from SQLite: {len(replay.events)} events, snapshot after {kept}")
    cold_goal, warm_goal = benched.goal_cold_ms, benched.goal_snapshot_ms
    print(f"  {_figures(cold)} from the log; goal {cold_goal} ms {_verdict(min(cold) <= cold_goal)}")
    print(f"  {_figures(warm)} from a snapshot; goal {warm_goal} ms {_verdict(min(warm) <= warm_goal)}")


def _bench_execute(replay: Replay, folder: Path) -> None:
    """The recorded game's commands, one after the other, over gRPC with log, ledger and audit behind every answer."""
    record = replay.record
    players = [str(player) for player in record.players]
    with hosting(folder) as host:
        seated = seat(host, record.title, len(players), "18xx.games", options=replay.game.options)
        clients = [seated.games(host, number) for number in range(len(players))]
        sequence = clients[0].game(seated.game_id).sequence
        taken = []
        for order in track(replay.orders, "execute", transient=True):
            client = clients[players.index(order.player)]
            began = time.perf_counter()
            accepted = client.execute(seated.game_id, sequence, order.command)
            taken.append((time.perf_counter() - began) * 1000)
            sequence = accepted.last_sequence
        scores = [score.value for score in clients[0].game(seated.game_id).scores]
        assert scores == [score.value for score in replay.game.scores]
    cuts = statistics.quantiles(taken, n=100)
    print(
        f"Execute over gRPC: {len(taken)} commands, one client, written to disk and audited before each answer"
    )
    print(
        f"  {1000 * len(taken) / sum(taken):8.0f} round trips/s, p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms"
    )


def _milliseconds(work: Callable[[], None], name: str) -> list[float]:
    taken = []
    for _ in track(range(REBUILD_RUNS), name, transient=True):
        gc.collect()
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def _figures(taken: Iterable[float]) -> str:
    values = sorted(taken)
    return f"{values[0]:8.2f} ms best, {statistics.median(values):.2f} ms median"


def _verdict(reached: bool) -> str:
    return "reached" if reached else "missed"
