"""What the lobby asks of rules: the titles there are, and a game set up for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.rules.domain.commands import CreateGame
from services.rules.domain.events import Ruling, UndoPolicy
from services.rules.domain.title import Title
from services.rules.handlers import Result, TurnedDown

PEER_PROFILE = "18xx.games"


class SetUpRefused(Exception):
    """The game could not be set up as the table wants it; the message says why."""


@dataclass(frozen=True, slots=True)
class TableRulings:
    """A profile, empty for the rulebook's, and single rulings chosen beside it."""

    profile: str
    single: Mapping[str, str]


def rulings_of(title: Title, chosen: TableRulings) -> tuple[Ruling, ...]:
    """Every ruling of the title as the table plays it."""
    peer = chosen.profile == PEER_PROFILE
    values = {each.name: each.peer if peer else each.values[0] for each in title.rulings}
    values.update(chosen.single)
    return tuple(Ruling(name, value) for name, value in values.items())


class GameCreator(Protocol):
    """Sets games up: `Rules`, or the way to the replica that owns the game."""

    def create(self, game_id: str, command: CreateGame) -> Result:
        """See `Rules.create`."""


def start(
    rules: GameCreator,
    titles: Mapping[str, Title],
    game_id: str,
    title: str,
    players: Sequence[str],
    options: tuple[str, ...],
    rulings: TableRulings,
    undo_policy: UndoPolicy,
    seed: int,
) -> None:
    """Set a game up; a game that exists already is left as it is. Raises `SetUpRefused`."""
    known = titles.get(title)
    if known is None:
        raise SetUpRefused(f"there is no title {title!r}")
    command = CreateGame(title, tuple(players), options, rulings_of(known, rulings), undo_policy, seed)
    result = rules.create(game_id, command)
    if isinstance(result, TurnedDown):
        raise SetUpRefused(result.rejection.message)
