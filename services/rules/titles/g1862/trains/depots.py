"""Trains of 1862: what the bank sells, what a train runs as, limits, prices, and what a new letter makes obsolete (7.9, 9.0).

An obsolete train with a warranty stays until its last warranty is gone (1862/7.10-e)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.depot import next_normal, note_first_sale
from services.rules.parts.trains.events import PhaseStarted, TrainMoved
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1862.companies import kinds_in_play
from services.rules.titles.g1862.events import TrainKindChosen, WarrantiesSet
from services.rules.titles.g1862.figures import TrainFace, kind_of, phases_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import ServiceKind, charter_of, own


def train_face(game: Game, data: TitleData, train: str) -> TrainFace:
    """What a bought train runs as: name, reach, and how many stops count (1862/2.2-b)."""
    return kind_of(data, train).faces[own(game).train_kinds[train]]


def licensed_kinds(game: Game, symbol: str) -> tuple[ServiceKind, ...]:
    """The kinds of train a company may run: those of its licences; in a simple game, which has none, the only kind there
    is (1862/7.8.4-a, 11.1-h)."""
    kinds = kinds_in_play(game.options)
    return kinds if len(kinds) == 1 else charter_of(game, symbol).licences


def runnable_trains(game: Game, symbol: str) -> tuple[str, ...]:
    """The trains that a company has a licence for (1862/7.8.4-a)."""
    kinds = licensed_kinds(game, symbol)
    return tuple(
        train for train in trains_of(game).owned.get(symbol, ()) if own(game).train_kinds[train] in kinds
    )


def is_permanent(data: TitleData, train: str) -> bool:
    """Whether no later train ever makes it obsolete (1862/7.8.1-i, 11.2-c)."""
    return not kind_of(data, train).removed_by


def bank_train(game: Game, data: TitleData) -> str:
    """The train on sale in the bank: all of one letter go before the next (1862/7.9-a). H never runs out (1862/9.0-s)."""
    return next_normal(game, data)


def bank_price(game: Game, data: TitleData) -> int:
    """What the train on sale in the bank costs (1862/7.9-b)."""
    return kind_of(data, bank_train(game, data)).price


def used_price(game: Game, data: TitleData, train: str) -> int:
    """What a train costs that another company owns: its printed price while its letter is the last, then half (1862/7.9-c)."""
    return price_beside(data, train, last_letter(game, data))


def last_letter(game: Game, data: TitleData) -> str:
    """The letter whose used trains cost as much as new ones: that of the phase, or by one ruling that on sale."""
    by_sale = plays(game, "used_train_price", "next_letter_on_sale")
    return kind_name(bank_train(game, data)) if by_sale else phase_of(game)


def price_beside(data: TitleData, train: str, last: str) -> int:
    """What a used train costs while `last` is the last letter."""
    printed = kind_of(data, train).price
    return printed if kind_name(train) == last else printed // 2


def has_room(game: Game, data: TitleData, symbol: str, kind: ServiceKind) -> bool:
    """Whether a company is below its limit for this kind, or in all (1862/7.9-g, 7.9-i). Trains it may not run count."""
    if phases_of(data)[phase_of(game)].limit_of_each_kind:
        return has_room_for_kind(game, data, symbol, kind)
    return len(trains_of(game).owned.get(symbol, ())) < _limit(game, data, symbol)


def has_room_for_kind(game: Game, data: TitleData, symbol: str, kind: ServiceKind) -> bool:
    """Whether a company has fewer trains of this kind than its limit."""
    trains = trains_of(game).owned.get(symbol, ())
    return sum(own(game).train_kinds[train] == kind for train in trains) < _limit(game, data, symbol)


def _limit(game: Game, data: TitleData, symbol: str) -> int:
    return phases_of(data)[phase_of(game)].train_limit[cards_of(data)[symbol].kind]


def take_from_bank(
    draft: Draft, data: TitleData, symbol: str, kind: ServiceKind, bought_warranties: int
) -> None:
    """The bank's train goes to a company, as a train of this kind; the first of a letter starts its phase at once, and
    what is obsolete then goes without compensation (1862/7.9-e, 9.0-a, 9.0-t)."""
    train = bank_train(draft.game, data)
    name = kind_name(train)
    draft.emit(TrainMoved(train, BANK, symbol, "bought"))
    note_first_sale(draft, name)
    draft.emit(TrainKindChosen(train, kind))
    warranties = kind_of(data, train).free_warranties + bought_warranties
    if warranties:
        draft.emit(WarrantiesSet(train, warranties))
    if name != phase_of(draft.game):
        draft.emit(PhaseStarted(name))
        rust_without_warranty(draft, data)


def is_obsolete(game: Game, data: TitleData, train: str) -> bool:
    """Whether the phase that makes this train obsolete has begun."""
    letters = list(phases_of(data))
    now = letters.index(phase_of(game))
    return any(letters.index(letter) <= now for letter in kind_of(data, train).removed_by)


def rust_without_warranty(draft: Draft, data: TitleData) -> None:
    """Obsolete trains leave the game, but for those that still have a warranty (1862/9.0-t, 7.10-e)."""
    for symbol, trains in list(trains_of(draft.game).owned.items()):
        for train in trains:
            if is_obsolete(draft.game, data, train) and not own(draft.game).warranties.get(train):
                draft.emit(TrainMoved(train, symbol, "", "rusted"))
