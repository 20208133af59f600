"""What rules offers to the lobby: its titles, and setting up the game of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.rejections import Rejection
from services.rules.kernel.title import Title
from services.rules.kernel.values import EVERYBODY, Audience, Ruling, UndoPolicy
from services.rules.requests import CommandRejected, CommandResult, ImportGame

PEER_PROFILE = "18xx.games"


class SetUpRejected(Exception):
    """The game cannot be set up with the choices of the table; `rejection` says why."""

    def __init__(self, rejection: Rejection) -> None:
        self.rejection = rejection
        super().__init__(rejection.message)


class TitleNotInstalled(Exception):
    """This process does not know the title of the table; another one may, and so may this one with other settings."""


@dataclass(frozen=True, slots=True)
class TableRulings:
    """A profile, empty for the rulebook's, and single rulings chosen in addition."""

    profile: str
    single: Mapping[str, str]


def rulings_of(title: Title, chosen: TableRulings) -> tuple[Ruling, ...]:
    """The value of every ruling of the title for this table."""
    peer = chosen.profile == PEER_PROFILE
    values = {each.name: each.peer if peer else each.values[0] for each in title.rulings}
    values.update(chosen.single)
    return tuple(Ruling(name, value) for name, value in values.items())


class GameCreator(Protocol):
    """Sets games up: `Rules`, or a client of the replica that owns the game."""

    def create(self, game_id: str, command: CreateGame | ImportGame) -> CommandResult:
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
    audience: Audience = EVERYBODY,
) -> None:
    """Set a game up; a game that exists already is not changed. Raises `SetUpRejected` and `TitleNotInstalled`."""
    known = titles.get(title)
    if known is None:
        raise TitleNotInstalled(f"title {title!r} is not installed here")
    values = rulings_of(known, rulings)
    command = CreateGame(title, tuple(players), options, values, undo_policy, seed, audience)
    begin(rules, game_id, command)


def begin(rules: GameCreator, game_id: str, command: CreateGame | ImportGame) -> None:
    """Begin a game; one that exists already is not changed. Raises `SetUpRejected`."""
    result = rules.create(game_id, command)
    # Reused: the game exists, and an earlier version set it up with the rulings that the title had then.
    if isinstance(result, CommandRejected) and result.rejection.code != "request_id_reused":
        raise SetUpRejected(result.rejection)
