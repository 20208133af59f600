"""The events of every game, in any title: set-up, money, certificates, rounds, turns, questions, the end.

Facts of the log are in the past tense, with the rules already applied. `write` puts a fact into the state and decides
nothing: it assigns. Holders of money and certificates are named by one plain string: a player's id, a company's symbol,
`BANK` or `POOL`. Money is whole units. Parts and titles have events of their own beside these.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from services.rules.kernel.game import IDLE_TURN, Game, Interrupt, Round
from services.rules.kernel.values import Ruling, Score, UndoPolicy
from services.rules.kernel.vocabulary import BANK


class BrokenLog(Exception):
    """The log holds an event that cannot follow the state before it."""


class Event(Struct, frozen=True, gc=False):
    """Base of all events; carries nothing itself."""

    def write(self, game: Game) -> None:
        """Write what happened into `game`. Raises `BrokenLog` when it cannot have happened there."""
        raise NotImplementedError


class LastingEvent(Event, frozen=True):
    """Base of events that an undo of what is around them leaves standing. They say who plays and what a director decided, and
    write nothing that any other event writes: so it does not matter which of the others are left out."""


class OlderEvent(Struct, frozen=True):
    """Base of events as an older version stored them. `MoneySpentV1` is what version 1 of `MoneySpent` said."""

    def upcast(self) -> Event | OlderEvent:
        """The same in the next version, with what follows from the older one."""
        raise NotImplementedError


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

    def write(self, game: Game) -> None:
        """All players begin without money."""
        game.title = self.title
        game.rules_version = self.rules_version
        game.players = self.players
        game.options = self.options
        game.rulings = {ruling.name: ruling.value for ruling in self.rulings}
        game.undo_policy = self.undo_policy
        game.seed = self.seed
        game.cash = {**dict.fromkeys(self.players, 0), BANK: self.bank_cash}


class CashMoved(Event, frozen=True):
    """`amount` > 0 went from `source` to `target`; `subject` is the company, train or hex it was about."""

    source: str
    target: str
    amount: int
    reason: str
    subject: str = ""

    def write(self, game: Game) -> None:
        """Both accounts change by the amount."""
        cash = game.cash
        cash[self.source] = cash.get(self.source, 0) - self.amount
        cash[self.target] = cash.get(self.target, 0) + self.amount


class CertificatesMoved(Event, frozen=True):
    """Certificates `numbers` of `company` (0 = director's), together `shares` shares of it, went from `source` to `target`.

    An empty holder is outside the game: certificates come from there when they are issued and go there when removed."""

    company: str
    numbers: tuple[int, ...]
    source: str
    target: str
    reason: str
    shares: int

    def write(self, game: Game) -> None:
        """The giver loses exactly these certificates, the taker has them last."""
        holdings, moved = game.holdings, self.numbers
        if self.source:
            key = (self.source, self.company)
            held = holdings.get(key, ())
            left = tuple([number for number in held if number not in moved])
            if len(left) + len(moved) != len(held):
                raise BrokenLog(f"{self.source} does not hold certificates {moved} of {self.company}")
            holdings[key] = left
        if self.target:
            key = (self.target, self.company)
            holdings[key] = holdings.get(key, ()) + moved


class DebtChanged(Event, frozen=True):
    """The debt of `player` changed by `amount` (negative: less)."""

    player: str
    amount: int
    reason: str

    def write(self, game: Game) -> None:
        """A holder without debt is not listed."""
        left = game.debts.pop(self.player, 0) + self.amount
        if left:
            game.debts[self.player] = left


class RoundStarted(Event, frozen=True):
    """Round `number` of `count` of this kind in game turn `turn`; `order` acts first to last."""

    kind: str
    turn: int
    number: int
    count: int
    order: tuple[str, ...]

    def write(self, game: Game) -> None:
        """No turn has started yet."""
        game.round = Round(self.kind, self.turn, self.number, self.count, self.order, position=-1)
        game.turn = IDLE_TURN


class RoundEnded(Event, frozen=True):
    """The round and all its consequences are over; the next one starts when no interrupt is open."""

    kind: str

    def write(self, game: Game) -> None:
        """No step is at hand any more."""
        game.round = replace(game.current_round, ended=True, step="")


class OrderChanged(Event, frozen=True):
    """The round is acted in this order from now on; the turn stays at its place in it."""

    order: tuple[str, ...]

    def write(self, game: Game) -> None:
        """The order is replaced."""
        game.round = replace(game.current_round, order=self.order)


class TurnStarted(Event, frozen=True):
    """It is the turn of `order[position]`."""

    position: int

    def write(self, game: Game) -> None:
        """What was done in the turn before is forgotten."""
        game.round = replace(game.current_round, position=self.position, step="")
        game.turn = IDLE_TURN


class StepStarted(Event, frozen=True):
    """The actor is now in `step`."""

    step: str

    def write(self, game: Game) -> None:
        """The step is replaced."""
        game.round = replace(game.current_round, step=self.step)


class StepPassed(Event, frozen=True):
    """The actor does nothing more in `step`."""

    step: str

    def write(self, game: Game) -> None:
        """The turn knows the step that was passed last."""
        game.turn = replace(game.turn, passed=self.step)


class PlayerPassed(Event, frozen=True):
    """`player` did nothing in this turn."""

    player: str

    def write(self, game: Game) -> None:
        """The player joins those who passed."""
        current = game.current_round
        game.round = replace(
            current,
            passed=_joined(current.passed, self.player),
            passed_in_succession=_joined(current.passed_in_succession, self.player),
        )


class PlayerActed(Event, frozen=True):
    """`player` did something in this turn, so that it is no pass."""

    player: str

    def write(self, game: Game) -> None:
        """Nobody has passed since."""
        current = game.current_round
        game.round = replace(
            current,
            last_to_act=self.player,
            passed=tuple([player for player in current.passed if player != self.player]),
            passed_in_succession=(),
        )
        game.turn = replace(game.turn, acted=True)


class TurnEnded(Event, frozen=True):
    """The company or player `actor` finished its turn."""

    actor: str

    def write(self, game: Game) -> None:
        """The next turn begins with a fact of its own."""


class ActionTaken(Event, frozen=True):
    """The actor has used up this action of its turn."""

    action: str

    def write(self, game: Game) -> None:
        """The turn lists its actions in order."""
        game.turn = replace(game.turn, actions=(*game.turn.actions, self.action))


class OfferDeclined(Event, frozen=True):
    """An offer about `subject` (a train, a company) was declined; it is not made again in this turn."""

    subject: str

    def write(self, game: Game) -> None:
        """The turn lists what was declined."""
        game.turn = replace(game.turn, declined=(*game.turn.declined, self.subject))


class PriorityMoved(Event, frozen=True):
    """`player` holds the priority card."""

    player: str

    def write(self, game: Game) -> None:
        """There is one holder."""
        game.priority = self.player


class InterruptRaised(Event, frozen=True):
    """`player` must answer before play goes on: `kind` about `company`, `subject` narrows it down (a train)."""

    kind: str
    player: str
    company: str
    subject: str = ""

    def write(self, game: Game) -> None:
        """Questions are answered in the order in which they came."""
        game.interrupts = (*game.interrupts, Interrupt(self.kind, self.player, self.company, self.subject))


class InterruptSettled(Event, frozen=True):
    """The oldest open question of this kind about `company` is answered."""

    kind: str
    company: str

    def write(self, game: Game) -> None:
        """The question is taken off the list."""
        waiting = game.interrupts
        asked = [
            index
            for index, each in enumerate(waiting)
            if (each.kind, each.company) == (self.kind, self.company)
        ]
        if not asked:
            raise BrokenLog(f"no open interrupt {self.kind} about {self.company}")
        game.interrupts = waiting[: asked[0]] + waiting[asked[0] + 1 :]


class GameEndTriggered(Event, frozen=True):
    """The game will end (`reason`), after the rounds that still have to be played. It was found in round `number` of game
    turn `turn`; 0 is before the first operating round of the turn."""

    reason: str
    turn: int
    number: int

    def write(self, game: Game) -> None:
        """The reason and where it was found."""
        game.ending = self.reason
        game.ending_round = (self.turn, self.number)


class GameEnded(Event, frozen=True):
    """The game is over; `scores` from the wealthiest down."""

    reason: str
    scores: tuple[Score, ...]

    def write(self, game: Game) -> None:
        """Nothing happens any more."""
        game.finished = True
        game.ending = self.reason
        game.scores = self.scores


class Undone(Event, frozen=True):
    """Everything after `to_sequence` is undone but lasting events: the state is again the one after it. `player`: whose
    account did it, perhaps a director's."""

    player: str
    to_sequence: int

    def write(self, game: Game) -> None:
        """Cannot be written into a state; `replay` leaves out what was undone."""
        raise BrokenLog("an undo cannot be folded into the state that it takes back")


def _joined(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    return players if player in players else (*players, player)


OLDER_EVENTS: tuple[type[OlderEvent], ...] = ()
EVENTS: tuple[type[Event], ...] = (
    GameCreated,
    CashMoved,
    CertificatesMoved,
    DebtChanged,
    RoundStarted,
    RoundEnded,
    OrderChanged,
    TurnStarted,
    StepStarted,
    StepPassed,
    PlayerPassed,
    PlayerActed,
    TurnEnded,
    ActionTaken,
    OfferDeclined,
    PriorityMoved,
    InterruptRaised,
    InterruptSettled,
    GameEndTriggered,
    GameEnded,
    Undone,
)
