"""Track on the board: whether a link can be built over some hexes, and what it costs (build-b to build-k, faq-l)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.hexes import EDGES, opposite
from services.rules.titles.rotw.board import Board, board_of
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.rulings import plays
from services.rules.titles.rotw.state import links_of, own

Side = tuple[str, int]


class LaidTrack(NamedTuple):
    """The track on the board: the sides of hexes that it crosses, seen from both, how many tracks each hex has between
    cities, and how many links end in each city, by hex."""

    sides: frozenset[Side]
    tracks: Counter[str]
    ends: Counter[str]


def laid_track(game: Game, board: Board) -> LaidTrack:
    """The track of all links."""
    return track_over(board, paths_of(game))


def paths_of(game: Game) -> tuple[tuple[str, ...], ...]:
    """The hexes of each link."""
    return tuple([link.path for link in own(game).links.values()])


@lru_cache(maxsize=256)
def track_over(board: Board, paths: tuple[tuple[str, ...], ...]) -> LaidTrack:
    """The track of links over these hexes."""
    sides: set[Side] = set()
    tracks: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for path in paths:
        sides.update(sides_of(board, path))
        tracks.update(path[1:-1])
        ends.update((path[0], path[-1]))
    return LaidTrack(frozenset(sides), tracks, ends)


def sides_of(board: Board, path: tuple[str, ...]) -> list[Side]:
    """The sides that a path crosses, each seen from both hexes."""
    found = []
    for one, other in pairwise(path):
        edge = board.neighbours[one].index(other)
        found += [(one, edge), (other, opposite(edge))]
    return found


def cities_of(game: Game, company: str) -> frozenset[str]:
    """The hexes of the cities in a company's network."""
    return frozenset(
        end for link in links_of(game, company).values() for end in (link.path[0], link.path[-1])
    )


def check_track(game: Game, data: TitleData, company: str, path: tuple[str, ...]) -> None:
    """Reject a path that is no link, or that the board or the company's network does not allow."""
    board = board_of(data)
    _check_path(board, path)
    _check_room(data, laid_track(game, board), path)
    _check_network(game, company, path)


def _check_path(board: Board, path: tuple[str, ...]) -> None:
    """The hexes join two cities, pass none, and turn gently."""
    known = all(each in board.terrain for each in path)
    reject_if(not known or len(set(path)) < len(path), "rotw.no_path", "rotw/build-i")
    joined = all(other in board.neighbours[one] for one, other in pairwise(path))
    reject_if(not joined, "rotw.no_path", "rotw/build-i")
    ends = {*path[:1], *path[-1:]}
    complete = len(ends) > 1 and ends <= board.by_hex.keys()
    reject_if(not complete, "rotw.link_incomplete", "rotw/build-e")
    for before, hex_id, after in zip(path, path[1:], path[2:], strict=False):
        reject_if(hex_id in board.by_hex, "rotw.city_on_the_way", "rotw/build-k", hex_id)
        edges = board.neighbours[hex_id]
        turn = abs(edges.index(before) - edges.index(after))
        sharp = min(turn, len(EDGES) - turn) == 1
        reject_if(sharp, "rotw.sharp_turn", "rotw/build-i", hex_id)


def _check_room(data: TitleData, laid: LaidTrack, path: tuple[str, ...]) -> None:
    """There is room in the hexes, through their sides, and in the cities."""
    board = board_of(data)
    for hex_id, edge in sides_of(board, path):
        reject_if((hex_id, edge) in laid.sides, "rotw.hexside_taken", "rotw/build-i", hex_id)
    most = figures_of(data).track.tracks_in_hex_most
    for hex_id in path[1:-1]:
        reject_if(laid.tracks[hex_id] >= most, "rotw.hex_full", "rotw/build-i", hex_id)
    for end in (path[0], path[-1]):
        city = board.by_hex[end]
        reject_if(laid.ends[end] >= city.exits, "rotw.no_exit_left", "rotw/faq-l", city.name)


def _check_network(game: Game, company: str, path: tuple[str, ...]) -> None:
    """The first link may be anywhere; every other joins the network (build-f, build-g)."""
    ends = {path[0], path[-1]}
    links = links_of(game, company)
    if not links:
        return
    to_connect = links if plays(game, "links_to_connect_to", "own") else own(game).links
    joined = any(end in (link.path[0], link.path[-1]) for link in to_connect.values() for end in ends)
    reject_if(not joined, "rotw.not_connected", "rotw/build-g")
    if plays(game, "second_link_between_cities", "forbidden"):
        twice = any({link.path[0], link.path[-1]} == ends for link in links.values())
        reject_if(twice, "rotw.link_twice", "rotw/build-i")


def track_cost(data: TitleData, laid: LaidTrack, path: tuple[str, ...], second: bool) -> int:
    """What the track of a link costs: terrain, ridges, crossings, and the surcharge of a second link (build-b, build-c)."""
    board, costs = board_of(data), figures_of(data).track
    by_terrain = {"open": costs.open, "water": costs.water, "mountain": costs.mountain}
    total = 0
    for hex_id in path[1:-1]:
        total += by_terrain[board.terrain[hex_id]]
        total += costs.crossing if laid.tracks[hex_id] else 0
        total += costs.second_link_per_hex if second else 0
    for one, other in pairwise(path):
        if (one, board.neighbours[one].index(other)) in board.ridges:
            at_city = one in board.by_hex or other in board.by_hex
            total += costs.ridge_at_city if at_city else costs.ridge
    return total
