"""Questions without meaning, and the JSON form."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from services.routing.domain.problem import (
    LockedRun,
    Options,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solver import solve
from tests.routing.rulebook_board import rulebook_problem

GOOD = rulebook_problem("F", (Train("3", "normal", 3), Train("2g", "goods", 2, "free")))
change: Callable[..., RouteProblem] = msgspec.structs.replace

MEANINGLESS = {
    "company missing_company": change(GOOD, company=""),
    "stops[9].id repeated_id": change(GOOD, stops=(*GOOD.stops, GOOD.stops[0])),
    "stops[0].id missing_id": change(GOOD, stops=(Stop("", "city", "a", 10),)),
    "stops[0].place missing_place": change(GOOD, stops=(Stop("a", "city", "", 10),)),
    "stops[0].revenue revenue_out_of_range": change(GOOD, stops=(Stop("a", "city", "a", -1),)),
    "stops[1].revenue revenue_out_of_range": change(
        GOOD, stops=(GOOD.stops[0], Stop("a", "city", "a", 2**40))
    ),
    "segments[10].a unknown_stop": change(GOOD, segments=(*GOOD.segments, Segment("x", "moon", "A"))),
    "segments[10].b unknown_stop": change(GOOD, segments=(*GOOD.segments, Segment("x", "A", "moon"))),
    "segments[10].id repeated_id": change(GOOD, segments=(*GOOD.segments, GOOD.segments[0])),
    "trains[0].reach reach_out_of_range": change(GOOD, trains=(Train("3", "normal", -3),)),
    "trains[1].id repeated_id": change(
        GOOD, trains=(Train("3", "normal", 3), Train("3", "goods", 3, "free"))
    ),
    "trains too_many": change(GOOD, trains=tuple(Train(str(number), "normal", 2) for number in range(9))),
    "stops too_many": change(GOOD, stops=GOOD.stops * 50),
    "segments too_many": change(GOOD, segments=GOOD.segments * 401),
    "token_stops[1] unknown_stop": change(GOOD, token_stops=("A", "moon")),
    "token_stops[1] repeated_id": change(GOOD, token_stops=("A", "A")),
    "options.deadline_ms negative": change(GOOD, options=Options(deadline_ms=-1)),
    "options.node_budget negative": change(GOOD, options=Options(node_budget=-1)),
    "options.locked_runs[0].train unknown_train": change(
        GOOD, options=Options(locked_runs=(LockedRun("9", (), ()),))
    ),
    "options.locked_runs[1].id repeated_id": change(
        GOOD, options=Options(locked_runs=(LockedRun("3", (), ()), LockedRun("3", (), ())))
    ),
}


@pytest.mark.parametrize("named", MEANINGLESS)
def test_a_problem_without_meaning_names_its_field(named: str) -> None:
    """Each is refused with the path of the field and a reason code."""
    field, reason = named.split()
    with pytest.raises(ProblemError) as refused:
        solve(MEANINGLESS[named])
    assert (refused.value.field.removesuffix(".id"), refused.value.reason) == (
        field.removesuffix(".id"),
        reason,
    )


def test_json_form_round_trips() -> None:
    """Written and read again the problem is the same."""
    assert msgspec.json.decode(msgspec.json.encode(GOOD), type=RouteProblem) == GOOD


def test_json_with_an_unknown_key_is_refused() -> None:
    """A mistyped key is an error, not a default."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"id": "a", "kind": "city", "place": "a", "revenu": 3}', type=Stop)
