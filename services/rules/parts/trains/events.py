"""Events of trains: who owns them, phases, runs and what they earn."""

from __future__ import annotations

from msgspec.structs import replace

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.kernel.values import copy_number, kind_name
from services.rules.parts.trains.state import Run, TrainsState, TrainTurn

SHARES_NOT_NOTED = -1


class TrainMoved(Event, frozen=True):
    """`train` went from `source` to `target`; `BANK` is the depot, an empty target is out of the game."""

    train: str
    source: str
    target: str
    reason: str

    def write(self, game: Game) -> None:
        """Trains leave the depot in the order of their numbers, so the number of any of them says how many have left. One that
        a bankrupt company left behind is on nobody's list."""
        trains, kind = TrainsState.to_write(game), kind_name(self.train)
        trains.depot_gone[kind] = max(trains.depot_gone.get(kind, 0), copy_number(self.train) + 1)
        left = trains.owned.get(self.source, ())
        if self.train in left:
            trains.owned[self.source] = tuple([train for train in left if train != self.train])
        if self.target:
            trains.owned[self.target] = (*trains.owned.get(self.target, ()), self.train)


class TrainKindSold(Event, frozen=True):
    """The first train of `kind` was sold."""

    kind: str

    def write(self, game: Game) -> None:
        """The kind joins those that were sold."""
        trains = TrainsState.to_write(game)
        trains.depot_sold = (*trains.depot_sold, self.kind)


class PhaseStarted(Event, frozen=True):
    """The phase named `phase` began."""

    phase: str

    def write(self, game: Game) -> None:
        """There is one phase."""
        TrainsState.to_write(game).phase = self.phase


class TrainsRan(Event, frozen=True):
    """The trains of `company` ran; totals are the sums over `runs`."""

    company: str
    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int

    def write(self, game: Game) -> None:
        """The runs are kept until the company runs again."""
        TrainsState.to_write(game).last_runs[self.company] = self.runs
        earned = replace(
            TrainTurn.of_turn(game), ran=True, revenue=self.revenue, treasury_income=self.treasury_income
        )
        earned.note_turn(game)


class RevenueCorrected(Event, frozen=True):
    """A recorded game booked other figures for this run than its routes earn; these count from here on."""

    company: str
    revenue: int
    treasury_income: int

    def write(self, game: Game) -> None:
        """The figures of the turn are replaced."""
        corrected = replace(
            TrainTurn.of_turn(game), revenue=self.revenue, treasury_income=self.treasury_income
        )
        corrected.note_turn(game)


class DividendDeclared(Event, frozen=True):
    """`company` paid, split or withheld `revenue`; `per_share` is what a share received, and so many shares did: `per_share`
    times `share_count` was paid out. `share_count` is 0 when all was withheld, `SHARES_NOT_NOTED` in old logs."""

    company: str
    kind: str
    revenue: int
    per_share: int
    share_count: int

    def write(self, game: Game) -> None:
        """The turn knows how the revenue was divided."""
        replace(TrainTurn.of_turn(game), dividend=self.kind).note_turn(game)


EVENTS: tuple[type[Event], ...] = (
    TrainMoved,
    TrainKindSold,
    PhaseStarted,
    TrainsRan,
    RevenueCorrected,
    DividendDeclared,
)
