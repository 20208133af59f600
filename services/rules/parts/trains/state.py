"""Trains of a game: who owns them, what left the depot, the phase, and how they ran."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.data import train_kinds_of

PART = "trains"


class Run(Struct, frozen=True, gc=False):
    """One train's run: stops in order as `HEX.n`, the hexes passed, what it earned.

    `revenue` is split or paid out; `treasury_income` (mines, subsidies) always goes to the treasury (1824/IV.2-i,
    1862/7.8.2-e). `counted`: the stops whose value is in the revenue, where a title leaves some out."""

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    hexes: tuple[str, ...]
    revenue: int
    treasury_income: int
    counted: tuple[str, ...] = ()


class TrainsState(PartState):
    """`owned`: trains by owner. By kind of train: how many left the depot (`depot_gone`), and the kinds of which one was
    sold (`depot_sold`, in the order of their first sale). `last_runs` by company."""

    PART: ClassVar[str] = PART

    owned: dict[str, tuple[str, ...]] = {}
    depot_gone: dict[str, int] = {}
    depot_sold: tuple[str, ...] = ()
    phase: str = ""
    last_runs: dict[str, tuple[Run, ...]] = {}

    def copy(self) -> TrainsState:
        """An independent copy."""
        return TrainsState(
            self.owned.copy(), self.depot_gone.copy(), self.depot_sold, self.phase, self.last_runs.copy()
        )

    def position(self, data: TitleData) -> object:
        """All but the runs and the number of trains gone of which there is no end."""
        gone = {name: count for name, count in self.depot_gone.items() if train_kinds_of(data)[name].count}
        return self.owned, self.depot_sold, self.phase, gone


class TrainTurn(PartNote, frozen=True):
    """`ran`: the trains ran in this turn, for `revenue` and `treasury_income`; `dividend`: how it was divided."""

    PART: ClassVar[str] = PART

    ran: bool = False
    dividend: str = ""
    revenue: int = 0
    treasury_income: int = 0


def trains_of(game: Game) -> TrainsState:
    """The trains of a game, to be read."""
    try:
        found: Any = game.parts[PART]
    except KeyError:
        return TrainsState()
    trains: TrainsState = found
    return trains


def owned_by(game: Game, owner: str) -> tuple[str, ...]:
    """The trains of one owner, in the order in which they came."""
    return trains_of(game).owned.get(owner, ())


def phase_of(game: Game) -> str:
    """The phase at hand, empty before the first."""
    return trains_of(game).phase


def train_turn(game: Game) -> TrainTurn:
    """How the trains ran in the turn at hand."""
    return TrainTurn.of_turn(game)
