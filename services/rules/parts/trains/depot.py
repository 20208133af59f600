"""Trains: their names, the depot, limits and what the first train of a kind removes. A train's id is `kind-copy`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.data import TrainKind, phases_of, train_kinds_of
from services.rules.parts.trains.events import PhaseStarted, TrainKindSold, TrainMoved
from services.rules.parts.trains.state import phase_of, trains_of


def kind_name(train: str) -> str:
    """The kind of a train, from its id."""
    return train.rsplit("-", 1)[0]


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
        if kind.kind == "normal" and (train := _next_copy(kind, gone_of)):
            return train
    return ""


def has_started(game: Game, data: TitleData, name: str) -> bool:
    """Whether the first train of this kind has left the depot for a company, or started a phase by its export."""
    if name in trains_of(game).depot_sold:
        return True
    started_by = _started_by(data)
    return 0 < started_by.get(name, 0) <= started_by.get(phase_of(game), 0)


@lru_cache(maxsize=64)
def _started_by(data: TitleData) -> dict[str, int]:
    """The phases by name, numbered from 0: the first one is there from the start."""
    return {name: number for number, name in enumerate(phases_of(data))}


def on_sale(game: Game, data: TitleData) -> tuple[str, ...]:
    """Trains in the depot that may be bought: the next normal one, and one of every goods kind on sale."""
    found = [next_normal(game, data)]
    for name, opener in _sold_beside(data):
        if has_started(game, data, opener):
            found.append(next_copy(game, data, name))
    return tuple([train for train in found if train])


@lru_cache(maxsize=64)
def _sold_beside(data: TitleData) -> tuple[tuple[str, str], ...]:
    """The kinds that are sold beside the next normal train, each with the kind from which on it is."""
    kinds = train_kinds_of(data).items()
    return tuple((name, kind.on_sale_from) for name, kind in kinds if kind.on_sale_from)


def limit(data: TitleData, game: Game, company: str) -> int:
    """Train limit of `company` in the present phase; a kind the phase does not name may own none."""
    return phases_of(data)[phase_of(game)].train_limit.get(cards_of(data)[company].kind, 0)


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
