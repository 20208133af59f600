"""Checks that rule families share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.routing.domain.problem import RouteProblem, Train, require

MONEY_MOST = 10_000
NETWORK_PARAMETERS: Final[dict[str, object]] = {
    "home": "",
    "links": "cities",
    "freight_joins": "one_route",
    "bonus_per_hex": 0,
    "bonus_per_hex_port": 0,
    "subsidy_per_hex": 0,
}
SEPARATE_TRACK_PARAMETERS: Final[dict[str, object]] = {
    "bonuses": (),
    "requirements": (),
    "places_once": "run",
}
DIRECT_PARAMETERS: Final[dict[str, object]] = {"traffic": 0, "coverage_beside": 0, "goals": ()}


def check_foreign(problem: RouteProblem, defaults: Mapping[str, object], where: str) -> None:
    """Refuse parameters of another family."""
    for name, default in defaults.items():
        require(
            getattr(problem.parameters, name) == default,
            f"parameters.{name}",
            "parameter_not_possible",
            f"{name} means nothing {where}",
        )


def check_kind(index: int, train: Train, known: bool, family: str) -> None:
    """Refuse a kind of train that the family does not know."""
    message = f"there are no {train.kind} trains in family {family}"
    require(known, f"trains[{index}].kind", "kind_not_possible", message)


def check_joins(index: int, train: Train, possible: bool) -> None:
    """Refuse a train that cannot be joined."""
    message = f"train {train.id!r} cannot be joined: it is no freight train"
    require(possible, f"trains[{index}].joins", "joins_not_possible", message)


def check_decided(index: int, train: Train, defaults: Mapping[str, object]) -> None:
    """Refuse what the kind of a train decides."""
    for name, default in defaults.items():
        require(
            getattr(train, name) == default,
            f"trains[{index}].{name}",
            f"{name}_not_possible",
            f"the kind of train {train.id!r} decides its {name}",
        )


def check_no_locked_runs(problem: RouteProblem, reason: str) -> None:
    """Refuse locked runs."""
    require(not problem.options.locked_runs, "options.locked_runs", "locked_run_not_possible", reason)
