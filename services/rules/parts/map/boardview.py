"""What follows from a map and its tokens, worked out once: the track index, the ways from stop to stop, and what each
company is connected to.

A game replaces its `tiles` and `tokens` whenever they change, so both stand for their content: a view is kept by their
identity, holding on to them so that the identity stays theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import TypeVar, cast

from services.routing.domain.problem import Segment
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, Tiles, Tokens, face
from services.rules.parts.map.data import map_data
from services.rules.parts.map.reach import Reach, reach, route_exists
from services.rules.parts.map.state import map_of
from services.rules.parts.map.track import Track, track_of, with_tile
from services.rules.parts.map.ways import Ways, renewed, ways_of, ways_over

KEPT_VIEWS = 512

Answer = TypeVar("Answer")


class TilesView:
    """The tiles of one state of a game with their track index. Ways are worked out when they are first asked for, from
    those of an earlier map where there is one."""

    __slots__ = ("_changed", "_earlier", "_ways", "data", "kept", "tiles", "track")

    def __init__(
        self,
        data: TitleData,
        tiles: Tiles,
        track: Track,
        earlier: Ways | None = None,
        changed: frozenset[str] = frozenset(),
    ) -> None:
        """`changed`: the only hexes on which `tiles` differ from those of `earlier`."""
        self.data = data
        self.tiles = tiles
        self.track = track
        self.kept: dict[Hashable, object] = {}
        self._ways: Ways | None = None
        self._earlier = earlier
        self._changed = changed

    @property
    def ways(self) -> Ways:
        """The ways from stop to stop."""
        if self._ways is None:
            if self._earlier is None:
                self._ways = ways_of(self.track)
            else:
                self._ways = renewed(self._earlier, self.track, self._changed)
            self._earlier, self._changed = None, frozenset()
        return self._ways

    def with_tile(self, hex_id: str, laid: LaidTile, after: Tiles) -> TilesView:
        """The view of `after`, which follows by this tile."""
        track = with_tile(self.track, self.data, self.tiles, hex_id, laid)
        if self._ways is not None:
            return TilesView(self.data, after, track, self._ways, frozenset((hex_id,)))
        return TilesView(self.data, after, track, self._earlier, self._changed | {hex_id})


class BoardView:
    """The map of one state of a game, with answers kept as they are asked for."""

    __slots__ = ("_kept", "_on_tiles", "_reach", "data", "tiles", "tokens", "track")

    def __init__(self, on_tiles: TilesView, tokens: Tokens) -> None:
        self._on_tiles = on_tiles
        self.data = on_tiles.data
        self.tiles = on_tiles.tiles
        self.tokens = tokens
        self.track = on_tiles.track
        self._reach: dict[str, Reach] = {}
        self._kept: dict[Hashable, object] = {}

    @property
    def ways(self) -> Ways:
        """The ways from stop to stop, with or without tokens in between."""
        return self._on_tiles.ways

    def ways_over(self, hexes: tuple[str, ...]) -> tuple[Segment, ...]:
        """Every way from stop to stop over just these hexes."""
        known, longest = map_data(self.data).hexes, len(self.track.grid.twin)
        if not 2 <= len(hexes) <= longest or not all(map(known.__contains__, hexes)):
            return ()
        return ways_over(self.data, hexes, tuple(map(self.tiles.get, hexes)))

    def reach(self, company: str) -> Reach:
        """Everything the tokens of `company` are connected to."""
        found = self._reach.get(company)
        if found is None:
            found = self._reach[company] = reach(self.track, self.tokens, company)
        return found

    def once(self, key: Hashable, work: Callable[[], Answer], of_tiles: bool = False) -> Answer:
        """The answer to a question about this map named by `key`, worked out when it is first asked. `of_tiles`: it rests on
        the tiles alone, wherever tokens are."""
        answers = self._on_tiles.kept if of_tiles else self._kept
        kept = answers.get(key)
        if kept is None:
            kept = answers[key] = work()
        return cast(Answer, kept)

    def keep(self, key: Hashable, answer: object) -> None:
        """Keep an answer for `once` that was found in another way."""
        self._kept[key] = answer

    def route_exists(self, company: str) -> bool:
        """Whether some token of `company` is joined to another stop."""
        known = self._reach.get(company)
        if known is not None and len(known.stops) > len(known.starts):
            return True
        return self.once(("route", company), lambda: route_exists(self.track, self.tokens, company))


_tile_views: dict[int, TilesView] = {}
_views: dict[tuple[int, int], BoardView] = {}


def view_of(data: TitleData, game: Game) -> BoardView:
    """The view of a game's map as it stands."""
    board = map_of(game)
    tiles, tokens = board.tiles, board.tokens
    key = (id(tiles), id(tokens))
    view = _views.get(key)
    if view is not None and view.tiles is tiles and view.tokens is tokens and view.data is data:
        return view
    if len(_views) >= KEPT_VIEWS:
        _views.clear()
    view = _views[key] = BoardView(_on_tiles(data, tiles), tokens)
    return view


def board_view(data: TitleData, tiles: Tiles, tokens: Tokens) -> BoardView:
    """The view of a map that belongs to no game, worked out from nothing and not kept."""
    return BoardView(TilesView(data, tiles, track_of(data, tiles)), tokens)


def _on_tiles(data: TitleData, tiles: Tiles) -> TilesView:
    kept = _tile_views.get(id(tiles))
    if kept is not None and kept.tiles is tiles and kept.data is data:
        return kept
    return _keep(TilesView(data, tiles, track_of(data, tiles)))


def _keep(view: TilesView) -> TilesView:
    if len(_tile_views) >= KEPT_VIEWS:
        _tile_views.clear()
    _tile_views[id(view.tiles)] = view
    return view


def follow_lay(data: TitleData, before: Tiles, hex_id: str, laid: LaidTile, after: Tiles) -> None:
    """Work what follows from `after` out from what is known of `before`, which it follows by one tile."""
    _keep(_on_tiles(data, before).with_tile(hex_id, laid, after))


def home_city(data: TitleData, tiles: Tiles, hex_id: str, stop: int) -> int:
    """Which city of the hex is now the one printed as `stop`: the one that kept its printed exits."""
    printed, now = map_data(data).hexes[hex_id].face, face(data, tiles, hex_id)
    exits = printed.stop_exits(stop)
    if hex_id not in tiles or not exits:
        return stop if stop < len(now.stops) else 0
    return next((place for place in range(len(now.stops)) if exits <= now.stop_exits(place)), 0)


def has_token(tokens: Tokens, company: str) -> bool:
    """Whether the company has any token on the map."""
    return company in chain.from_iterable(tokens.values())
