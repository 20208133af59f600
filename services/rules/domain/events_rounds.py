"""Events of the course of play: set-up, phases, rounds, turns, questions to players, the end."""

from __future__ import annotations

from services.rules.domain.event_base import Event, Ruling, Score
from services.rules.domain.vocabulary import InterruptKind, RoundKind, TurnAction, UndoPolicy


class GameCreated(Event, frozen=True):
    """A table's game begins: `players` in seat order; `seed` feeds every later draw, whose result is again an event."""

    title: str
    rules_version: int
    players: tuple[str, ...]
    options: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    undo_policy: UndoPolicy
    seed: int
    bank_cash: int


class PhaseStarted(Event, frozen=True):
    """The phase named `phase` began."""

    phase: str


class RoundStarted(Event, frozen=True):
    """Round `number` of `count` of this kind in game turn `turn`; `order` acts first to last."""

    kind: RoundKind
    turn: int
    number: int
    count: int
    order: tuple[str, ...]


class RoundEnded(Event, frozen=True):
    """The round is over with all that follows from it; the next one begins as soon as nobody has to answer."""

    kind: RoundKind


class OrderChanged(Event, frozen=True):
    """The round is acted in this order from now on; the turn stays at its place in it."""

    order: tuple[str, ...]


class TurnStarted(Event, frozen=True):
    """It is the turn of `order[position]`."""

    position: int


class StepStarted(Event, frozen=True):
    """The actor now stands in `step`."""

    step: str


class StepPassed(Event, frozen=True):
    """The actor does nothing more in `step`."""

    step: str


class PlayerPassed(Event, frozen=True):
    """`player` did nothing (more) in this stock-round turn; `acted` tells whether something was done before."""

    player: str
    acted: bool


class TurnEnded(Event, frozen=True):
    """The company or player `actor` finished its turn."""

    actor: str


class StockTurnActed(Event, frozen=True):
    """`player` bought (`bought`) or sold (`sold` = company) in this stock-round turn."""

    player: str
    bought: str = ""
    sold: str = ""


class PriorityMoved(Event, frozen=True):
    """`player` holds the priority card."""

    player: str


class InterruptRaised(Event, frozen=True):
    """`player` must answer before play goes on: `kind` about `company`, `subject` narrows it down (a train)."""

    kind: InterruptKind
    player: str
    company: str
    subject: str = ""


class InterruptSettled(Event, frozen=True):
    """The oldest open interrupt of this kind about `company` is answered; `agreed` is the answer to an offer."""

    kind: InterruptKind
    company: str
    agreed: bool = True


class GameEndTriggered(Event, frozen=True):
    """The game will end (`reason`), after the operating rounds that still have to be played."""

    reason: str


class GameEnded(Event, frozen=True):
    """The game is over; `scores` from the wealthiest down."""

    reason: str
    scores: tuple[Score, ...]


class ActionTaken(Event, frozen=True):
    """The actor has used up this action of its turn."""

    action: TurnAction


class MonopolyFormed(Event, frozen=True):
    """The company that swallows all others forms (1862/10.3-a); the certificate limit is `certificate_limit` from now on."""

    name: str
    certificate_limit: int


class Undone(Event, frozen=True):
    """Everything after `to_sequence` is taken back: the game stands as it stood there."""

    player: str
    to_sequence: int
