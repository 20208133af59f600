"""Names of the objects of an archive. They are all that a replica has to list to know what is there.

    contents/g7xk3.412              the game g7xk3 up to its event 412
    games/20261124/g7xk3.412        empty: that was read back and found right on this day; from here on others rely on it
    deleted/20270101/g7xk3.412      an operator deleted it; the object says who and why
    live/g7xk3.412                  empty: it was taken out again, so what is archived of it is no finished game

The day lets a replica list what is new alone. Two owners that archive a game on two days do no harm.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import msgspec

CONTENTS, GAMES, DELETED, LIVE = "contents/", "games/", "deleted/", "live/"
HIDDEN = ".hidden"
"""How the name of a deleted game ends that not everybody could see: nobody learns that it was there."""
STREAM_PREFIX = "game/"
_PLAIN = re.compile(r"[a-z0-9-]")
_ESCAPED = re.compile(r"_([0-9a-f]{2})")


class ObjectName(msgspec.Struct, frozen=True):
    """What a name says."""

    name: str
    game_id: str
    sequence: int
    is_hidden: bool = False

    @property
    def stream(self) -> str:
        """The stream of the log."""
        return STREAM_PREFIX + self.game_id


def day_of(time_ms: int) -> str:
    """The day of a time in milliseconds since 1970, in UTC."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y%m%d")


def content_name(game_id: str, sequence: int) -> str:
    """The name of the object with a game."""
    return f"{CONTENTS}{_escaped(game_id)}.{sequence}"


def game_name(game_id: str, sequence: int, now_ms: int) -> str:
    """The name of the object that says that a game is archived now."""
    return f"{GAMES}{day_of(now_ms)}/{_escaped(game_id)}.{sequence}"


def deleted_name(game_id: str, sequence: int, now_ms: int, is_hidden: bool) -> str:
    """The name of the object that says that a game was deleted now."""
    return f"{deleted_prefix(game_id, day_of(now_ms))}{sequence}{HIDDEN if is_hidden else ''}"


def deleted_prefix(game_id: str, day: str) -> str:
    """How the names of all such objects of a game and a day begin."""
    return f"{DELETED}{day}/{_escaped(game_id)}."


def live_name(game_id: str, sequence: int) -> str:
    """The name of the object that says that a game was taken out of the archive again."""
    return f"{LIVE}{_escaped(game_id)}.{sequence}"


def parsed(name: str) -> ObjectName | None:
    """What a name of any of these kinds says; None for one that is of no game."""
    *_, last = name.split("/")
    escaped, dot, rest = last.partition(".")
    number = rest.removesuffix(HIDDEN)
    if not dot or not number.isdigit():
        return None
    return ObjectName(name, _plain(escaped), int(number), rest.endswith(HIDDEN))


def _escaped(game_id: str) -> str:
    """The id in letters that every store takes; that of no game begins with a hyphen then."""
    text = "".join(chr(byte) if _PLAIN.fullmatch(chr(byte)) else f"_{byte:02x}" for byte in game_id.encode())
    return f"_2d{text[1:]}" if text.startswith("-") else text


def _plain(escaped: str) -> str:
    found = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), escaped)
    return found.encode("latin-1").decode("utf-8", "replace")
