"""Who owns which trains, what the depot has left, and what was run."""

from __future__ import annotations

from typing import NamedTuple

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.trains.data import phases_of, train_kinds_of
from services.rules.parts.trains.events import (
    DividendDeclared,
    PhaseStarted,
    RevenueCorrected,
    TrainKindSold,
    TrainMoved,
    TrainsRan,
)
from services.rules.parts.trains.state import Run, TrainsState, phase_of, trains_of
from tests.positions.reading import Events, facts
from tests.positions.written import WrittenGame


class TrainsFacts(WrittenGame):
    """Trains, phases and runs."""

    __slots__ = ()

    def owns_trains(self, company: str, *kinds: str) -> tuple[str, ...]:
        """The company gets the next trains of these kinds out of the depot; their ids. No phase begins."""
        return tuple(self.takes_next_train(company, kind) for kind in kinds)

    def takes_next_train(self, company: str, kind: str) -> str:
        """The company gets the next train of the kind; its id. The first of its kind is noted as such."""
        train = f"{kind}-{trains_of(self.game).depot_gone.get(kind, 0)}"
        self.train_is_owned(train, company, source=BANK)
        if kind not in trains_of(self.game).depot_sold:
            self.write(TrainKindSold(kind))
        return train

    def train_is_owned(self, train: str, company: str, *, source: str = "") -> None:
        """The company has this train, which it got from `source`, or which was in nobody's hands and not in the depot."""
        if source:
            self.write(TrainMoved(train, source, company, "bought"))
        else:
            trains = TrainsState.to_write(self.game)
            trains.owned[company] = (*trains.owned.get(company, ()), train)

    def train_is_gone(self, train: str, company: str) -> None:
        """The company has this train no more, and nobody else has."""
        trains = TrainsState.to_write(self.game)
        trains.owned[company] = tuple(each for each in trains.owned[company] if each != train)

    def trains_are_sold(self, kind: str, *, leave: int = 0) -> None:
        """Trains of the kind left the game until so many are in the depot."""
        while trains_of(self.game).depot_gone.get(kind, 0) < train_kinds_of(self.data)[kind].count - leave:
            self.owns_trains("", kind)

    def phase_is(self, name: str) -> None:
        """The phase at hand: all trains before it are sold, the first of it too; nothing else is touched."""
        order = list(phases_of(self.data))
        for earlier in order[: order.index(name)]:
            self.trains_are_sold(earlier)
        if not trains_of(self.game).depot_gone.get(name):
            self.owns_trains("", name)
        if phase_of(self.game) != name:
            self.phase_alone_is(name)

    def phase_alone_is(self, name: str) -> None:
        """The phase at hand, with the depot as it is."""
        self.write(PhaseStarted(name))

    def has_run(self, company: str, revenue: int, to_treasury: int = 0, *runs: Run) -> None:
        """The trains of the company earned so much in the turn at hand, and so much for the treasury alone."""
        self.write(TrainsRan(company, runs, revenue, to_treasury))


def phases(events: Events) -> list[str]:
    """The phases that began."""
    return [each.phase for each in facts(events, PhaseStarted)]


class Earning(NamedTuple):
    """What the trains of a company ran and earned."""

    company: str
    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int


def earnings(events: Events) -> list[Earning]:
    """The runs of companies."""
    return [
        Earning(each.company, each.runs, each.revenue, each.treasury_income)
        for each in facts(events, TrainsRan)
    ]


def dividends(events: Events) -> list[tuple[str, str, int, int, int]]:
    """(company, kind, revenue, amount for a share, shares paid) of revenues that were divided."""
    return [
        (each.company, each.kind, each.revenue, each.per_share, each.share_count)
        for each in facts(events, DividendDeclared)
    ]


def corrected_revenues(events: Events) -> list[tuple[str, int]]:
    """(company, revenue) where a recorded game booked something else than its routes earn."""
    return [(each.company, each.revenue) for each in facts(events, RevenueCorrected)]
