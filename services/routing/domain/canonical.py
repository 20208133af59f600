"""One name for all tellings of the same problem, and one answer told for each of them."""

from __future__ import annotations

import hashlib

import msgspec

from services.routing.domain.problem import Options, RouteProblem, Segment, Stop
from services.routing.domain.solution import RouteSolution

_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


def problem_key(problem: RouteProblem) -> str:
    """The name of a problem without regard to the order and direction in which its parts are told: 64 hex digits.

    Locked runs count, since they decide the answer; how long to search does not.
    """
    return hashlib.sha256(_ENCODER.encode(canonical_problem(problem))).hexdigest()


def canonical_problem(problem: RouteProblem) -> RouteProblem:
    """The telling that stands for all tellings of `problem`: sorted, each segment from its smaller end."""
    return msgspec.structs.replace(
        problem,
        stops=tuple(sorted(map(_canonical_stop, problem.stops), key=lambda stop: stop.id)),
        segments=tuple(sorted(map(_canonical_segment, problem.segments), key=lambda segment: segment.id)),
        trains=tuple(sorted(problem.trains, key=lambda train: train.id)),
        token_stops=tuple(sorted(problem.token_stops)),
        options=Options(tuple(sorted(problem.options.locked_runs, key=lambda run: run.train))),
    )


def told_for(problem: RouteProblem, solution: RouteSolution) -> RouteSolution:
    """`solution`, found for another telling, with its runs in the order of the trains of `problem`."""
    by_train = {run.train: run for run in solution.runs}
    in_order = tuple(by_train[train.id] for train in problem.trains if train.id in by_train)
    return msgspec.structs.replace(solution, runs=in_order)


def _canonical_stop(stop: Stop) -> Stop:
    return msgspec.structs.replace(stop, slots=tuple(sorted(stop.slots)))


def _canonical_segment(segment: Segment) -> Segment:
    forward = msgspec.structs.replace(
        segment, resources=tuple(sorted(set(segment.resources))), length=segment.hex_sides
    )
    backward = msgspec.structs.replace(
        forward,
        a=segment.b,
        b=segment.a,
        hexes=segment.hexes[::-1],
        terminal_a=segment.terminal_b,
        terminal_b=segment.terminal_a,
    )
    return min(forward, backward, key=lambda way: (way.a, way.b, way.hexes, way.terminal_a, way.terminal_b))
