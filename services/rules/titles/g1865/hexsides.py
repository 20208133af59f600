"""What crossing a hexside costs a token."""

from __future__ import annotations

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import side_between
from services.rules.titles.g1865.figures import figures_of

PLAIN = "plain"


def cost_of_side(data: TitleData, one: str, other: str) -> int:
    """The cost of the side between two hexes next to each other: plain, or by what lies along it (1865/5.2-e)."""
    return figures_of(data).token_cost[side_between(data, one, other) or PLAIN]
