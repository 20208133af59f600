"""Trains: their names, the depot, limits and what the first train of a kind removes. A train's id is `kind-copy`."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData, TrainKind


def kind_name(train: str) -> str:
    """The kind of a train, from its id."""
    return train.rsplit("-", 1)[0]


def kind_of(data: TitleData, train: str) -> TrainKind:
    """The printed card of a train."""
    return data.trains[kind_name(train)]


def next_copy(game: Game, data: TitleData, name: str) -> str:
    """The next train of this kind in the depot, empty when all are gone."""
    gone = game.depot_gone.get(name, 0)
    count = data.trains[name].count
    return f"{name}-{gone}" if count == 0 or gone < count else ""


def next_normal(game: Game, data: TitleData) -> str:
    """The next normal train; all of one kind must be gone before the next comes (1824/VII.11-r)."""
    normal = (next_copy(game, data, name) for name, kind in data.trains.items() if kind.kind == "normal")
    return next((train for train in normal if train), "")


def has_started(game: Game, data: TitleData, name: str) -> bool:
    """Whether the first train of this kind has left the depot for a company, or started a phase by its export."""
    if name in game.depot_sold:
        return True
    order = list(data.phases)
    return name in order and 0 < order.index(name) <= order.index(game.phase)


def on_sale(game: Game, data: TitleData) -> tuple[str, ...]:
    """Trains in the depot that may be bought: the next normal one, and one of every goods kind on sale."""
    found = [next_normal(game, data)]
    for name, kind in data.trains.items():
        if kind.on_sale_from and has_started(game, data, kind.on_sale_from):
            found.append(next_copy(game, data, name))
    return tuple(train for train in found if train)


def limit(data: TitleData, game: Game, company: str) -> int:
    """Train limit of `company` in the present phase; a kind the phase does not name may own none."""
    return data.phases[game.phase].train_limit.get(data.companies[company].kind, 0)


def is_crowded(game: Game, data: TitleData, company: str) -> bool:
    """Whether `company` owns more trains than it may."""
    return len(game.trains.get(company, ())) > limit(data, game, company)


def leave_depot(draft: Draft, data: TitleData, train: str, target: str, reason: e.TrainReason) -> bool:
    """Take `train` from the depot to `target` (empty: abroad); starts its phase and removes what it makes obsolete.

    Returns whether it was the first of its kind to leave."""
    name = kind_name(train)
    first = draft.game.depot_gone.get(name, 0) == 0
    draft.emit(e.TrainMoved(train, e.BANK, target, reason))
    if not first:
        return False
    if name in data.phases and name != draft.game.phase:
        draft.emit(e.PhaseStarted(name))
    for obsolete, kind in data.trains.items():
        if name in kind.removed_by:
            _remove_kind(draft, data, obsolete)
    return True


def _remove_kind(draft: Draft, data: TitleData, name: str) -> None:
    for company, trains in list(draft.game.trains.items()):
        for train in trains:
            if kind_name(train) == name:
                draft.emit(e.TrainMoved(train, company, "", "rusted"))
    while train := next_copy(draft.game, data, name):
        draft.emit(e.TrainMoved(train, e.BANK, "", "removed"))
