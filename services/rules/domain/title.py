"""What a title gives to the core: its data, its steps, and how play flows from one step to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.rules.domain.bestruns import Reckoning
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Command, CreateGame
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.rejections import Refused
from services.rules.domain.titledata import TitleData


@dataclass(frozen=True, slots=True)
class Context:
    """What a step works with: the title's data as the table plays it, and the proven best runs when they were asked for."""

    data: TitleData
    best_runs: RouteSolution | None = None


def never_refused(game: Game, context: Context, player: str, command: Command) -> None:
    """The check of a command that is always allowed in its step."""


@dataclass(frozen=True, slots=True)
class Action:
    """One kind of command in one step. `check` refuses by raising `Refused`; `perform` records what happens;
    `candidates` lists what `check` would let through (and may list more: choices are filtered by `check`)."""

    check: Callable[[Game, Context, str, Any], None]
    perform: Callable[[Draft, Context, str, Any], None]
    candidates: Callable[[Game, Context, str], Iterator[Choice]]

    def allows(self, game: Game, context: Context, player: str, command: Command) -> bool:
        """Whether `check` lets this command through."""
        try:
            self.check(game, context, player, command)
        except Refused:
            return False
        return True

    def is_open(self, game: Game, context: Context, player: str) -> bool:
        """Whether there is any command that `check` lets through."""
        return any(
            self.allows(game, context, player, candidate.command)
            for candidate in self.candidates(game, context, player)
        )


def no_special_reason(game: Game, context: Context, player: str) -> None:
    """It is just somebody else's turn."""


@dataclass(frozen=True, slots=True)
class Step:
    """A place in a round where somebody may have to decide. `players` are those who may act, the first is asked.

    `turn_away` refuses a player who may not act with a reason of the step's own, where it has one."""

    name: str
    actions: Mapping[type[Command], Action]
    players: Callable[[Game, Context], tuple[str, ...]]
    turn_away: Callable[[Game, Context, str], None] = no_special_reason


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A named ruling: what it decides, its values (the first is the rulebook's), the clauses, and the peer's value."""

    name: str
    values: tuple[str, ...]
    peer: str
    clauses: tuple[str, ...]
    question: str


def reckoned_as_found(game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
    """The title reckons no run itself."""
    return Reckoning(solution.revenue, solution.treasury_income)


def any_options(options: tuple[str, ...], players: int) -> None:
    """All options go together."""


@dataclass(frozen=True, slots=True)
class Title:
    """A playable title.

    `opening_bank` is the bank's money before the players get theirs, by their number and the rulings. `load` prepares the
    data for the options and rulings of a table. `advance` carries a draft on until a player has to decide; `step_of` names
    the step at hand. `route_question` gives the problem whose proven answer a command or a choice in this state needs, or
    nothing. `reckon` is what the title's own rules make of the best runs known of the company at turn. `player_value` is
    a player's wealth by the title's count. `check_options` refuses options that mean nothing together or with so many
    players."""

    name: str
    options: tuple[str, ...]
    player_counts: range
    rulings: tuple[RulingChoice, ...]
    load: Callable[[tuple[str, ...], Mapping[str, str]], TitleData]
    opening_bank: Callable[[TitleData, int, Mapping[str, str]], int]
    set_up: Callable[[Draft, Context, CreateGame], None]
    advance: Callable[[Draft, Context], None]
    step_of: Callable[[Game, Context], Step | None]
    player_value: Callable[[Game, TitleData, str], int]
    route_problem: Callable[[Game, TitleData, str], RouteProblem]
    route_question: Callable[[Game, TitleData, Command | None], RouteProblem | None]
    check_options: Callable[[tuple[str, ...], int], None] = any_options
    reckon: Callable[[Game, TitleData, RouteSolution], Reckoning] = reckoned_as_found
