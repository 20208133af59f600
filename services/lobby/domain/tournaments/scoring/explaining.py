"""Why a player has this place, in words."""

from __future__ import annotations

from services.lobby.domain.tournaments.scoring.policy import Criterion
from services.lobby.domain.tournaments.scoring.results import UNIT
from services.lobby.domain.tournaments.scoring.standings import Line, Reason

_DECIMALS = 6
_IN_MILLIONTHS = frozenset(Criterion) - {Criterion.HEAD_TO_HEAD, Criterion.CLOCK, Criterion.LOT}


def amount(value: int) -> str:
    """An amount of millionths as a decimal number without trailing zeros."""
    sign, (whole, rest) = "-" if value < 0 else "", divmod(abs(value), UNIT)
    digits = f"{rest:0{_DECIMALS}d}".rstrip("0")
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def explanation(line: Line) -> str:
    """The reasons for a rank: each criterion with the player's value, until nobody was tied any more."""
    reasons = "; ".join(_clause(reason) for reason in line.reasons) or "the only player"
    if not line.overdue_points:
        return reasons
    return f"{reasons}; overdue turns have cost {amount(line.overdue_points)} points"


def _clause(reason: Reason) -> str:
    shown = amount(reason.value) if reason.criterion in _IN_MILLIONTHS else str(reason.value)
    name = reason.criterion.value.replace("_", " ")
    tied = f", tied with {reason.tied_after}" if reason.tied_after else ""
    return f"{name} {shown}{tied}"
