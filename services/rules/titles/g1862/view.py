"""What players see of a game of 1862 beside what every title shows."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile
from services.rules.titles.g1862.state import Exchange, ServiceKind, State, own


class Charter(Struct, frozen=True):
    """A company on the offer."""

    company: str
    offered_from: str
    licence: ServiceKind
    licences: tuple[ServiceKind, ...]
    chartered: bool


class Obligation(Struct, frozen=True):
    """A player answers for a company being quoted in time."""

    player: str
    company: str


class TrainTerms(Struct, frozen=True):
    """What one train runs as, and its warranties."""

    train: str
    kind: ServiceKind
    warranties: int


class Beneath(Struct, frozen=True):
    """A piece beneath a tile that only shows added stations."""

    hex: str
    piece: LaidTile


class View(Struct, frozen=True):
    """`exchange` has one entry or none."""

    charters: tuple[Charter, ...]
    obligations: tuple[Obligation, ...]
    exchange: tuple[Exchange, ...]
    train_terms: tuple[TrainTerms, ...]
    beneath: tuple[Beneath, ...]
    monopoly: str


def view(game: Game, data: TitleData) -> View:
    """The view of a game."""
    state = own(game)
    return View(
        charters=_charters(state),
        obligations=tuple(Obligation(*each) for each in state.obligations),
        exchange=() if state.exchange is None else (state.exchange,),
        train_terms=_train_terms(state),
        beneath=tuple(Beneath(hex_id, piece) for hex_id, piece in state.beneath.items()),
        monopoly=state.monopoly,
    )


def _charters(state: State) -> tuple[Charter, ...]:
    return tuple(
        Charter(symbol, each.offered_from, each.licence, each.licences, each.chartered)
        for symbol, each in state.charters.items()
    )


def _train_terms(state: State) -> tuple[TrainTerms, ...]:
    trains = sorted(state.train_kinds.keys() | state.warranties.keys())
    return tuple(
        TrainTerms(train, state.train_kinds.get(train, ""), state.warranties.get(train, 0))
        for train in trains
    )
