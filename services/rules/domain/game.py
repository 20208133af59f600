"""The state of one game: nothing but the fold of its events, as plain dicts over frozen values, so that a copy is cheap.

`tiles` and `tokens` are never changed in place but replaced, so that what was worked out about a map can be kept with it.

Only `evolve` changes a `Game`. Everything a title prints (sizes, prices, board) lives in its data, not here.
"""

from __future__ import annotations

import copy

from msgspec import Struct

from services.rules.domain.board import LaidTile
from services.rules.domain.events import InterruptKind, RoundKind, Run, Score, UndoPolicy


class Company(Struct, frozen=True):
    """What may change about one company. `charter` holds the costs of its unplaced tokens, cheapest first."""

    bought: bool = False
    opened: bool = False
    closed: bool = False
    operated: bool = False
    director: str = ""
    par: int = 0
    price_paid: int = 0
    charter: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()


class Round(Struct, frozen=True):
    """Where the game stands: `order[position]` is to act in `step`.

    `passed` are the players who passed in their last turn, `passed_in_succession` those who passed since anybody last
    acted; `sold` pairs (player, company) sold in this stock round."""

    kind: RoundKind
    turn: int
    number: int
    count: int
    order: tuple[str, ...]
    position: int = 0
    step: str = ""
    passed: tuple[str, ...] = ()
    passed_in_succession: tuple[str, ...] = ()
    last_to_act: str = ""
    sold: tuple[tuple[str, str], ...] = ()
    ended: bool = False


class Turn(Struct, frozen=True):
    """What the actor has done in the turn at hand."""

    acted: bool = False
    bought: str = ""
    sold: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    upgraded: bool = False
    tokened: str = ""
    traded_in: str = ""
    declined: tuple[str, ...] = ()
    ran: bool = False
    dividend: str = ""
    passed: str = ""
    revenue: int = 0
    treasury_income: int = 0


class Interrupt(Struct, frozen=True):
    """A question `player` must answer before play goes on."""

    kind: InterruptKind
    player: str
    company: str
    subject: str = ""


IDLE_TURN = Turn()


class Game(Struct):
    """One game. Keys of `holdings` are (holder, company), its values certificate numbers in the order they came; a pair
    stays when it is empty: the order in which holders first came decides ties under one ruling. Keys of `tokens` are
    (hex, city), its values the slots (empty text: free). `cash` may be negative for the bank alone (1824/IX.1-b)."""

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
    companies: dict[str, Company] = {}
    cells: dict[tuple[int, int], tuple[str, ...]] = {}
    markers: dict[str, tuple[int, int]] = {}
    tiles: dict[str, LaidTile] = {}
    tokens: dict[tuple[str, int], tuple[str, ...]] = {}
    trains: dict[str, tuple[str, ...]] = {}
    depot_gone: dict[str, int] = {}
    depot_sold: frozenset[str] = frozenset()
    phase: str = ""
    priority: str = ""
    debts: dict[str, int] = {}
    round: Round | None = None
    turn: Turn = IDLE_TURN
    interrupts: tuple[Interrupt, ...] = ()
    last_runs: dict[str, tuple[Run, ...]] = {}
    ending: str = ""
    ending_round: tuple[int, int] = (0, 0)
    finished: bool = False
    scores: tuple[Score, ...] = ()

    def copy(self) -> Game:
        """An independent copy; the values inside are immutable and shared."""
        twin = copy.copy(self)
        twin.cash = self.cash.copy()
        twin.holdings = self.holdings.copy()
        twin.companies = self.companies.copy()
        twin.cells = self.cells.copy()
        twin.markers = self.markers.copy()
        twin.trains = self.trains.copy()
        twin.depot_gone = self.depot_gone.copy()
        twin.debts = self.debts.copy()
        twin.last_runs = self.last_runs.copy()
        return twin

    @property
    def current_round(self) -> Round:
        """The round being played; a game always has one after it was set up."""
        if self.round is None:
            raise ValueError("the game has no round yet")
        return self.round

    @property
    def actor(self) -> str:
        """The player or company whose turn it is, empty when the round has nobody."""
        if self.round is None or self.round.position >= len(self.round.order):
            return ""
        return self.round.order[self.round.position]

    def held(self, holder: str, company: str) -> tuple[int, ...]:
        """Certificate numbers of `company` with `holder`, in the order they came."""
        return self.holdings.get((holder, company), ())

    def money(self, holder: str) -> int:
        """Cash of a holder, 0 for one that never had any."""
        return self.cash.get(holder, 0)
