"""Trains and phases as printed, in their wire form: messages of the same names have the same fields."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from services.rules.kernel.printed import own_figures
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.data import Phase, TrainKind, phases_of, train_kinds_of


class PrintedTrain(Struct, frozen=True):
    """A kind of train; `count` 0 means without limit. `removed_by`: kinds whose first train makes it obsolete.
    `on_sale_from`: it is on sale beside the next normal train once this kind has started. `own`: what the title prints
    beyond these."""

    name: str
    kind: str
    stops: int
    count: int
    price: int
    clause: str
    removed_by: tuple[str, ...]
    on_sale_from: str
    own: dict[str, Any]


class TrainLimit(Struct, frozen=True):
    """How many trains a company of this kind may own."""

    company_kind: str
    limit: int


class PrintedPhase(Struct, frozen=True):
    """A phase, named for the train that starts it. `revenue`: the key by which it counts; `printed`: what the box calls it;
    `own`: what the title prints beyond these."""

    name: str
    tiles: tuple[str, ...]
    revenue: str
    operating_rounds: int
    train_limits: tuple[TrainLimit, ...]
    printed: str
    own: dict[str, Any]


class PrintedTrains(Struct, frozen=True):
    """Trains and phases, first to come first."""

    trains: tuple[PrintedTrain, ...]
    phases: tuple[PrintedPhase, ...]


def printed(data: TitleData) -> PrintedTrains:
    """Trains and phases of a title that has them."""
    return PrintedTrains(
        tuple(map(_train, train_kinds_of(data).values())), tuple(map(_phase, phases_of(data).values()))
    )


def _train(kind: TrainKind) -> PrintedTrain:
    return PrintedTrain(
        name=kind.name,
        kind=kind.kind,
        stops=kind.stops,
        count=kind.count,
        price=kind.price,
        clause=kind.clause,
        removed_by=kind.removed_by,
        on_sale_from=kind.on_sale_from or "",
        own=own_figures(kind, TrainKind),
    )


def _phase(phase: Phase) -> PrintedPhase:
    return PrintedPhase(
        name=phase.name,
        tiles=phase.tiles,
        revenue=phase.revenue,
        operating_rounds=phase.operating_rounds,
        train_limits=tuple(TrainLimit(kind, limit) for kind, limit in phase.train_limit.items()),
        printed=phase.printed,
        own=own_figures(phase, Phase),
    )
