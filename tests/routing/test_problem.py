"""Questions without meaning, and the JSON form."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from services.routing.domain.problem import (
    Bonus,
    LockedRun,
    Options,
    ProblemError,
    Requirement,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solver import solve
from tests.routing.joint_boards import express, freight, local, network_problem, stop, track
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

NETWORK = network_problem(
    (stop("a", "C", 20, "A0"), stop("b", "t", 10, "A2"), stop("c", "o", 30, "A4")),
    (track("a", "b", "A0 A2"), track("b", "c", "A2 A4")),
    (freight(2), local(2), express(2)),
    "a",
    "a",
)


def with_first(problem: RouteProblem, group: str, **changes: object) -> RouteProblem:
    """The problem with changes to the first of a group of its parts."""
    first, *rest = getattr(problem, group)
    return change(problem, **{group: (change(first, **changes), *rest)})


def with_parameter(problem: RouteProblem, **changes: object) -> RouteProblem:
    """The problem with other parameters."""
    return change(problem, parameters=change(problem.parameters, **changes))


def with_bonus(**changes: object) -> RouteProblem:
    """The problem with a bonus that is changed."""
    bonus = Bonus("b", ({"A": 10}, {"B": 20}), "ends")
    return with_parameter(GOOD, bonuses=(bonus, change(bonus, id="c", **changes)))


def with_requirement(**changes: object) -> RouteProblem:
    """The problem with a requirement that is changed."""
    return with_parameter(GOOD, requirements=(change(Requirement("r", ("A",)), **changes),))


COUNTED = Bonus("b", ({"A": 10}, {"B": 20}), "counted")
MEANINGLESS_TERMS = {
    "parameters.bonuses[1].id repeated_id": with_parameter(GOOD, bonuses=(COUNTED, COUNTED)),
    "parameters.bonuses[0].id missing_id": with_parameter(GOOD, bonuses=(change(COUNTED, id=""),)),
    "parameters.bonuses too_many": with_parameter(
        GOOD, bonuses=tuple(change(COUNTED, id=str(number)) for number in range(9))
    ),
    "parameters.bonuses too_many ": with_parameter(
        GOOD, bonuses=tuple(change(COUNTED, id=str(number)) for number in range(3))
    ),
    "parameters.bonuses[1].pays revenue_out_of_range": with_bonus(pays=-1),
    "parameters.bonuses[1].runs runs_out_of_range": with_bonus(runs=9),
    "parameters.bonuses[1].groups groups_out_of_range": with_bonus(groups=()),
    "parameters.bonuses[1].groups groups_out_of_range ": with_bonus(groups=({"A": 1}, {"B": 1}, {"C": 1})),
    "parameters.bonuses[1].groups[0] empty_group": with_bonus(groups=({},)),
    "parameters.bonuses[1].groups[1] groups_overlap": with_bonus(groups=({"A": 1}, {"A": 1})),
    "parameters.bonuses[1].groups[1] unknown_stop": with_bonus(groups=({"A": 1}, {"moon": 1})),
    "parameters.bonuses[1].groups[0]['A'] revenue_out_of_range": with_bonus(groups=({"A": 10_001},)),
    "parameters.requirements[0].stops empty_group": with_requirement(stops=()),
    "parameters.requirements[0].stops unknown_stop": with_requirement(stops=("moon",)),
    "parameters.requirements[0].id missing_id": with_requirement(id=""),
    "segments[0].revenue revenue_out_of_range": with_first(GOOD, "segments", revenue=-1),
    "trains[0].town_reach town_reach_not_possible": with_first(GOOD, "trains", town_reach=1),
    "trains[0].town_reach town_reach_out_of_range": with_first(GOOD, "trains", town_reach=-1),
    "trains[0].towns extra_not_possible": with_first(GOOD, "trains", towns="extra", measure="hexes"),
    "trains[0].factor factor_out_of_range": with_first(GOOD, "trains", factor=0),
    "trains[0].factor factor_out_of_range ": change(
        with_first(GOOD, "trains", factor=2), stops=(Stop("A", "city", "A", 50_001), *GOOD.stops[1:])
    ),
    "options.locked_runs locked_run_not_possible": change(
        with_bonus(runs=1), options=Options((LockedRun("3", (), ()),))
    ),
    "parameters.bonuses parameter_not_possible": with_parameter(NETWORK, bonuses=(COUNTED,)),
    "parameters.requirements parameter_not_possible": with_parameter(
        NETWORK, requirements=(Requirement("r", ("a",)),)
    ),
    "parameters.places_once parameter_not_possible": with_parameter(NETWORK, places_once="company"),
    "trains[0].town_reach town_reach_not_possible ": with_first(NETWORK, "trains", town_reach=1),
    "trains[0].factor factor_not_possible": with_first(NETWORK, "trains", factor=2),
    "trains[0].only_tokens only_tokens_not_possible": with_first(NETWORK, "trains", only_tokens=True),
    "segments[0].revenue segment_revenue_not_possible": with_first(NETWORK, "segments", revenue=10),
}


@pytest.mark.parametrize("named", MEANINGLESS_TERMS)
def test_a_term_without_meaning_names_its_field(named: str) -> None:
    """Each bonus, requirement or train's term that means nothing is refused with its path and a reason code."""
    field, reason = named.split()
    with pytest.raises(ProblemError) as refused:
        solve(MEANINGLESS_TERMS[named])
    assert (refused.value.field, refused.value.reason) == (field, reason)


