"""What follows from a map and its tokens, worked out once: the track index, and what each company is connected to.

A game replaces its `tiles` and `tokens` whenever they change, so both stand for their content: a view is kept by their
identity, holding on to them so that the identity stays theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from services.rules.domain.board import LaidTile, Tiles, Tokens, face, token_cities
from services.rules.domain.game import Game
from services.rules.domain.reach import Reach, reach
from services.rules.domain.titledata import TitleData
from services.rules.domain.track import Track, track_of, with_tile

KEPT_VIEWS = 512

Answer = TypeVar("Answer")


class BoardView:
    """The map of one state of a game, with answers kept as they are asked for."""

    __slots__ = ("_kept", "_reach", "data", "tiles", "tokens", "track")

    def __init__(self, data: TitleData, tiles: Tiles, tokens: Tokens, track: Track) -> None:
        self.data = data
        self.tiles = tiles
        self.tokens = tokens
        self.track = track
        self._reach: dict[str, Reach] = {}
        self._kept: dict[Hashable, object] = {}

    def reach(self, company: str) -> Reach:
        """Everything the tokens of `company` are connected to."""
        found = self._reach.get(company)
        if found is None:
            found = self._reach[company] = reach(self.track, self.tokens, company)
        return found

    def once(self, key: Hashable, work: Callable[[], Answer]) -> Answer:
        """The answer to a question about this map named by `key`, worked out when it is first asked."""
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = work()
        return cast(Answer, kept)

    def route_exists(self, company: str) -> bool:
        """Whether some token of `company` is joined to another stop."""
        found = self.reach(company)
        if len(found.stops) > len(found.starts):
            return True
        alone = (reach(self.track, {city: self.tokens[city]}, company) for city in found.starts)
        return any(len(single.stops) > 1 for single in alone)


_tracks: dict[int, tuple[Tiles, TitleData, Track]] = {}
_views: dict[tuple[int, int], BoardView] = {}


def view_of(data: TitleData, game: Game) -> BoardView:
    """The view of a game's map as it stands."""
    key = (id(game.tiles), id(game.tokens))
    view = _views.get(key)
    if view is not None and view.tiles is game.tiles and view.tokens is game.tokens and view.data is data:
        return view
    if len(_views) >= KEPT_VIEWS:
        _views.clear()
    view = _views[key] = BoardView(data, game.tiles, game.tokens, _track(data, game.tiles))
    return view


def _track(data: TitleData, tiles: Tiles) -> Track:
    kept = _tracks.get(id(tiles))
    if kept is not None and kept[0] is tiles and kept[1] is data:
        return kept[2]
    return _keep(data, tiles, track_of(data, tiles))


def _keep(data: TitleData, tiles: Tiles, track: Track) -> Track:
    if len(_tracks) >= KEPT_VIEWS:
        _tracks.clear()
    _tracks[id(tiles)] = (tiles, data, track)
    return track


def follow_lay(data: TitleData, before: Tiles, hex_id: str, laid: LaidTile, after: Tiles) -> None:
    """Work the track of `after` out from that of `before`, which it follows by one tile."""
    _keep(data, after, with_tile(_track(data, before), data, before, hex_id, laid))


def home_city(data: TitleData, tiles: Tiles, hex_id: str, stop: int) -> int:
    """Which city of the hex is now the one printed as `stop`: the one that kept its printed exits."""
    printed, now = data.hexes[hex_id].face, face(data, tiles, hex_id)
    exits = printed.stop_exits(stop)
    if hex_id not in tiles or not exits:
        return stop if stop < len(now.stops) else 0
    return next((place for place in range(len(now.stops)) if exits <= now.stop_exits(place)), 0)


def has_token(tokens: Tokens, company: str) -> bool:
    """Whether the company has any token on the map."""
    return bool(token_cities(tokens, company))
