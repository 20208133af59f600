"""Games to play under load: players who have accounts or register, tables that they fill and begin, and the scripts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jwt
import msgspec

from services.bench.script import Move, ScriptFailed, script
from services.client.calls import NotAnsweredError, Rejected
from services.client.lobby import Lobby, register, sign_in
from services.common.errors import SignalboxError
from services.rules.titles import TITLES

NAME_BYTES = 4
Step = Callable[[str, int, int], None]
"""Gets what is done, how much of it is, and how much there is to do."""


class NotOpened(SignalboxError):
    """There are no games to play; the message says why."""


@dataclass(frozen=True, slots=True)
class Table:
    """Players with their tokens, the games that they sit at by the name of their script, and the scripts with their file."""

    tokens: Mapping[str, str]
    games: Mapping[str, str]
    scripts: Mapping[str, Sequence[Move]]
    script: Path

    @property
    def moves(self) -> int:
        """Commands that all games have together."""
        return sum(len(self.scripts[name]) for name in self.games.values())


def registered(lobby: str, count: int) -> dict[str, str]:
    """The tokens, by player, of so many players who register now under names of their own. Raises `NotOpened`."""
    tokens: dict[str, str] = {}
    name = f"bench {secrets.token_hex(NAME_BYTES)}"
    try:
        for number in range(1, count + 1):
            password = secrets.token_urlsafe()
            player = register(lobby, f"{name} {number}", password)
            tokens[player] = sign_in(lobby, f"{name} {number}", password).token
    except (Rejected, NotAnsweredError) as problem:
        raise NotOpened(f"players cannot register at {lobby}: {problem}") from problem
    return tokens


def tokens_in(path: Path) -> dict[str, str]:
    """The tokens in a file, one a line, by the player whose each is. Raises `NotOpened`."""
    try:
        listed = path.read_text(encoding="ascii").split()
        tokens = {_player_of(token): token for token in listed}
    except (OSError, ValueError, jwt.InvalidTokenError) as problem:
        raise NotOpened(f"{path}: {problem}") from problem
    if not tokens:
        raise NotOpened(f"{path} holds no token")
    return tokens


def _player_of(token: str) -> str:
    claims = jwt.decode(token, options={"verify_signature": False, "require": ["sub"]})
    return str(claims["sub"])


def open_games(
    lobby: str,
    tokens: Mapping[str, str],
    folder: Path,
    *,
    title: str,
    seed: int,
    games: int,
    moves: int,
    on_step: Step = lambda _what, _done, _of: None,
) -> Table:
    """These players begin so many games of a title with one seed; the scripts, of so many commands at most, go to `folder`.

    Raises `NotOpened`."""
    if title not in TITLES:
        raise NotOpened(f"{title!r} is not one of {', '.join(TITLES)}")
    seats = _begun(lobby, tokens, title, seed, games, on_step)
    scripts: dict[str, list[Move]] = {}
    try:
        for each in sorted(set(seats.values())):
            scripts[",".join(each)] = script(
                title, each, seed, moves, lambda count: on_step("moves of the script", count, moves)
            )
    except ScriptFailed as problem:
        raise NotOpened(str(problem)) from problem
    path = folder / "scripts"
    path.write_bytes(msgspec.msgpack.encode(scripts))
    return Table(dict(tokens), {game: ",".join(each) for game, each in seats.items()}, scripts, path)


def _begun(
    lobby: str, tokens: Mapping[str, str], title: str, seed: int, games: int, on_step: Step
) -> dict[str, tuple[str, ...]]:
    """The seats by game."""
    callers = [Lobby(lobby, token) for token in tokens.values()]
    owner, *others = callers
    seats: dict[str, tuple[str, ...]] = {}
    try:
        for number in range(games):
            table = owner.create_table(title, len(tokens), seed=seed)
            for other in others:
                other.join_table(table.table_id)
            started = owner.start_table(table.table_id)
            seats[started.game_id] = tuple(started.seats)
            on_step("games opened", number + 1, games)
    except (Rejected, NotAnsweredError) as problem:
        raise NotOpened(f"game {len(seats) + 1} of {games} at {lobby}: {problem}") from problem
    finally:
        for caller in callers:
            caller.close()
    return seats
