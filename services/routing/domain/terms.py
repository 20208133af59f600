"""Checks for what runs earn beside the values of stops: bonuses, requirements, and the trains' and segments' own terms."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from services.routing.domain.problem import (
    BONUS_COUNT_MAX,
    BONUS_MAX,
    CASE_COUNT_MAX,
    COUNTED_GROUP_COUNT_MAX,
    FACTOR_MAX,
    GROUP_COUNT_MAX,
    REQUIREMENT_COUNT_MAX,
    REVENUE_MAX,
    TRAIN_COUNT_MAX,
    Bonus,
    RouteProblem,
    Train,
    concerns,
    is_optional,
    needs_counting,
    require,
)

ENDS_OF_A_ROUTE = 2


def check_terms(problem: RouteProblem) -> None:
    """Raise `ProblemError` for the first invalid term of `problem`."""
    for index, segment in enumerate(problem.segments):
        if segment.revenue:
            _check_money(segment.revenue, f"segments[{index}].revenue")
    for index, train in enumerate(problem.trains):
        _check_train(problem, index, train)
    bonuses, requirements = problem.parameters.bonuses, problem.parameters.requirements
    _check_names(tuple(bonus.id for bonus in bonuses), "parameters.bonuses", BONUS_COUNT_MAX)
    _check_names(tuple(each.id for each in requirements), "parameters.requirements", REQUIREMENT_COUNT_MAX)
    stops = {stop.id for stop in problem.stops}
    for index, bonus in enumerate(bonuses):
        _check_bonus(bonus, f"parameters.bonuses[{index}]", stops)
        _check_multiples(problem, bonus, f"parameters.bonuses[{index}].times_factor")
    for index, requirement in enumerate(requirements):
        field = f"parameters.requirements[{index}].stops"
        require(bool(requirement.stops), field, "empty_group", "no stop is named, so no run could be legal")
        _check_known(requirement.stops, field, stops)
    counted = sum(len(bonus.groups) for bonus in bonuses if needs_counting(bonus))
    counted += sum(map(needs_counting, requirements))
    message = (
        f"{counted} groups of stops to be counted are given, at most {COUNTED_GROUP_COUNT_MAX} are allowed"
    )
    require(counted <= COUNTED_GROUP_COUNT_MAX, "parameters.bonuses", "too_many", message)
    if bonuses:
        _check_case_count(problem)
    limited = any(bonus.runs for bonus in bonuses)
    message = "where few runs have a bonus, which ones is not settled before all are known"
    require(
        not (limited and problem.options.locked_runs),
        "options.locked_runs",
        "locked_run_not_possible",
        message,
    )


def _check_case_count(problem: RouteProblem) -> None:
    """Routes are searched for in each case of bonuses that they may have."""
    for train in problem.trains:
        optional = [
            bonus for bonus in problem.parameters.bonuses if concerns(bonus, train) and is_optional(bonus)
        ]
        count = prod(1 + max(1, bonus.runs) for bonus in optional)
        message = f"train {train.id!r} may have {count} sets of bonuses, at most {CASE_COUNT_MAX} are allowed"
        require(count <= CASE_COUNT_MAX, "parameters.bonuses", "too_many", message)


def _check_train(problem: RouteProblem, index: int, train: Train) -> None:
    extra = train.towns == "extra"
    if not extra and train.town_reach == 0 and train.factor == 1:
        return
    field = f"trains[{index}]"
    message = f"only a train measured in stops with towns 'extra' has a town_reach, {train.id!r} is none"
    require(
        train.town_reach == 0 or (extra and train.measure == "stops"),
        f"{field}.town_reach",
        "town_reach_not_possible",
        message,
    )
    message = f"train {train.id!r} is measured in hexes, so towns are no stops of their own"
    require(not extra or train.measure == "stops", f"{field}.towns", "extra_not_possible", message)
    require(
        1 <= train.factor <= FACTOR_MAX,
        f"{field}.factor",
        "factor_out_of_range",
        f"factor {train.factor} of train {train.id!r} is not within 1 to {FACTOR_MAX}",
    )
    for stop in problem.stops if train.factor > 1 else ():
        value = stop.value_for(train)
        require(
            value <= REVENUE_MAX,
            f"{field}.factor",
            "factor_out_of_range",
            f"stop {stop.id!r} would yield {value} to train {train.id!r}, above {REVENUE_MAX}",
        )


def _check_bonus(bonus: Bonus, field: str, stops: set[str]) -> None:
    _check_money(bonus.pays, f"{field}.pays")
    require(
        0 <= bonus.runs <= TRAIN_COUNT_MAX,
        f"{field}.runs",
        "runs_out_of_range",
        f"runs {bonus.runs} of bonus {bonus.id!r} is not within 0 to {TRAIN_COUNT_MAX}",
    )
    most = ENDS_OF_A_ROUTE if bonus.where in ("ends", "counted_ends") else GROUP_COUNT_MAX
    message = f"{len(bonus.groups)} groups given, at least 1 and at most {most} are allowed"
    require(1 <= len(bonus.groups) <= most, f"{field}.groups", "groups_out_of_range", message)
    seen: set[str] = set()
    for number, group in enumerate(bonus.groups):
        place = f"{field}.groups[{number}]"
        require(bool(group), place, "empty_group", "no stop is named, so no run could have the bonus")
        _check_known(group, place, stops)
        for name, pays in group.items():
            _check_money(pays, f"{place}[{name!r}]")
            message = f"stop {name!r} is in two groups of bonus {bonus.id!r}"
            require(name not in seen, place, "groups_overlap", message)
        seen.update(group)


def _check_multiples(problem: RouteProblem, bonus: Bonus, field: str) -> None:
    """What is multiplied has the same limit as what is not."""
    most = max((bonus.pays, *(money for group in bonus.groups for money in group.values())))
    for train in problem.trains:
        paid = bonus.money_for(train, most) if concerns(bonus, train) else 0
        message = f"bonus {bonus.id!r} would pay {paid} to train {train.id!r}, above {BONUS_MAX}"
        require(paid <= BONUS_MAX, field, "revenue_out_of_range", message)


def _check_names(names: tuple[str, ...], field: str, limit: int) -> None:
    require(len(names) <= limit, field, "too_many", f"{len(names)} given, at most {limit} are allowed")
    for index, name in enumerate(names):
        require(name != "", f"{field}[{index}].id", "missing_id", "the id is empty")
        require(name not in names[:index], f"{field}[{index}].id", "repeated_id", f"{name!r} is given twice")


def _check_known(names: Iterable[str], field: str, stops: set[str]) -> None:
    for name in names:
        require(name in stops, field, "unknown_stop", f"there is no stop {name!r}")


def _check_money(money: int, field: str) -> None:
    message = f"{money} is not within 0 to {BONUS_MAX}"
    require(0 <= money <= BONUS_MAX, field, "revenue_out_of_range", message)
