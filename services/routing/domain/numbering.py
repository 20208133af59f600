"""A problem with numbers for names, so that one answer serves all problems that differ in names and order only.

The smaller name decides between equally good runs. So stops, places, segments, trains, tariffs, bonuses and requirements are
numbered in the order of their names, and problems are alike whose names are in the same order. Names of hexes, resources
and companies decide nothing and may be any. Locked runs keep their names: a fault of theirs is described by them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

import msgspec
from msgspec.structs import replace

from services.routing.domain.canonical import canonical_problem
from services.routing.domain.direct.answer import DirectRoute
from services.routing.domain.direct.network import goals_of
from services.routing.domain.problem import (
    Bonus,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    is_blocked,
)
from services.routing.domain.shape import same_stop
from services.routing.domain.solution import AloneRun, Explanation, RouteSolution, Run, SecondBest

OWN, OTHER = "own", "other"
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


@dataclass(frozen=True, slots=True)
class Names:
    """What was numbered of one problem: the number of each name, as text."""

    stops: Mapping[str, str]
    segments: Mapping[str, str]
    trains: Mapping[str, str]
    bonuses: Mapping[str, str]
    hexes: Mapping[str, str]

    def numbered(self, solution: RouteSolution) -> RouteSolution:
        """An answer to the problem, with numbers for names."""
        return _renamed(solution, self)

    def named(self, solution: RouteSolution) -> RouteSolution:
        """An answer with numbers for names, for the problem. Raises `KeyError` if it is of another one."""
        return _renamed(solution, self._reversed())

    def _reversed(self) -> Names:
        return Names(*map(_swapped, (self.stops, self.segments, self.trains, self.bonuses, self.hexes)))


def _swapped(numbers: Mapping[str, str]) -> dict[str, str]:
    return {number: name for name, number in numbers.items()}


def cache_key(problem: RouteProblem) -> tuple[str, Names]:
    """A key of 64 hex digits that problems have in common whose answers differ in names only, and the names of this one.

    As with `problem_key` limits on the search are no part of it, locked runs and whether it is explained are.
    """
    numbered, names = number_names(problem)
    return hashlib.sha256(_ENCODER.encode(numbered)).hexdigest(), names


def number_names(problem: RouteProblem) -> tuple[RouteProblem, Names]:
    """The canonical form of `problem` with numbers for names."""
    sorted_problem = canonical_problem(problem)
    names = Names(
        stops=_stop_numbers(stop.id for stop in sorted_problem.stops),
        segments=_numbers(segment.id for segment in sorted_problem.segments),
        trains=_numbers(train.id for train in sorted_problem.trains),
        bonuses=_numbers(bonus.id for bonus in problem.parameters.bonuses),
        hexes=_numbers_as_met(
            chain.from_iterable(each.hexes for each in sorted_problem.segments if each.a != each.b)
        ),
    )
    places = _numbers(stop.place for stop in problem.stops)
    tariffs = _tariff_numbers(problem)
    resources = _resource_numbers(sorted_problem.segments)
    tokens = frozenset(problem.token_stops)
    numbered = RouteProblem(
        company=OWN,
        stops=tuple(
            _numbered_stop(stop, names, places, tariffs, is_blocked(stop, tokens))
            for stop in sorted_problem.stops
        ),
        segments=tuple(_numbered_segment(each, names, resources) for each in sorted_problem.segments),
        trains=tuple(
            replace(train, id=names.trains[train.id], tariff=tariffs[train.tariff])
            for train in sorted_problem.trains
        ),
        token_stops=tuple(sorted(names.stops[name] for name in problem.token_stops)),
        family=problem.family,
        parameters=replace(
            _numbered_parameters(sorted_problem.parameters, names, tariffs),
            goals=_goal_numbers(sorted_problem, names),
        ),
        options=sorted_problem.options,
    )
    return numbered, names


def _digits(number: int) -> str:
    """A number as text, in whose order texts are."""
    return f"{number:06d}"


def _numbers(names: Iterable[str]) -> dict[str, str]:
    return {name: _digits(number) for number, name in enumerate(sorted(set(names)))}


def _numbers_as_met(names: Iterable[str]) -> dict[str, str]:
    return {name: _digits(number) for number, name in enumerate(dict.fromkeys(names))}


def _stop_numbers(names: Iterable[str]) -> dict[str, str]:
    """Entries of one stop remain recognizable as such, see `same_stop`."""
    numbers = _numbers(names)
    wholes = _numbers(map(same_stop, numbers))
    return {name: f"{wholes[same_stop(name)]}@{number}" for name, number in numbers.items()}


def _tariff_numbers(problem: RouteProblem) -> dict[str, str]:
    """No tariff remains none."""
    parameters = problem.parameters
    used = {train.tariff for train in problem.trains}.union(
        *(stop.tariffs for stop in problem.stops),
        *(bonus.tariffs for bonus in parameters.bonuses),
        *(each.tariffs for each in parameters.requirements),
    )
    return {**_numbers(used - {""}), "": ""}


def _resource_numbers(segments: Iterable[Segment]) -> dict[str, str]:
    """Resources by the segments that share them: of those with the same segments one is enough, and one of a single segment
    says nothing, since a segment excludes itself."""
    users: dict[str, list[int]] = defaultdict(list)
    for number, segment in enumerate(segments):
        for resource in segment.resources:
            users[resource].append(number)
    shared = {resource: tuple(by) for resource, by in users.items() if len(by) > 1}
    number_of = {by: _digits(number) for number, by in enumerate(sorted(set(shared.values())))}
    return {resource: number_of[by] for resource, by in shared.items()}


def _goal_numbers(problem: RouteProblem, names: Names) -> tuple[str, ...]:
    """All stops that direct routes are asked to: which of their spaces are free decides nothing else."""
    if problem.family != "direct_routes":
        return problem.parameters.goals
    return _each(names.stops, goals_of(problem))


def _numbered_stop(
    stop: Stop, names: Names, places: Mapping[str, str], tariffs: Mapping[str, str], is_full: bool
) -> Stop:
    return replace(
        stop,
        id=names.stops[stop.id],
        place=places[stop.place],
        slots=(OTHER,) if is_full else (),
        tariffs={tariffs[name]: revenue for name, revenue in stop.tariffs.items()},
    )


def _numbered_segment(segment: Segment, names: Names, resources: Mapping[str, str]) -> Segment:
    numbered = replace(
        segment,
        id=names.segments[segment.id],
        a=names.stops[segment.a],
        b=names.stops[segment.b],
        resources=tuple(sorted({resources[name] for name in segment.resources if name in resources})),
    )
    if segment.a != segment.b:
        return replace(numbered, hexes=tuple(names.hexes[name] for name in segment.hexes))
    # No run is over it, and it has no direction.
    terminal_a, terminal_b = sorted((segment.terminal_a, segment.terminal_b))
    nameless = ("",) * len(segment.hexes)
    return replace(numbered, hexes=nameless, terminal_a=terminal_a, terminal_b=terminal_b)


def _numbered_parameters(parameters: Parameters, names: Names, tariffs: Mapping[str, str]) -> Parameters:
    requirement_numbers = _numbers(each.id for each in parameters.requirements)

    def bonus(each: Bonus) -> Bonus:
        groups = [{names.stops[name]: pays for name, pays in group.items()} for group in each.groups]
        return replace(
            each,
            id=names.bonuses[each.id],
            groups=tuple(sorted(groups, key=lambda group: sorted(group.items()))),
            tariffs=tuple(sorted(tariffs[name] for name in each.tariffs)),
        )

    def requirement(each: Requirement) -> Requirement:
        return replace(
            each,
            id=requirement_numbers[each.id],
            stops=tuple(sorted(names.stops[name] for name in each.stops)),
            tariffs=tuple(sorted(tariffs[name] for name in each.tariffs)),
        )

    return replace(
        parameters,
        bonuses=tuple(map(bonus, parameters.bonuses)),
        requirements=tuple(map(requirement, parameters.requirements)),
        home=names.stops.get(parameters.home, ""),
    )


def _renamed(solution: RouteSolution, to: Names) -> RouteSolution:
    def run(each: Run) -> Run:
        return replace(
            each,
            train=to.trains[each.train],
            stops=_each(to.stops, each.stops),
            segments=_each(to.segments, each.segments),
            hexes=_each(to.hexes, each.hexes),
            counted_stops=_each(to.stops, each.counted_stops),
            joined_trains=_each(to.trains, each.joined_trains),
            bonuses=_each(to.bonuses, each.bonuses),
        )

    def direct(each: DirectRoute) -> DirectRoute:
        return replace(
            each,
            stops=_each(to.stops, each.stops),
            segments=_each(to.segments, each.segments),
            hexes=_each(to.hexes, each.hexes),
        )

    explanation = solution.explanation
    return replace(
        solution,
        runs=tuple(map(run, solution.runs)),
        goals=tuple(
            replace(goal, stop=to.stops[goal.stop], routes=tuple(map(direct, goal.routes)))
            for goal in solution.goals
        ),
        covered=tuple(
            replace(each, train=to.trains[each.train] if each.train else "") for each in solution.covered
        ),
        explanation=None if explanation is None else _renamed_explanation(explanation, to, run),
        order=_each(to.trains, solution.order),
    )


def _each(to: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(to[name] for name in names)


def _renamed_explanation(explanation: Explanation, to: Names, run: Callable[[Run], Run]) -> Explanation:
    second = explanation.second
    return replace(
        explanation,
        alone=tuple(
            AloneRun(to.trains[each.train], None if each.run is None else run(each.run), each.proven)
            for each in explanation.alone
        ),
        second=None
        if second is None
        else SecondBest(
            to.trains[second.train],
            tuple(map(run, second.runs)),
            second.revenue,
            second.treasury_income,
            second.loses,
        ),
    )
