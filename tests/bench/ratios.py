"""How deciding, folding and rebuilding compare with the commit before, measured in turns on this machine.

Absolute figures of two machines, or of two hours on one, cannot be compared; ratios of one run can. `SIGNALBOX_BENCH_BASE`
names another commit to compare with: `SIGNALBOX_BENCH_BASE=6bf71f7 python -m tests.bench ratios`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.bench.checkouts import BASE_VARIABLE, checkout_of, importing_from
from tests.bench.rules import GAMES
from tests.conftest import REPOSITORY, SHARED_VARIABLE, shared_folder

ROUNDS = 5
SAMPLE = REPOSITORY / "tests" / "bench" / "sample.py"

Sample = dict[str, float]


def main() -> int:
    """Measure and print; 2 without the recorded games."""
    folder = shared_folder() / "fixtures" / "18xx.games"
    base = os.environ.get(BASE_VARIABLE, "HEAD^")
    with checkout_of(base) as before:
        for benched in GAMES:
            game = folder / benched.path
            if not game.is_file():
                print(f"no recorded game {game}; {SHARED_VARIABLE} may name another folder", file=sys.stderr)
                return 2
            _compare(benched.path, game, before, base)
    return 0


def _compare(name: str, game: Path, before: Path, base: str) -> None:
    now_samples: list[Sample] = []
    old_samples: list[Sample] = []
    for _ in range(ROUNDS):
        now_samples.append(_sample(REPOSITORY, game))
        old_samples.append(_sample(before, game))
    print(f"-- {name}: {now_samples[0]['actions']:.0f} actions, {now_samples[0]['events']:.0f} events")
    for what in ("decide", "fold", "rebuild"):
        now, old = _least(now_samples, what), _least(old_samples, what)
        print(
            f"  {what}: {1000 * now:.2f} ms, {now / _least(now_samples, 'reference'):.2f} times the reference"
            f" computation; {old / now:.2f} times as fast as {base} ({1000 * old:.2f} ms)"
        )


def _least(samples: list[Sample], what: str) -> float:
    return min(sample[what] for sample in samples)


def _sample(checkout: Path, game: Path) -> Sample:
    done = subprocess.run(
        (sys.executable, "-P", str(SAMPLE), str(game)),
        cwd=checkout,
        env=importing_from(checkout),
        capture_output=True,
        text=True,
        check=True,
    )
    sample: Sample = json.loads(done.stdout)
    return sample


if __name__ == "__main__":
    sys.exit(main())
