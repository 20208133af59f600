"""Why a player has this place, in words."""

from __future__ import annotations

from services.lobby.domain.tournaments.scoring.policy import Criterion
from services.lobby.domain.tournaments.scoring.results import UNIT
from services.lobby.domain.tournaments.scoring.standings import Line, Reason

_DECIMALS = 6
_LESS_IS_BETTER = frozenset({Criterion.CLOCK, Criterion.LOT})
_IN_MILLIONTHS = frozenset(Criterion) - _LESS_IS_BETTER - {Criterion.HEAD_TO_HEAD}


def amount(value: int) -> str:
    """An amount of millionths as a decimal number without trailing zeros."""
    sign, (whole, rest) = "-" if value < 0 else "", divmod(abs(value), UNIT)
    digits = f"{rest:0{_DECIMALS}d}".rstrip("0")
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def points(value: int) -> str:
    """An amount of millionths as points."""
    return f"{amount(value)} point" if value == UNIT else f"{amount(value)} points"


def explanation(line: Line) -> str:
    """The reasons for a rank: each criterion with the player's value, until nobody was tied any more; and what is in the points
    that no table shows."""
    parts = [_clause(reason) for reason in line.reasons] or ["the only player"]
    if line.uncompared:
        tables = "a table" if line.uncompared == 1 else f"{line.uncompared} tables"
        parts.append(f"{tables} with nothing to compare with: {points(line.uncompared_points)} as for a bye")
    if line.overdue_points:
        parts.append(f"overdue turns have cost {points(line.overdue_points)}")
    return "; ".join(parts)


def _clause(reason: Reason) -> str:
    value = -reason.value if reason.criterion in _LESS_IS_BETTER else reason.value
    shown = amount(value) if reason.criterion in _IN_MILLIONTHS else str(value)
    name = reason.criterion.value.replace("_", " ")
    tied = f", tied with {reason.tied_after}" if reason.tied_after else ""
    return f"{name} {shown}{tied}"
