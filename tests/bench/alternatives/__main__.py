"""`export FOLDER` writes the problems of recorded games and hard boards, `table FOLDER` compares the answers there."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import track

from services.rules.importer.files import read_record
from services.rules.importer.replay import play
from services.rules.kernel.fold import apply, effective
from services.rules.kernel.game import Game
from services.rules.parts.trains.bestruns import problem_for
from services.rules.parts.trains.events import TrainsRan
from services.rules.titles import TITLES
from tests.bench.alternatives.exchange import Answer, Question
from tests.bench.solver import TRAIN_SETS
from tests.conftest import shared_folder
from tests.routing.boards import HARD_VARIANTS, hard_board

SEEDS = 10
RECORDED = "recorded.jsonl"
HARD = "hard.jsonl"
ANSWERS = ".answers.jsonl"


def main() -> int:
    """Run one of the two commands; 1 where proven answers contradict each other."""
    parser = argparse.ArgumentParser(prog="tests.bench.alternatives")
    parser.add_argument("command", choices=("export", "table"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="hard boards for each train set")
    options = parser.parse_args()
    if options.command == "table":
        return _table(options.folder)
    options.folder.mkdir(parents=True, exist_ok=True)
    _write(options.folder / RECORDED, _recorded())
    _write(options.folder / HARD, _hard(options.seeds))
    return 0


def _write(path: Path, questions: Iterator[Question]) -> None:
    with path.open("wb") as lines:
        for question in track(questions, path.name, transient=True, console=Console(stderr=True)):
            lines.write(msgspec.json.encode(question) + b"\n")


def _hard(seeds: int) -> Iterator[Question]:
    for board, variant in HARD_VARIANTS.items():
        for trains, train_set in TRAIN_SETS.items():
            for seed in range(seeds):
                yield Question(f"{board} {trains}", seed, hard_board(seed, train_set, variant))


def _recorded() -> Iterator[Question]:
    """Every run of every recorded game of a title that is built."""
    shared = shared_folder()
    number = 0
    for path in sorted(shared.glob("fixtures/18xx.games/*/*.json.gz")):
        record = read_record(path)
        if record.title not in TITLES:
            continue
        title = TITLES[record.title]
        replayed = play(record, title, time.perf_counter)
        game = Game()
        for event in effective(replayed.events):
            if isinstance(event, TrainsRan):
                yield Question("recorded", number, problem_for(title, game, replayed.data, event.company))
                number += 1
            if event is None:
                game.sequence += 1
            else:
                apply(game, event)


def _table(folder: Path) -> int:
    answers: dict[str, dict[str, dict[int, Answer]]] = defaultdict(lambda: defaultdict(dict))
    methods = []
    for path in sorted(folder.glob(f"*{ANSWERS}")):
        method = path.name.removesuffix(ANSWERS)
        methods.append(method)
        for line in path.read_bytes().splitlines():
            answer = msgspec.json.decode(line, type=Answer)
            answers[answer.set][method][answer.number] = answer
    print("| board and trains | " + " | ".join(methods) + " |")
    print("| --- |" + " --- |" * len(methods))
    for name, by_method in answers.items():
        print(f"| {name} | " + " | ".join(_cell(by_method.get(method, {})) for method in methods) + " |")
    faults = [fault for name, by_method in answers.items() for fault in _contradictions(name, by_method)]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _cell(answers: dict[int, Answer]) -> str:
    """Median and worst time, and how many are proven."""
    if not answers:
        return ""
    taken = [answer.seconds for answer in answers.values()]
    proven = sum(answer.proven for answer in answers.values())
    return f"{_time(statistics.median(taken))} / {_time(max(taken))}, {proven} of {len(taken)}"


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _contradictions(name: str, by_method: dict[str, dict[int, Answer]]) -> Iterator[str]:
    """Proven totals that differ, and totals above a proven one."""
    for number in sorted({number for answers in by_method.values() for number in answers}):
        given = {method: answers[number] for method, answers in by_method.items() if number in answers}
        proven = {answer.total for answer in given.values() if answer.proven}
        if len(proven) > 1 or (proven and max(answer.total for answer in given.values()) > min(proven)):
            label = ", ".join(
                f"{method} {answer.total}{'' if answer.proven else '+'}" for method, answer in given.items()
            )
            yield f"{name} number {number}: {label}"


if __name__ == "__main__":
    sys.exit(main())
