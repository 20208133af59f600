"""One cache key for all equivalent forms of a problem, and its answer in the order of each form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from services.routing.domain.direct.answer import Covered
from services.routing.domain.problem import Options, Parameters, RouteProblem, Segment, Stop
from services.routing.domain.solution import AloneRun, RouteSolution, Run

OfTrain = TypeVar("OfTrain", Run, AloneRun, Covered)
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


def problem_key(problem: RouteProblem) -> str:
    """A hash of the problem that ignores the order and direction of its parts: 64 hex digits.

    Locked runs and whether it is explained are part of it, since they decide the answer; limits on the search are not.
    """
    return hashlib.sha256(_ENCODER.encode(canonical_problem(problem))).hexdigest()


def canonical_problem(problem: RouteProblem) -> RouteProblem:
    """The canonical form of `problem`: sorted, each segment from its smaller end."""
    return msgspec.structs.replace(
        problem,
        stops=tuple(sorted(map(_canonical_stop, problem.stops), key=lambda stop: stop.id)),
        segments=tuple(sorted(map(_canonical_segment, problem.segments), key=lambda segment: segment.id)),
        trains=tuple(sorted(problem.trains, key=lambda train: train.id)),
        token_stops=tuple(sorted(problem.token_stops)),
        parameters=_canonical_parameters(problem.parameters),
        options=Options(
            tuple(sorted(problem.options.locked_runs, key=lambda run: run.train)),
            explain=problem.options.explain,
        ),
    )


def _canonical_parameters(parameters: Parameters) -> Parameters:
    bonuses = (
        msgspec.structs.replace(
            bonus,
            groups=tuple(sorted(bonus.groups, key=lambda group: sorted(group.items()))),
            tariffs=tuple(sorted(set(bonus.tariffs))),
        )
        for bonus in parameters.bonuses
    )
    requirements = (
        msgspec.structs.replace(
            each, stops=tuple(sorted(set(each.stops))), tariffs=tuple(sorted(set(each.tariffs)))
        )
        for each in parameters.requirements
    )
    return msgspec.structs.replace(
        parameters,
        goals=tuple(sorted(parameters.goals)),
        bonuses=tuple(sorted(bonuses, key=lambda bonus: bonus.id)),
        requirements=tuple(sorted(requirements, key=lambda each: each.id)),
    )


def reordered_for(problem: RouteProblem, solution: RouteSolution) -> RouteSolution:
    """`solution` of an equivalent problem, its runs in the order of the trains of `problem`."""
    place = {train.id: number for number, train in enumerate(problem.trains)}
    # What is covered beside the trains comes last.
    covered = _in_order(solution.covered, place | {"": len(place)})
    explanation = solution.explanation
    if explanation is not None:
        second = explanation.second
        if second is not None:
            second = msgspec.structs.replace(second, runs=_in_order(second.runs, place))
        explanation = msgspec.structs.replace(
            explanation, alone=_in_order(explanation.alone, place), second=second
        )
    return msgspec.structs.replace(
        solution, runs=_in_order(solution.runs, place), explanation=explanation, covered=covered
    )


def _in_order(runs: Sequence[OfTrain], place: Mapping[str, int]) -> tuple[OfTrain, ...]:
    return tuple(sorted(runs, key=lambda run: place[run.train]))


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
