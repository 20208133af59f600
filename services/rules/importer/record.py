"""A recorded game, decoded from its file and checked; errors name the place in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from services.rules.importer.actions import RecordedAction
from services.rules.kernel.conversion import Converter

SEED_MODULUS = 2**31
ACTIONS_MAX = 100_000


class NotAGameError(Exception):
    """The file cannot be read as a game; the message names what is missing or malformed and where."""


class Seat(Struct, frozen=True):
    """One player."""

    id: int | str
    name: str = ""


class Settings(Struct, frozen=True):
    """The table's settings that matter."""

    seed: int | str | None = None
    optional_rules: tuple[str, ...] | None = None


class Document(Struct, frozen=True):
    """The file's top level, as far as it is used."""

    title: str
    players: tuple[Seat, ...]
    actions: tuple[RecordedAction, ...]
    id: int | str | None = None
    settings: Settings = Settings()
    result: dict[str, int] = {}
    game_end_reason: str | None = None


class Step(Struct, frozen=True):
    """One recorded action, typed and as the file has it."""

    action: RecordedAction
    raw: Mapping[str, Any]


class Record(Struct, frozen=True):
    """A recorded game. `players` in seat order as the file names them, `names` what they are called there; `result`: each
    player's value; `game_id` as the file has it."""

    title: str
    players: tuple[int | str, ...]
    options: tuple[str, ...]
    seed: int
    steps: tuple[Step, ...]
    result: dict[str, int]
    end_reason: str
    names: tuple[str, ...] = ()
    game_id: str = ""


_document = Converter(Document)


def parse(content: bytes) -> Record:
    """The game in a JSON text; raises `NotAGameError`."""
    try:
        data = msgspec.json.decode(content)
        document = _document(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NotAGameError(str(error)) from error
    _check_players(document)
    _check_actions(document)
    return Record(
        title=document.title,
        players=tuple(seat.id for seat in document.players),
        options=document.settings.optional_rules or (),
        seed=_seed(document),
        steps=tuple(Step(action, raw) for action, raw in zip(document.actions, data["actions"], strict=True)),
        result=document.result,
        end_reason=document.game_end_reason or "",
        names=tuple(seat.name for seat in document.players),
        game_id=str(document.id or ""),
    )


def _check_players(document: Document) -> None:
    names = [str(seat.id) for seat in document.players]
    if not names:
        raise NotAGameError("nobody plays - at `$.players`")
    if len(set(names)) != len(names):
        raise NotAGameError("a player's id is there twice - at `$.players`")
    for player in document.result:
        if player not in names:
            raise NotAGameError(f"{player!r} is none of the players - at `$.result`")


def _check_actions(document: Document) -> None:
    if len(document.actions) > ACTIONS_MAX:
        raise NotAGameError(f"more than {ACTIONS_MAX} actions - at `$.actions`")
    met: set[int] = set()
    for index, action in enumerate(document.actions):
        if action.id is None:
            raise NotAGameError(f"Object missing required field `id` - at `$.actions[{index}]`")
        if action.id < 1:
            raise NotAGameError(f"id {action.id} is below 1 - at `$.actions[{index}].id`")
        if action.id in met:
            raise NotAGameError(f"id {action.id} is there twice - at `$.actions[{index}].id`")
        met.add(action.id)


def _seed(document: Document) -> int:
    given = document.settings.seed
    if isinstance(given, int):
        return given % SEED_MODULUS
    digits = re.search(r"[0-9]{1,4000}", given or str(document.id or ""))
    return int(digits.group()) % SEED_MODULUS if digits else 0
