"""What an answer of routing costs: seconds of a core that servers and their workers take for it, and the cores for so many a
second."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.routing.service.serving import Replica

RATES = (1, 100, 10_000)
# How busy cores may be so that answers do not wait; the second trigger of deploy/k8s/components/routing-scaling.
BUSY_SHARE = 0.7
POD_CORES = 2
# Of the workers' answers, in the second row of each kind.
CACHED_SHARE = 0.9
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Seconds of a core for one answer: of the server (calls, queue, cache, checks) and of the worker (search)."""

    server: float
    worker: float

    @property
    def whole(self) -> float:
        """Both."""
        return self.server + self.worker


class Meter:
    """The time of cores that replicas take between `__init__` and `cost`."""

    def __init__(self, running: Sequence[Replica]) -> None:
        self._servers = [each.process.pid for each in running]
        self._workers = [pid for each in running for pid in each.worker_pids()]
        self._began = self._taken()

    def cost(self, answers: int) -> Cost:
        """For each of so many answers."""
        now = self._taken()
        return Cost(
            *((after - before) / max(1, answers) for before, after in zip(self._began, now, strict=True))
        )

    def _taken(self) -> tuple[float, float]:
        return sum(map(cpu_seconds, self._servers)), sum(map(cpu_seconds, self._workers))


def cpu_seconds(pid: int) -> float:
    """What a process took of cores so far, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def cores_for(rate: float, cost: Cost) -> float:
    """Cores for so many answers a second, `BUSY_SHARE` of which work."""
    return rate * cost.whole / BUSY_SHARE


def show_costs(solved: Cost, cached: Cost) -> None:
    """Print what 1, 100 and 10,000 answers a second take, by where the answers come from."""
    mixed = Cost(
        *(
            CACHED_SHARE * of_cache + (1 - CACHED_SHARE) * new
            for of_cache, new in zip(cached, solved, strict=True)
        )
    )
    print(
        f"  cores for so many answers a second, {BUSY_SHARE:.0%} busy (pods of {POD_CORES} cores)\n"
        f"  {'':30}" + "".join(f"{rate:>18,}" for rate in RATES)
    )
    rows = {"all solved": solved, f"{CACHED_SHARE:.0%} from the cache": mixed, "all from the cache": cached}
    for name, cost in rows.items():
        cells = [cores_for(rate, cost) for rate in RATES]
        shown = "".join(f"{each:>10.2f} ({math.ceil(each / POD_CORES):>4})" for each in cells)
        print(f"  {name:21}{cost.whole * 1000:6.2f} ms{shown}")
