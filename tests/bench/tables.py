"""What a lobby with many finished tables costs: folding its log from nothing, a start with what is kept, and each question.

`python -m tests.bench tables`; SIGNALBOX_BENCH_TABLES: how many finished ones, 100,000 unless given."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from services.common.eventlog.sqlite import open_sqlite
from services.lobby.directory import TableDirectory
from services.lobby.domain.tables import TableState
from services.lobby.domain.visibility import STRANGER, Viewer
from services.lobby.handlers.requests import derived_id, game_id_of
from tests.lobby.played_tables import account, write_played

FINISHED = int(os.environ.get("SIGNALBOX_BENCH_TABLES", "100000"))
LIVE, SEED = 10_000, 7
ACCOUNTS = max(1000, FINISHED // 20)
TIMES = 200


def main() -> int:
    """Prints what each takes, in processes of their own, so that memory is that of one."""
    with tempfile.TemporaryDirectory() as folder:
        for stage in ("write", "nothing", "restart", "questions"):
            subprocess.run([sys.executable, "-m", "tests.bench.tables", stage, folder], check=True)
    return 0


def _stage(stage: str, folder: Path) -> None:
    log, _ = open_sqlite(folder / "log.db")
    if stage == "write":
        write_played(log, FINISHED, LIVE, SEED, ACCOUNTS)
        print(
            f"{FINISHED:,} finished and {LIVE:,} live tables, {log.last_position():,} records, "
            f"{(folder / 'log.db').stat().st_size / 1e6:,.0f} MB of log"
        )
        log.close()
        return
    begun, begun_cpu = time.monotonic(), time.process_time()
    directory = TableDirectory(log, folder / "tables.db")
    live = directory.count(TableState.PLAYING)
    assert live == LIVE
    print(
        f"from {stage}: {time.monotonic() - begun:.2f} s, {time.process_time() - begun_cpu:.2f} s of a core"
    )
    if stage == "questions":
        _ask(directory)
    directory.close()
    log.close()
    size = (folder / "tables.db").stat().st_size / 1e6
    print(f"  memory {most_memory_mb():,.0f} MB, file {size:,.0f} MB")


def most_memory_mb() -> float:
    """The most that this process had; what its parent had before does not count."""
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1e3


def _ask(directory: TableDirectory) -> None:
    old = [derived_id("t", str(SEED), str(number * 37 % FINISHED)) for number in range(TIMES)]
    questions: dict[str, Callable[[int], object]] = {
        "a table that ended": lambda each: directory.get(old[each]),
        "the table of a game": lambda each: directory.of_game(game_id_of(old[each])),
        "what a player keeps": lambda each: directory.usage_of(account(each)),
        "how many tables ended": lambda _: directory.count(TableState.FINISHED),
        "first page": lambda _: directory.page(50, "", "", None),
        "first page of a player": lambda each: directory.page(50, "", "", None, Viewer(account(each))),
        "open tables, of which there are none": lambda _: directory.page(50, "", "1824", TableState.OPEN),
        "a page far back": lambda _: directory.page(50, "5000", "1837", TableState.FINISHED, STRANGER),
    }
    for name, ask in questions.items():
        begun = time.process_time()
        for each in range(TIMES):
            ask(each)
        print(f"  {name}: {(time.process_time() - begun) / TIMES * 1e6:,.0f} us")
    begun = time.process_time()
    directory.in_state(TableState.PLAYING)
    print(f"  all {LIVE:,} live tables: {(time.process_time() - begun) * 1e3:,.0f} ms")


if __name__ == "__main__":
    _stage(sys.argv[1], Path(sys.argv[2]))
