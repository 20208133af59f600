"""The state of one game: nothing but the fold of its events, as plain dicts over frozen values, so that a copy is cheap.

`tiles` and `tokens` are never changed in place but replaced, so that what was worked out about a map can be kept with it.

Only `evolve` changes a `Game`. Everything a title prints (sizes, prices, board) lives in its data, not here.
"""

from __future__ import annotations

import copy

from msgspec import Struct

from services.rules.domain.board import LaidTile
from services.rules.domain.events import (
    ExchangeKind,
    InterruptKind,
    RoundKind,
    Run,
    Score,
    ServiceKind,
    ServiceOrNone,
    TurnAction,
    UndoPolicy,
)


class Company(Struct, frozen=True):
    """What may change about one company. `charter` holds the costs of its unplaced tokens, cheapest first.

    `par` is its first price, or where its marker stands on the chart of initial offers, `marker_chartered`: in the chartered
    area of it after a merger. `offered_from`: the phase from which it can be opened; `licence`: the one it was dealt,
    `licences`: all it has."""

    bought: bool = False
    opened: bool = False
    closed: bool = False
    operated: bool = False
    director: str = ""
    par: int = 0
    price_paid: int = 0
    charter: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()
    chartered: bool = False
    offered_from: str = ""
    licence: ServiceOrNone = ""
    licences: tuple[ServiceKind, ...] = ()
    marker_chartered: bool = False


class Round(Struct, frozen=True):
    """Where the game stands: `order[position]` is to act in `step`.

    `passed` are the players who passed in their last turn, `passed_in_succession` those who passed since anybody last
    acted; `sold` pairs (player, company) sold in this stock round, `purchases` one for every share bought in it; `won` are
    the players who won an auction in it."""

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
    purchases: tuple[tuple[str, str], ...] = ()
    won: tuple[str, ...] = ()


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
    actions: tuple[TurnAction, ...] = ()


class Auction(Struct, frozen=True):
    """An auction: `bidders` are still in it, in the order in which they are asked; the highest bid is `price` of `leader`.

    Once it is `won` the leader opens the company and may buy more of it."""

    company: str
    bidders: tuple[str, ...]
    leader: str = ""
    price: int = 0
    won: bool = False


class Option(Struct, frozen=True):
    """A certificate that `holder` keeps as an option, with the sums for which it is redeemed or given up."""

    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int


class Exchange(Struct, frozen=True):
    """An exchange of shares 2 for 1 that is under way: `holders` have still to act, the first is at it."""

    kind: ExchangeKind
    company: str
    other: str
    player: str
    price: int
    holders: tuple[str, ...]
    options: tuple[Option, ...] = ()


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
    (hex, city), its values the slots (empty text: free). `cash` may be negative for the bank alone (1824/IX.1-b).

    `train_kinds` and `warranties` by train. `beneath`: the piece under a tile that only shows added stations, by hex.
    `placements`: (hex, company) of every token on the map, first placed first. `obligations`: (player, company).
    `failed`: companies whose obligation failed since the last stock round began.
    `certificate_limit`: the limit when it is no longer the printed one, else 0.

    `abandoned`: the trains that left the game with their company, and which it was."""

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
    train_kinds: dict[str, ServiceKind] = {}
    warranties: dict[str, int] = {}
    beneath: dict[str, LaidTile] = {}
    placements: tuple[tuple[str, str], ...] = ()
    auction: Auction | None = None
    obligations: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()
    exchange: Exchange | None = None
    monopoly: str = ""
    certificate_limit: int = 0
    abandoned: dict[str, str] = {}

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
        twin.train_kinds = self.train_kinds.copy()
        twin.warranties = self.warranties.copy()
        twin.beneath = self.beneath.copy()
        twin.abandoned = self.abandoned.copy()
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
