"""The key of a problem: the same for equivalent forms, different for anything that matters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from services.routing.domain.canonical import problem_key, reordered_for
from services.routing.domain.problem import (
    Bonus,
    LockedRun,
    Options,
    Parameters,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import random_trains, small_board

Item = TypeVar("Item")


def reversed_segment(segment: Segment) -> Segment:
    """The same track from its other end."""
    return msgspec.structs.replace(
        segment,
        a=segment.b,
        b=segment.a,
        hexes=segment.hexes[::-1],
        terminal_a=segment.terminal_b,
        terminal_b=segment.terminal_a,
    )


def reordered(problem: RouteProblem, draw: random.Random) -> RouteProblem:
    """The same problem in another order and direction, with another limit of time and steps."""

    def mixed(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(draw.sample(list(items), len(items)))

    def stop_otherwise(stop: Stop) -> Stop:
        tariffs = dict(mixed(tuple(stop.tariffs.items())))
        return msgspec.structs.replace(stop, tariffs=tariffs, slots=mixed(stop.slots))

    def segment_otherwise(segment: Segment) -> Segment:
        reported = reversed_segment(segment) if draw.random() < 0.5 else segment
        return msgspec.structs.replace(reported, resources=mixed(reported.resources))

    return msgspec.structs.replace(
        problem,
        stops=mixed([stop_otherwise(stop) for stop in problem.stops]),
        segments=mixed([segment_otherwise(segment) for segment in problem.segments]),
        trains=mixed(problem.trains),
        token_stops=mixed(problem.token_stops),
        options=Options(mixed(problem.options.locked_runs), draw.randint(0, 99), draw.randint(0, 99)),
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_key_is_the_same_for_equivalent_forms(seed: int) -> None:
    """Order, direction, deadline and budget do not change it; a reordered answer is valid for the other form."""
    problem = small_board(seed, random_trains(seed, "normal+goods"))
    stops = [
        msgspec.structs.replace(stop, tariffs={"x": 10, "y": 20, "z": number})
        for number, stop in enumerate(problem.stops)
    ]
    problem = msgspec.structs.replace(problem, stops=tuple(stops))
    other = reordered(problem, random.Random(seed))
    assert problem_key(other) == problem_key(problem)
    assert verify_solution(other, reordered_for(other, solve(problem))) is None


RICH = RouteProblem(
    "X",
    (Stop("a", "city", "pa", 10, ("X", ""), {"t": 5}), Stop("b", "port", "pb", 20)),
    (Segment("ab", "a", "b", ("r", "s"), ("h", "i"), terminal_b=True),),
    (Train("T", "normal", 2, tariff="t"), Train("G", "goods", 1, "free")),
    ("a",),
    parameters=Parameters(
        bonuses=(Bonus("m", ({"a": 1}, {"b": 2}), tariffs=("t",)),), requirements=(Requirement("r", ("a",)),)
    ),
    options=Options((LockedRun("T", ("a", "b"), ("ab",)),)),
)
OTHER_VALUES: dict[tuple[type, str], Any] = {
    (Stop, "kind"): "town",
    (Stop, "slots"): ("Y",),
    (Stop, "tariffs"): {"t": 6},
    (Segment, "resources"): ("q",),
    (Segment, "hexes"): ("h", "j", "k"),
    (Train, "kind"): "goods",
    (Train, "towns"): "skip",
    (Train, "measure"): "hexes",
    (RouteProblem, "token_stops"): ("b",),
    (RouteProblem, "family"): "another",
    (Parameters, "bonuses"): (),
    (Parameters, "requirements"): (),
    (Bonus, "groups"): ({"a": 1},),
    (Bonus, "tariffs"): (),
    (Requirement, "stops"): ("b",),
    (Requirement, "tariffs"): ("t",),
}


def other_value(owner: type, name: str, value: Any) -> Any:
    """A value that differs from `value`."""
    if (owner, name) in OTHER_VALUES:
        return OTHER_VALUES[owner, name]
    if isinstance(value, bool):
        return not value
    return value + 7 if isinstance(value, int) else f"{value}'"


def changed_problems() -> dict[str, RouteProblem]:
    """`RICH` with one field of one part changed, every field once."""
    changed = {}
    for owner, group in ((Stop, "stops"), (Segment, "segments"), (Train, "trains")):
        first, *rest = getattr(RICH, group)
        for name in owner.__struct_fields__:
            part = msgspec.structs.replace(first, **{name: other_value(owner, name, getattr(first, name))})
            changed[f"{group}.{name}"] = msgspec.structs.replace(RICH, **{group: (part, *rest)})
    for name in ("company", "token_stops", "family"):
        value = other_value(RouteProblem, name, getattr(RICH, name))
        changed[name] = msgspec.structs.replace(RICH, **{name: value})
    for name in RICH.parameters.__struct_fields__:
        value = other_value(type(RICH.parameters), name, getattr(RICH.parameters, name))
        parameters = msgspec.structs.replace(RICH.parameters, **{name: value})
        changed[f"parameters.{name}"] = msgspec.structs.replace(RICH, parameters=parameters)
    for group in ("bonuses", "requirements"):
        (term,) = getattr(RICH.parameters, group)
        for name in term.__struct_fields__:
            other = msgspec.structs.replace(
                term, **{name: other_value(type(term), name, getattr(term, name))}
            )
            parameters = msgspec.structs.replace(RICH.parameters, **{group: (other,)})
            changed[f"{group}.{name}"] = msgspec.structs.replace(RICH, parameters=parameters)
    reversed_run = LockedRun("T", ("b", "a"), ("ab",))
    changed["locked run"] = msgspec.structs.replace(RICH, options=Options((reversed_run,)))
    changed["no locked run"] = msgspec.structs.replace(RICH, options=Options())
    return changed


@pytest.mark.parametrize("name", changed_problems())
def test_whatever_matters_is_in_the_key(name: str) -> None:
    """Any field of any part, changed, makes another problem."""
    assert problem_key(changed_problems()[name]) != problem_key(RICH)


def test_no_two_changes_share_a_key() -> None:
    """Values do not run into each other."""
    keys = [problem_key(problem) for problem in changed_problems().values()]
    assert len(set(keys)) == len(keys)
