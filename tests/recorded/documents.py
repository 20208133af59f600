"""Small recorded games made by hand."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.rules.importer.dialect import title_named
from services.rules.importer.files import read_trace
from services.rules.importer.record import Record, Step, parse
from services.rules.importer.replay import Replay, play
from services.rules.titles import TITLES

GAMES_1824 = (
    "1824_game_end_reason_bank",
    "verification_of_kk_formation",
    "p3-s109",
    "p3-s121",
    "p3-s137",
    "p3-s201",
    "p3-s205",
    "p4-s130",
    "p4-s138",
    "p4-s206",
    "p5-s127",
    "p5-s131",
    "p5-s203",
    "p5-s207",
    "p6-s132",
)
GAMES_1862 = (
    "46925",
    "1862_game_end_stock_market",
    "p2-s101",
    "p2-s215",
    "p2-s222",
    "p5-s111",
    "p8-s128",
)
# Some of its runs carry figures from before its platform mended a rule.
OLD_GAME = "1862/46925"
GAMES_CISLEITHANIA = ("1824_cisleithania_game_end_reason_bank", "p2-s102", "p2-s119", "p3-s112")
REPLAYED_GAMES = (
    *(f"1824/{name}" for name in GAMES_1824),
    *(f"1824Cisleithania/{name}" for name in GAMES_CISLEITHANIA),
    *(f"1862/{name}" for name in GAMES_1862),
)
# The tests of one game come one after another in one process, so that it is played once.
EACH_GAME = pytest.mark.parametrize("name", REPLAYED_GAMES, scope="module")

Json = dict[str, Any]


def document(*actions: Json, **changes: Any) -> Json:
    """A file of a three-player game with these actions; `changes` replace top-level fields."""
    return {
        "id": 7,
        "title": "1824",
        "players": [{"id": 11, "name": "A"}, {"id": 12, "name": "B"}, {"id": 13, "name": "C"}],
        "settings": {"seed": 5, "optional_rules": []},
        "actions": list(actions),
        "result": {"11": 820, "12": 820, "13": 820},
        "game_end_reason": "manually_ended",
    } | changes


def act(number: int, type_name: str, entity: int | str = 13, **fields: Any) -> Json:
    """One recorded action, a player's unless `entity` is a company."""
    entity_type = "player" if isinstance(entity, int) else "corporation"
    return {"id": number, "type": type_name, "entity": entity, "entity_type": entity_type} | fields


def encoded(data: Json) -> bytes:
    """A file's content."""
    return msgspec.json.encode(data)


def record(*actions: Json, **changes: Any) -> Record:
    """The game that `document` describes."""
    return parse(encoded(document(*actions, **changes)))


def steps(*actions: Json) -> tuple[Step, ...]:
    """The steps of a game with these actions."""
    return record(*actions).steps


def clock() -> float:
    """A clock that stands still."""
    return 0.0


def replayed(*actions: Json, title: str = "1824", **options: Any) -> Replay:
    """A game of three of `title` with these actions, played."""
    return play(record(*actions, title=title), TITLES[title], clock, **options)


def run(game: Record, **options: Any) -> Replay:
    """Play `game` with a clock that stands still."""
    title = title_named(TITLES, game.title)
    assert title is not None
    return play(game, title, clock, **options)


@lru_cache(maxsize=1)
def played(shared: Path, name: str) -> Replay:
    """A recorded game, `folder/name`, played with its trace, runs of the old game booked as recorded."""
    return run(parse(encoded(load_document(shared, name))), traced=True, as_recorded=name == OLD_GAME)


def refused(replay: Replay) -> tuple[int, str]:
    """Line and reason code of the first refused action."""
    assert replay.refusal is not None
    return replay.refusal.line, replay.refusal.rejection.code


def run_of(data: Json) -> Json:
    """The first run of a game's file that earned something."""
    found: Json = next(each for each in data["actions"] if each["type"] == "run_routes" and each["routes"])
    return found


def game_path(shared: Path, name: str) -> Path:
    """The file of a recorded game, `folder/name`."""
    return shared / "fixtures" / "18xx.games" / f"{name}.json.gz"


def load_document(shared: Path, name: str) -> Json:
    """A recorded game's file as JSON values, to be changed freely."""
    data: Json = msgspec.json.decode(gzip.decompress(game_path(shared, name).read_bytes()))
    return data


@lru_cache(maxsize=1)
def load_trace(shared: Path, name: str) -> list[Json]:
    """The trace of a recorded game, not to be changed."""
    return read_trace(shared / "fixtures" / "18xx.games" / f"{name}.trace.jsonl.gz")
