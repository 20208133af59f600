"""What the answer to a question for direct routes holds beside what all answers do."""

from __future__ import annotations

import msgspec


class DirectRoute(msgspec.Struct, frozen=True):
    """A way to a goal that passes only towns. `stops` and `segments` in the order travelled, from a stop with a token of the
    company to the goal; `hexes` those passed. `cost` in whole currency units: that of its segments. `traffic`: of its
    towns and of the goal; its start gives none.
    """

    stops: tuple[str, ...]
    segments: tuple[str, ...]
    hexes: tuple[str, ...]
    cost: int
    traffic: int


class Goal(msgspec.Struct, frozen=True):
    """A stop that the company can reach, and the direct routes to it by rising cost: none is dominated, that is each costs
    less or brings more than each other. `proven`: no route that another one does not match is missing. `least_cost`,
    `most_traffic`: no route costs less or brings more; where it is proven there is one that costs or brings this.
    """

    stop: str
    routes: tuple[DirectRoute, ...]
    least_cost: int
    most_traffic: int
    proven: bool


class Covered(msgspec.Struct, frozen=True):
    """How much of the company's traffic a train covers; `train` is empty for what is covered beside the trains."""

    train: str
    traffic: int
