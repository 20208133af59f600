"""Trains: their names, the depot, limits and what the first train of a kind removes. A train's id is `kind-copy`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.data import TrainKind, phases_of, train_kinds_of
from services.rules.parts.trains.events import PhaseStarted, TrainKindSold, TrainMoved
from services.rules.parts.trains.state import TrainsState, phase_of, trains_of


def is_known(data: TitleData, train: str) -> bool:
    """Whether there are trains of this one's kind."""
    return kind_name(train) in train_kinds_of(data)


def kind_of(data: TitleData, train: str) -> TrainKind:
    """The printed card of a train."""
    return train_kinds_of(data)[kind_name(train)]


def next_copy(game: Game, data: TitleData, name: str) -> str:
    """The next train of this kind in the depot, empty when all are gone."""
    return _next_copy(train_kinds_of(data)[name], trains_of(game).depot_gone)


def _next_copy(kind: TrainKind, gone_of: Mapping[str, int]) -> str:
    gone = gone_of.get(kind.name, 0)
    return f"{kind.name}-{gone}" if kind.count == 0 or gone < kind.count else ""


def next_normal(game: Game, data: TitleData) -> str:
    """The next normal train; all of one kind must be gone before the next comes (1824/VII.11-r)."""
    gone_of = trains_of(game).depot_gone
    for kind in train_kinds_of(data).values():
        if kind.kind == "normal" and (kind.count == 0 or gone_of.get(kind.name, 0) < kind.count):
            return _next_copy(kind, gone_of)
    return ""


def has_started(game: Game, data: TitleData, name: str) -> bool:
    """Whether the first train of this kind has left the depot for a company, or started a phase by its export."""
    return _has_started(trains_of(game), data, name)


def _has_started(trains: TrainsState, data: TitleData, name: str) -> bool:
    if name in trains.depot_sold:
        return True
    started_by = _started_by(data)
    return 0 < started_by.get(name, 0) <= started_by.get(trains.phase, 0)


@lru_cache(maxsize=64)
def _started_by(data: TitleData) -> dict[str, int]:
    """The phases by name, numbered from 0: the first one is there from the start."""
    return {name: number for number, name in enumerate(phases_of(data))}


def on_sale(game: Game, data: TitleData) -> tuple[str, ...]:
    """Trains in the depot that may be bought: the next normal one, and one of every goods kind on sale."""
    trains = trains_of(game)
    beside = [
        _next_copy(kind, trains.depot_gone)
        for kind, opener in _sold_beside(data)
        if _has_started(trains, data, opener)
    ]
    return tuple([train for train in (next_normal(game, data), *beside) if train])


@lru_cache(maxsize=64)
def _sold_beside(data: TitleData) -> tuple[tuple[TrainKind, str], ...]:
    """The kinds that are sold beside the next normal train, each with the kind from which on it is."""
    return tuple((kind, kind.on_sale_from) for kind in train_kinds_of(data).values() if kind.on_sale_from)


def operating_rounds(game: Game, data: TitleData) -> int:
    """How many operating rounds a set has in the present phase."""
    return phases_of(data)[phase_of(game)].operating_rounds


def limit(data: TitleData, game: Game, company: str) -> int:
    """Train limit of `company` in the present phase; a kind the phase does not name may own none."""
    return phases_of(data)[phase_of(game)].train_limit.get(cards_of(data)[company].kind, 0)


def has_room(game: Game, data: TitleData, company: str) -> bool:
    """Whether `company` owns fewer trains than it may."""
    return len(trains_of(game).owned.get(company, ())) < limit(data, game, company)


def is_crowded(game: Game, data: TitleData, company: str) -> bool:
    """Whether `company` owns more trains than it may."""
    return len(trains_of(game).owned.get(company, ())) > limit(data, game, company)


def leave_depot(draft: Draft, data: TitleData, train: str, target: str, reason: str) -> bool:
    """Take `train` from the depot to `target` (empty: abroad); starts its phase and removes what it makes obsolete.

    Returns whether it was the first of its kind to leave."""
    name = kind_name(train)
    first = trains_of(draft.game).depot_gone.get(name, 0) == 0
    draft.emit(TrainMoved(train, BANK, target, reason))
    if reason == "bought":
        note_first_sale(draft, name)
    if not first:
        return False
    if name in phases_of(data) and name != phase_of(draft.game):
        draft.emit(PhaseStarted(name))
    for obsolete, kind in train_kinds_of(data).items():
        if name in kind.removed_by:
            _remove_kind(draft, data, obsolete)
    return True


def start_first_phase(draft: Draft) -> None:
    """The phase that is there from the start."""
    draft.emit(PhaseStarted(next(iter(phases_of(draft.data)))))


def note_first_sale(draft: Draft, name: str) -> None:
    """A train of this kind was sold; the first one is a fact of its own."""
    if name not in trains_of(draft.game).depot_sold:
        draft.emit(TrainKindSold(name))


def _remove_kind(draft: Draft, data: TitleData, name: str) -> None:
    for company, trains in list(trains_of(draft.game).owned.items()):
        for train in trains:
            if kind_name(train) == name:
                draft.emit(TrainMoved(train, company, "", "rusted"))
    while train := next_copy(draft.game, data, name):
        draft.emit(TrainMoved(train, BANK, "", "removed"))
