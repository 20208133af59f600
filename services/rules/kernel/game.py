"""The state of one game: nothing but the fold of its events, as plain dicts over frozen values, so that a copy is cheap.

The kernel knows players, holders, money, certificates and the course of play. Everything else is the state of a part of the
rules (a map, trains) or of the title, kept under that part's name. Only `Event.write` changes a game.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import EVERYBODY, Audience, Bearer, Decision, Score, UndoPolicy

Self = TypeVar("Self", bound="PartState")
Note = TypeVar("Note", bound="PartNote")


class PartState(Struct):
    """What a part or a title keeps of a game. `PART` is its name, which never changes: snapshots use it."""

    PART: ClassVar[str] = ""

    def copy(self: Self) -> Self:
        """An independent copy; the values inside are immutable and shared."""
        raise NotImplementedError

    def position(self, data: TitleData) -> object:
        """All that a decision could rest on, comparable; `stands_still` compares two of them."""
        raise NotImplementedError

    @classmethod
    def of(cls: type[Self], game: Game) -> Self:
        """The state in `game`, to be read; one as new if nothing was written yet."""
        try:
            found: Any = game.parts[cls.PART]
        except KeyError:
            return cls()
        state: Self = found
        return state

    @classmethod
    def to_write(cls: type[Self], game: Game) -> Self:
        """The state in `game`, for an event that writes itself into it."""
        try:
            found: Any = game.parts[cls.PART]
        except KeyError:
            found = game.parts[cls.PART] = cls()
        state: Self = found
        return state


class PartNote(Struct, frozen=True, gc=False):
    """What a part or a title notes about the turn or the round at hand; forgotten with it."""

    PART: ClassVar[str] = ""

    @classmethod
    def of_turn(cls: type[Note], game: Game) -> Note:
        """The note about the turn at hand, one as new if there is none."""
        return cls.noted(game.turn)

    @classmethod
    def noted(cls: type[Note], turn: Turn) -> Note:
        """The note about a turn, one as new if there is none."""
        found: Any = turn.notes.get(cls.PART)
        return cls() if found is None else found

    @classmethod
    def of_round(cls: type[Note], game: Game) -> Note:
        """The note about the round at hand, one as new if there is none."""
        found: Any = game.round.notes.get(cls.PART) if game.round is not None else None
        return cls() if found is None else found

    def note_turn(self, game: Game) -> None:
        """Keep this note about the turn at hand."""
        turn = game.turn
        game.turn = replace(turn, notes={**turn.notes, self.PART: self})

    def note_round(self, game: Game) -> None:
        """Keep this note about the round at hand."""
        current = game.current_round
        game.round = replace(current, notes={**current.notes, self.PART: self})


class Round(Struct, frozen=True, gc=False):
    """The round at hand: `order[position]` is to act in `step`.

    `passed` are the players who passed in their last turn, `passed_in_succession` those who passed since anybody last
    acted. `notes`: what parts note about the round, by part."""

    kind: str
    turn: int
    number: int
    count: int
    order: tuple[str, ...]
    position: int = 0
    step: str = ""
    passed: tuple[str, ...] = ()
    passed_in_succession: tuple[str, ...] = ()
    last_to_act: str = ""
    ended: bool = False
    notes: dict[str, PartNote] = {}


class Turn(Struct, frozen=True, gc=False):
    """What the actor has done in the turn at hand: `actions` are used up, `declined` the subjects of offers that were
    declined, `passed` the step that was passed. `notes`: what parts note about the turn, by part."""

    acted: bool = False
    passed: str = ""
    actions: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    notes: dict[str, PartNote] = {}


class Interrupt(Struct, frozen=True):
    """A question `player` must answer before play goes on."""

    kind: str
    player: str
    company: str
    subject: str = ""


IDLE_TURN = Turn()


class Game(Struct):
    """One game. Keys of `holdings` are (holder, company), its values certificate numbers in the order they came; a pair
    stays when it is empty: the order in which holders first came decides ties under one ruling. `cash` may be negative
    for the bank alone. `debts`: what a holder owes beside all accounts. `parts`: the states of parts and title, by name.

    `players` are the seats: holders of money and certificates for the whole game. `bearers`: who plays a seat, where that is
    not the account that the seat is called after. `suspended`: nobody may move. `decisions`: what directors decided.
    `audience`: who
    may see the game."""

    title: str = ""
    rules_version: int = 0
    players: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    rulings: dict[str, str] = {}
    undo_policy: UndoPolicy = "own_turn"
    seed: int = 0
    sequence: int = 0
    cash: dict[str, int] = {}
    holdings: dict[tuple[str, str], tuple[int, ...]] = {}
    debts: dict[str, int] = {}
    priority: str = ""
    round: Round | None = None
    turn: Turn = IDLE_TURN
    interrupts: tuple[Interrupt, ...] = ()
    ending: str = ""
    ending_round: tuple[int, int] = (0, 0)
    finished: bool = False
    scores: tuple[Score, ...] = ()
    parts: dict[str, PartState] = {}
    bearers: dict[str, Bearer] = {}
    suspended: bool = False
    decisions: tuple[Decision, ...] = ()
    audience: Audience = EVERYBODY

    def copy(self) -> Game:
        """An independent copy; the values inside are immutable and shared."""
        return replace(
            self,
            cash=self.cash.copy(),
            holdings=self.holdings.copy(),
            debts=self.debts.copy(),
            parts={name: state.copy() for name, state in self.parts.items()},
        )

    @property
    def current_round(self) -> Round:
        """The round being played; a game always has one after it was set up."""
        current = self.round
        if current is None:
            raise ValueError("the game has no round yet")
        return current

    @property
    def actor(self) -> str:
        """The player or company whose turn it is, empty when the round has nobody."""
        current = self.round
        if current is None:
            return ""
        try:
            return current.order[current.position]
        except IndexError:
            return ""

    def bearer_of(self, seat: str) -> Bearer:
        """Who plays a seat."""
        return self.bearers.get(seat) or Bearer(seat, "player")

    def seat_of(self, account: str) -> str | None:
        """The seat that an account plays now, None if it plays none."""
        return next((seat for seat in self.players if self.bearer_of(seat).account == account), None)

    def held(self, holder: str, company: str) -> tuple[int, ...]:
        """Certificate numbers of `company` with `holder`, in the order they came."""
        return self.holdings.get((holder, company), ())

    def money(self, holder: str) -> int:
        """Cash of a holder, 0 for one that never had any."""
        return self.cash.get(holder, 0)
