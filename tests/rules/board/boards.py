"""Maps for tests: of 1824, built by hand or taken from recorded games, and a slow search to compare with."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from services.rules.kernel.titledata import TitleData
from services.rules.loading import load_title
from services.rules.parts.map.board import CityId, LaidTile, Tokens
from services.rules.parts.map.reach import blocked_cities, reach
from services.rules.parts.map.tilelay import Position, UpgradeConnection
from services.rules.parts.map.track import Leaving, PathId, Port, Track, track_of
from services.rules.parts.shares.data import cards_of
from services.rules.titles import g1824
from services.rules.titles.g1824.figures import SCHEMA
from tests.recorded.documents import load_trace

FOLDER_1824 = Path(g1824.__file__).parent
RECORDED_1824 = ("1824_game_end_reason_bank", "p3-s201", "p4-s138", "p5-s207")

TokenDict = dict[CityId, tuple[str, ...]]
TileDict = dict[str, LaidTile]


def title_1824(*variants: str) -> TitleData:
    """1824 with these variants and the rulebook's rulings."""
    return load_title(FOLDER_1824, SCHEMA, variants)


def laid(words: str) -> TileDict:
    """Tiles from words like `B9:57/1`: hex, tile and rotation, each the lowest piece not yet used."""
    tiles: TileDict = {}
    for word in words.split():
        hex_id, _, piece = word.partition(":")
        tile, _, rotation = piece.partition("/")
        copy = sum(other.tile == tile for other in tiles.values())
        tiles[hex_id] = LaidTile(tile=tile, rotation=int(rotation), copy=copy)
    return tiles


def position(
    title: TitleData,
    company: str,
    tiles: str | TileDict = "",
    tokens: Tokens | None = None,
    phase: str = "2",
    upgrade_connection: UpgradeConnection = "least_restrictive",
) -> Position:
    """The map as the company finds it; without tokens given it has the one at its home."""
    on_map = laid(tiles) if isinstance(tiles, str) else tiles
    if tokens is None:
        home = cards_of(title)[company].home
        assert home is not None
        tokens = {(home.hex, home.stop): (company,)}
    track = track_of(title, on_map)
    found = reach(track, tokens, company)
    return Position(title, on_map, tokens, track, company, phase, found, upgrade_connection)


def recorded_steps(shared: Path, game: str) -> tuple[TitleData, Iterator[tuple[Any, Any]]]:
    """The title of a recorded game and, per action, the trace lines before and after it."""
    folder = shared / "fixtures" / "18xx.games" / "1824"
    with gzip.open(folder / f"{game}.json.gz", "rt", encoding="utf-8") as file:
        options = json.load(file)["settings"].get("optional_rules") or []
    return title_1824(*options), pairwise(load_trace(shared, f"1824/{game}"))


def recorded_map(line: Mapping[str, Any]) -> tuple[TileDict, TokenDict]:
    """The map of a trace line. Printed hexes of several cities count their stops in steps of two there."""
    tiles = {hex_id: LaidTile(*piece) for hex_id, piece in line.get("tiles", {}).items()}
    tokens: TokenDict = {}
    for name, slots in line.get("slots", {}).items():
        hex_id, _, number = name.partition(":")
        stop = int(number) if hex_id in tiles else int(number) // 2
        tokens[hex_id, stop] = tuple(symbol or "" for symbol in slots)
    return tiles, tokens


class TooManyTrailsError(Exception):
    """The map has more trails than the slow search is willing to walk."""


class AllTrails:
    """Walks every trail of a company from each of its tokens: slow, and plain enough to be believed."""

    def __init__(self, track: Track, tokens: Tokens, company: str, steps: int = 60_000) -> None:
        """Walk them all; raises TooManyTrailsError after so many steps."""
        self.track = track
        self.blocked = blocked_cities(tokens, company)
        self.paths: set[PathId] = set()
        self.stops: set[CityId] = {city for city, slots in tokens.items() if company in slots}
        self.steps_left = steps
        for city in tuple(self.stops):
            for leaving in track.departures.get(city, ()):
                self._leave(leaving, 0)

    def _leave(self, leaving: Leaving, used: int) -> None:
        if not used & leaving.bit:
            self.paths.add(leaving.path)
            self._enter(leaving.port, used | leaving.bit)

    def _enter(self, port: Port, used: int) -> None:
        self.steps_left -= 1
        if self.steps_left < 0:
            raise TooManyTrailsError
        for leaving in self.track.through.get(port, ()):
            self._leave(leaving, used)
        for arrival in self.track.into.get(port, ()):
            self.paths.add(arrival.path)
            self.stops.add(arrival.stop)
            if arrival.goes_on and arrival.stop not in self.blocked:
                for leaving in self.track.onward[arrival.stop]:
                    self._leave(leaving, used)


def actions_of(steps: Iterable[tuple[Any, Any]], kind: str) -> Iterator[tuple[Any, Any, Any]]:
    """Of these recorded steps those whose action is of this type: the line before, the line after, the action."""
    for before, after in steps:
        action = after.get("action", {})
        if action.get("type") == kind:
            yield before, after, action
