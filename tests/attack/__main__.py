"""`make attack`: attacks the embedded host and prints what came of it. Exit code 1 when anything is wrong."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.attack.floods import FLOODS
from tests.attack.fuzz import ask_again, send_inputs
from tests.attack.inputs import inputs
from tests.attack.plan import SHOWN_MAX, Result
from tests.attack.scene import MIB, Scene, Usage
from tests.attack.surface import all_methods
from tests.host_process import HostProcess

FUZZ = "fuzz"
ATTACKS = [*FLOODS, FUZZ]
CHUNK = 500
QUIET_SECONDS = 10.0
SETTLE_SECONDS = 3.0
GIVE_UP_SECONDS = 120.0
# Every input is to reach the handlers; the limits themselves are attacked by the others.
WITHOUT_LIMITS = {"SIGNALBOX_RATE_PLAYER_PER_SECOND": "0", "SIGNALBOX_RATE_ADDRESS_PER_SECOND": "0"}


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one attack."""

    attack: str
    result: Result
    quiet: list[float]
    meanwhile: list[float]
    memory_bytes: int
    processor_seconds: float
    wrong: list[str]


def main() -> int:
    """Run the attacks and print the table."""
    chosen = _arguments()
    console = Console(width=160 if not sys.stdout.isatty() else None)
    rows: list[Row] = []
    bars = (TextColumn("{task.description:14}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*bars, console=Console(stderr=True)) as progress,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as attacker,
    ):
        floods = [name for name in chosen.attacks if name != FUZZ]
        if floods:
            rows += _run_floods(floods, chosen.seconds, attacker, progress)
        if FUZZ in chosen.attacks:
            rows.append(_run_fuzz(chosen.inputs, chosen.seed, attacker, progress))
    _show(console, rows, chosen.seed)
    return int(any(row.wrong for row in rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; all unless named"
    )
    parser.add_argument("--inputs", type=int, default=20_000, help="inputs of the fuzz")
    parser.add_argument("--seconds", type=float, default=15.0, help="duration of each other attack")
    parser.add_argument("--seed", type=int, default=1, help="seed of the fuzz")
    chosen = parser.parse_args()
    chosen.attacks = chosen.attacks or ATTACKS
    if unknown := set(chosen.attacks) - set(ATTACKS):
        parser.error(f"there is no attack {', '.join(sorted(unknown))}")
    return chosen


@contextmanager
def _scene(environment: dict[str, str], progress: Progress) -> Iterator[tuple[Scene, Usage, list[float]]]:
    """A host with an honest player at work, and how long its commands take while it is quiet."""
    task = progress.add_task("host starts", total=None)
    with tempfile.TemporaryDirectory(prefix="signalbox-attack-") as folder:
        host = HostProcess(Path(folder), {"SIGNALBOX_LOG_LEVEL": "error", **environment})
        try:
            scene = Scene(host.addresses)
            scene.honest.start()
            progress.update(task, description="quiet")
            time.sleep(SETTLE_SECONDS)
            began = time.monotonic()
            time.sleep(QUIET_SECONDS)
            quiet = scene.honest.latencies(began, time.monotonic())
            progress.remove_task(task)
            yield scene, Usage(host.process.pid), quiet
        finally:
            host.process.kill()
            host.process.communicate()


def _run_floods(
    names: list[str], seconds: float, attacker: ProcessPoolExecutor, progress: Progress
) -> list[Row]:
    rows = []
    with _scene({}, progress) as (scene, usage, quiet):
        for name in names:

            def attack(flood: str = name) -> Result:
                running = attacker.submit(FLOODS[flood], scene.target, seconds)
                return _watched(running, flood, seconds, progress)

            row = _measured(name, scene, usage, quiet, attack)
            if name == "log-in" and (took := scene.sign_in_seconds()) is None:
                row.wrong.append("the honest player cannot sign in")
            elif name == "log-in":
                row.result.statuses[f"sign-in after {took:.1f} s"] += 1
            rows.append(row)
        scene.honest.stop()
        rows[-1].wrong.extend(scene.check())
    return rows


def _run_fuzz(count: int, seed: int, attacker: ProcessPoolExecutor, progress: Progress) -> Row:
    with _scene(WITHOUT_LIMITS, progress) as (scene, usage, quiet):
        made = inputs(scene.target, count, seed)
        task = progress.add_task(FUZZ, total=len(made))

        def attack() -> Result:
            total = Result()
            for start in range(0, len(made), CHUNK):
                part = made[start : start + CHUNK]
                result, effects = attacker.submit(send_inputs, scene.target, part).result()
                total.add(result)
                scene.effects.add(effects)
                progress.update(task, advance=len(part))
            _, effects = attacker.submit(ask_again, scene.target, scene.effects.unknown).result()
            scene.effects.unknown = []
            scene.effects.add(effects)
            return total

        row = _measured(FUZZ, scene, usage, quiet, attack)
        scene.honest.stop()
        row.wrong.extend(scene.check())
    return row


def _measured(name: str, scene: Scene, usage: Usage, quiet: list[float], attack: Callable[[], Result]) -> Row:
    """Run the attack; the honest player must get answers during it, or soon after."""
    runs_before = scene.honest.runs
    memory, processor, began = usage.memory_bytes(), usage.processor_seconds(), time.monotonic()
    with usage.measured():
        result = attack()
    ended = time.monotonic()
    wrong = list(result.wrong)
    answered = len(scene.honest.seconds)
    while len(scene.honest.seconds) == answered:
        if time.monotonic() > ended + GIVE_UP_SECONDS:
            wrong.append("the honest player gets no answers any more")
            break
        time.sleep(0.1)
    meanwhile = scene.honest.latencies(began, time.monotonic())
    result.statuses["(trains ran)"] += scene.honest.runs - runs_before
    wrong += scene.honest.wrong
    scene.honest.wrong.clear()
    return Row(
        name,
        result,
        quiet,
        meanwhile,
        usage.peak_bytes - memory,
        usage.processor_seconds() - processor,
        wrong,
    )


def _watched(running: Future[Result], name: str, seconds: float, progress: Progress) -> Result:
    """The result; the bar shows the seconds meanwhile."""
    task = progress.add_task(name, total=round(seconds))
    began = time.monotonic()
    while not running.done():
        progress.update(task, completed=round(min(seconds, time.monotonic() - began)))
        time.sleep(0.2)
    progress.update(task, completed=round(seconds))
    return running.result()


def _show(console: Console, rows: list[Row], seed: int) -> None:
    methods = all_methods()
    fields = sum(len(method.field_paths()) for method in methods)
    table = Table(
        title=f"attacks on the embedded host ({len(methods)} methods, {fields} fields, seed {seed})"
    )
    for column in (
        "attack",
        "tried",
        "refused",
        "left open",
        "wrong",
        "p99 quiet",
        "p99",
        "memory",
        "CPU",
        "statuses",
    ):
        table.add_column(column, justify="left" if column in ("attack", "statuses") else "right")
    for row in rows:
        table.add_row(
            row.attack,
            f"{row.result.tried:,}",
            f"{row.result.refused:,}",
            f"{row.result.left_open:,}",
            f"{len(row.wrong):,}",
            _p99(row.quiet),
            _p99(row.meanwhile),
            f"{row.memory_bytes / MIB:+.0f} MiB",
            f"{row.processor_seconds:.1f} s",
            ", ".join(f"{name} {count:,}" for name, count in row.result.statuses.most_common(4)),
        )
    console.print(table)
    for row in rows:
        for line in row.wrong[:SHOWN_MAX]:
            console.print(f"{row.attack}: {line}", markup=False, soft_wrap=True)


def _p99(seconds: list[float]) -> str:
    if not seconds:
        return "no answer"
    return f"{1000 * seconds[min(len(seconds) - 1, int(len(seconds) * 0.99))]:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
