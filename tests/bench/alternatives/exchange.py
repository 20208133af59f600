"""Problems and answers as lines of JSON, so that methods whose packages exclude each other can be compared."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from services.routing.domain.problem import RouteProblem

LIMIT_SECONDS = 10.0


class Question(msgspec.Struct, frozen=True):
    """A problem with the name of its set and its number in it."""

    set: str
    number: int
    problem: RouteProblem


class Outcome(msgspec.Struct, frozen=True):
    """What a method found: the maximised value, whether it is proven the best, and processor seconds spent listing routes."""

    total: int
    proven: bool
    listing_seconds: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """An outcome with its question and the processor seconds it took, listing included."""

    set: str
    number: int
    total: int
    proven: bool
    seconds: float
    listing_seconds: float = 0.0


Method = Callable[[RouteProblem, float], Outcome]
"""A problem and the processor time (`time.process_time`) at which to give up."""


def read_questions(path: Path) -> Iterator[Question]:
    """The problems of a file."""
    with path.open("rb") as lines:
        for line in lines:
            yield msgspec.json.decode(line, type=Question)


def answer_all(method: Method) -> int:
    """Put every question of the file named on the command line to `method` and print its answers as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path, help="JSON lines written by `export`")
    parser.add_argument("--limit", type=float, default=LIMIT_SECONDS, help="processor seconds for a problem")
    parser.add_argument("--every", type=int, default=1, help="take one problem in so many of each set")
    parser.add_argument("--sets", default="", help="only the sets whose names hold one of these, by commas")
    options = parser.parse_args()
    wanted = options.sets.split(",")
    for question in read_questions(options.questions):
        if question.number % options.every or not any(name in question.set for name in wanted):
            continue
        began = time.process_time()
        outcome = method(question.problem, began + options.limit)
        seconds = time.process_time() - began
        answer = Answer(
            question.set, question.number, outcome.total, outcome.proven, seconds, outcome.listing_seconds
        )
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
        sys.stdout.flush()
    return 0