MEANINGLESS_IN_A_FAMILY = {
    "trains[0].kind kind_not_possible": with_first(GOOD, "trains", kind="freight"),
    "trains[0].joins joins_not_possible": with_first(GOOD, "trains", joins=True),
    "parameters.home parameter_not_possible": with_parameter(GOOD, home="A"),
    "parameters.links parameter_not_possible": with_parameter(GOOD, links="any_stop"),
    "parameters.subsidy_per_hex parameter_not_possible": with_parameter(GOOD, subsidy_per_hex=10),
    "trains[0].kind kind_not_possible ": with_first(NETWORK, "trains", kind="goods"),
    "trains[0].joins joins_not_possible ": with_first(NETWORK, "trains", kind="local", joins=True),
    "trains[0].towns towns_not_possible": with_first(NETWORK, "trains", towns="free"),
    "trains[0].measure measure_not_possible": with_first(NETWORK, "trains", measure="hexes"),
    "trains[0].tariff tariff_not_possible": with_first(NETWORK, "trains", tariff="fast"),
    "trains[0].reach reach_out_of_range": with_first(NETWORK, "trains", reach=0),
    "trains[0].counts counts_not_possible": with_first(NETWORK, "trains", counts=1),
    "trains too_many": change(NETWORK, trains=tuple(express(2, name=str(number)) for number in range(25))),
    "stops[0].kind kind_not_possible": with_first(NETWORK, "stops", kind="mine"),
    "stops[0].tariffs tariff_not_possible": with_first(NETWORK, "stops", tariffs={"fast": 10}),
    "stops[1].revenue place_values_differ": with_first(NETWORK, "stops", place="b"),
    "stops[0].position position_missing": with_first(NETWORK, "stops", position=None),
    "stops[0].position position_out_of_range": with_first(NETWORK, "stops", position=(0, 201)),
    "stops[0].beyond position_out_of_range": with_first(NETWORK, "stops", beyond=-1),
    "segments[0].length length_missing": with_first(NETWORK, "segments", hexes=()),
    "segments[0].hexes hexes_missing": with_first(NETWORK, "segments", hexes=(), length=1),
    "token_stops[0] token_not_in_city": change(NETWORK, token_stops=("b",)),
    "parameters.home unknown_stop": with_parameter(NETWORK, home="moon"),
    "parameters.home home_not_city": with_parameter(NETWORK, home="b"),
    "parameters.bonus_per_hex revenue_out_of_range": with_parameter(NETWORK, bonus_per_hex=-1),
    "parameters.bonus_per_hex_port revenue_out_of_range": with_parameter(NETWORK, bonus_per_hex_port=10_001),
    "parameters.subsidy_per_hex revenue_out_of_range": with_parameter(NETWORK, subsidy_per_hex=2**40),
    "options.locked_runs locked_run_not_possible": change(
        NETWORK, options=Options((LockedRun("2F", (), ()),))
    ),
}


@pytest.mark.parametrize("named", MEANINGLESS_IN_A_FAMILY)
def test_what_means_nothing_in_a_family_is_refused(named: str) -> None:
    """Each part of one family that stands in a problem of the other is named."""
    field, reason = named.split()
    with pytest.raises(ProblemError) as refused:
        solve(MEANINGLESS_IN_A_FAMILY[named])
    assert (refused.value.field, refused.value.reason) == (field, reason)


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
    for problem in (GOOD, NETWORK):
        assert msgspec.json.decode(msgspec.json.encode(problem), type=RouteProblem) == problem


def test_json_with_an_unknown_key_is_refused() -> None:
    """A mistyped key is an error, not a default."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"id": "a", "kind": "city", "place": "a", "revenu": 3}', type=Stop)
