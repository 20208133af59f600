"""What a title gives to the core: its data, its steps, and how play flows from one step to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.options import TableOption, all_player_counts
from services.rules.kernel.part import Part
from services.rules.kernel.rejections import REASONS, Rejected
from services.rules.kernel.sentences import SENTENCES, Template
from services.rules.kernel.titledata import TitleData

Found = TypeVar("Found")


class Context(Struct, frozen=True):
    """What a step works with: the title's data as the table plays it, and the answer to the question that the title
    asked about the command, where it did (see `parts.trains.bestruns`).

    `found`: what a check found out about a command, for the one that performs it; see `once`."""

    data: TitleData
    answer: Any = None
    found: list[tuple[Command, Game, int, Any]] = []

    def once(self, game: Game, command: Command, work: Callable[[], Found]) -> Found:
        """What `work` finds out about `command` in this state of the game. It is worked out once for its check and its
        performance, between which nothing happens."""
        found = self.found
        if found:
            known, of, sequence, kept = found[0]
            if known is command and of is game and sequence == game.sequence:
                result: Found = kept
                return result
        result = work()
        found[:] = ((command, game, game.sequence, result),)
        return result


def never_refused(game: Game, context: Context, player: str, command: Command) -> None:
    """The check of a command that is always allowed in its step."""


@dataclass(frozen=True, slots=True)
class Action:
    """One kind of command in one step. `check` refuses by raising `Rejected`; `perform` records what happens;
    `candidates` lists what `check` would let through (and may list more: choices are filtered by `check`)."""

    check: Callable[[Game, Context, str, Any], None]
    perform: Callable[[Draft, Context, str, Any], None]
    candidates: Callable[[Game, Context, str], Iterator[Choice]]

    def allows(self, game: Game, context: Context, player: str, command: Command) -> bool:
        """Whether `check` lets this command through."""
        try:
            self.check(game, context, player, command)
        except Rejected:
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


def ruling_check(rulings: tuple[RulingChoice, ...]) -> Callable[[Game, str, str], bool]:
    """A function that answers whether a game is played with a value of one of these rulings, by the ruling's name. A game that
    began before the ruling existed is played with its default."""
    defaults = {ruling.name: ruling.values[0] for ruling in rulings}

    def plays(game: Game, name: str, value: str) -> bool:
        return game.rulings.get(name, defaults[name]) == value

    return plays


class LoadTitle(Protocol):
    """Prepares the data of a title for a table's options, rulings and number of players (0: none in particular)."""

    def __call__(self, options: tuple[str, ...], rulings: Mapping[str, str], players: int = 0) -> TitleData:
        """The data; the same choices give the same object."""
        ...


def nothing_further(options: tuple[str, ...], players: int) -> None:
    """The options are playable when each one's own conditions hold."""


def printed_bank(data: TitleData, players: int, rulings: Mapping[str, str]) -> int:
    """The bank's money does not depend on anything."""
    return data.header.bank


def printed_limit(game: Game, data: TitleData) -> int:
    """The certificate limit for the number of players at this table."""
    return data.header.certificate_limit[len(game.players)]


@dataclass(frozen=True, slots=True, eq=False)
class Title:
    """A playable title.

    `player_counts`: how many can play without any option; an option may be for other numbers. `opening_bank` is the
    bank's money before the players get theirs, by their number and the rulings. `load` prepares the data for the options,
    rulings and players of a table. `advance` carries a draft on until a player has to decide; `step_of` names
    the step at hand. `parts` are those it plays with, `own` is what it alone knows. `player_value` is a player's wealth by
    the title's count. `check_further` rejects options for a reason that their descriptions cannot express; ask through
    `decide.check_choices`, which checks these as well. `capabilities`: what else the title can do, by name; the part that
    offers a capability defines its type."""

    name: str
    parts: tuple[Part, ...]
    own: Part
    options: tuple[TableOption, ...]
    player_counts: range
    rulings: tuple[RulingChoice, ...]
    load: LoadTitle
    set_up: Callable[[Draft, Context, CreateGame], None]
    advance: Callable[[Draft, Context], None]
    step_of: Callable[[Game, Context], Step | None]
    player_value: Callable[[Game, TitleData, str], int]
    opening_bank: Callable[[TitleData, int, Mapping[str, str]], int] = printed_bank
    certificate_limit: Callable[[Game, TitleData], int] = printed_limit
    check_further: Callable[[tuple[str, ...], int], None] = nothing_further
    capabilities: Mapping[str, Any] = field(default_factory=dict)

    @property
    def all_player_counts(self) -> tuple[int, ...]:
        """How many can play, with or without options."""
        return all_player_counts(self.player_counts, self.options)

    def data_of(self, game: Game) -> TitleData:
        """The data that `game` is played with."""
        return self.load(game.options, game.rulings, len(game.players))

    @property
    def reasons(self) -> Mapping[str, str]:
        """The sentence for every reason code with which the title rejects a command."""
        return reasons_of(self.parts, self.own)

    @property
    def sentences(self) -> Mapping[str, Template]:
        """The sentence for every event of its games, by the name of the event."""
        return sentences_of(self.parts, self.own)


@lru_cache(maxsize=64)
def reasons_of(parts: tuple[Part, ...], own: Part) -> Mapping[str, str]:
    """The sentences of the kernel, these parts and the title's own part, by reason code."""
    tables = (REASONS, *(part.reasons for part in parts), own.reasons)
    return {code: sentence for table in tables for code, sentence in table.items()}


@lru_cache(maxsize=64)
def sentences_of(parts: tuple[Part, ...], own: Part) -> Mapping[str, Template]:
    """The sentences of the kernel, these parts and the title's own part, by the name of the event."""
    tables = (SENTENCES, *(part.sentences for part in parts), own.sentences)
    return {name: template for table in tables for name, template in table.items()}
