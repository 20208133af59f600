"""A game in a file, read so far that it can go on here."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO

from msgspec import Struct

from services.rules.importer.files import GZIP_MAGIC
from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.kernel.values import UndoPolicy
from services.rules.moving.refusals import FileRefused

CONTENT_MAX = 16 * 1024 * 1024

IsCancelled = Callable[[], bool]


class Wanted(Struct, frozen=True):
    """How a file is to be taken over. `accounts`: player ids here by player in the file."""

    accounts: Mapping[str, str]
    undo_policy: UndoPolicy = "own_turn"
    as_recorded: bool = False


class Opening(Struct, frozen=True):
    """The events with which a game begins here, and the state after them. `source` and `game_id`: where it comes from;
    `action_count`: actions or events that were taken over."""

    source: str
    game_id: str
    action_count: int
    events: tuple[Event, ...]
    game: Game


def unpacked(file: bytes) -> bytes:
    """The content of a file, plain or gzip. Raises `FileRefused`."""
    content = file
    if file.startswith(GZIP_MAGIC):
        try:
            with gzip.GzipFile(fileobj=BytesIO(file)) as stream:
                content = stream.read(CONTENT_MAX + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise FileRefused("not_a_game", str(error)) from error
    if len(content) > CONTENT_MAX:
        raise FileRefused("too_large", f"more than {CONTENT_MAX} bytes")
    return content


def accounts_of(
    players: Sequence[str], names: Sequence[str], accounts: Mapping[str, str]
) -> Mapping[str, str]:
    """The account of each player of a file, which may be named by id or by name. Raises `FileRefused` unless every player has
    one, an account of his own."""
    found: dict[str, str] = {}
    used = set()
    for player, name in zip(players, names, strict=True):
        key = player if player in accounts else name
        if key not in accounts:
            raise FileRefused("seat_missing", player=player)
        if accounts[key] in found.values():
            raise FileRefused("account_repeated", player=player)
        found[player] = accounts[key]
        used.add(key)
    for key in accounts:
        if key not in used:
            raise FileRefused("seat_unknown", player=key)
    return found
