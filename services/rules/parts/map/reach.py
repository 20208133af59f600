"""What a company is connected to: everything that some trail from one of its tokens leads to.

A trail uses no side of a hex twice, does not turn back at a junction, goes on only through cities with a
token of the company or a free space and through towns, and ends on terminal track. The answer is exact. First
a breadth-first search follows trails; that finds nearly everything. A piece of track next to reached track is
left over only when the trail found first stands in its own way; for these another trail is sought by
excluding, one direction after the other, the sides that the shortest walk would use both ways.
"""

from __future__ import annotations

from copy import copy

from services.rules.parts.map.board import CityId, Tokens, token_cities
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.tiles import EdgeEnd
from services.rules.parts.map.track import Crossing, Leaving, PathId, Port, Track

_NONE: tuple[()] = ()


class Reach:
    """The stops, paths and sides that a company is connected to.

    `starts` are the cities with its tokens, `bare_hexes` the hexes of those that have no track yet. What the first search
    leaves open is settled when an answer depends on it."""

    __slots__ = ("_begun", "_settled", "bare_hexes", "starts")

    def __init__(self, begun: _Search) -> None:
        """`begun`: a search that has spread and is not settled."""
        self._begun = begun
        self._settled: _Search | None = None
        self.starts = begun.starts
        self.bare_hexes = frozenset(city[0] for city in begun.starts if city not in begun.track.departures)

    @property
    def _exact(self) -> _Search:
        if self._settled is None:
            self._settled = self._begun.settled()
        return self._settled

    @property
    def stops(self) -> set[CityId]:
        """The stops that a trail leads to, own tokens among them."""
        return self._exact.stops

    @property
    def paths(self) -> set[PathId]:
        """The pieces of track on a trail."""
        return self._exact.paths

    def enters(self, hex_id: str, end: EdgeEnd) -> bool:
        """Does connected track lead to this end of the hex from its neighbour?"""
        port = self._begun.track.grid.port_of.get((hex_id, end))
        return port in self._begun.trails or port in self._exact.trails

    def enters_straight(self, hex_id: str, end: EdgeEnd) -> bool:
        """Does a known trail lead to this end of the hex without using another side of it?"""
        grid, trails = self._begun.track.grid, self._begun.trails
        port = grid.port_of.get((hex_id, end))
        if port is None or port not in trails:
            return False
        return trails[port] & grid.hex_bits[hex_id] == grid.bit[port]

    def hexes(self) -> set[str]:
        """The hexes that connected track leads to or lies on, and those of own tokens."""
        grid = self._begun.track.grid
        ports = (port for reached in self._exact.trails for port in (reached, grid.twin[reached]))
        return {grid.side_of[port][0] for port in ports} | {hex_id for hex_id, _ in self.starts}

    def sides(self) -> frozenset[tuple[str, int]]:
        """Every (hex, edge) where a new tile's track could join.

        That is both views of each side reached, and all sides of a hex with an own token but without track.
        """
        grid = self._begun.track.grid
        both = {port for reached in self._exact.trails for port in (reached, grid.twin[reached])}
        bare = {(hex_id, edge) for hex_id in self.bare_hexes for edge in EDGES}
        return frozenset({grid.side_of[port] for port in both} | bare)


def blocked_cities(tokens: Tokens, company: str) -> set[CityId]:
    """Cities that the company cannot pass: no own token and no free space."""
    return {city for city, slots in tokens.items() if company not in slots and "" not in slots}


def reach(track: Track, tokens: Tokens, company: str) -> Reach:
    """Everything that the company's tokens are connected to."""
    search = _Search(track, tokens, company)
    search.spread(search.begin())
    return Reach(search)


def route_exists(track: Track, tokens: Tokens, company: str) -> bool:
    """Is a token of the company joined to another stop?"""
    if _Search(track, tokens, company).meets_stop():
        return True
    found = reach(track, tokens, company)
    if len(found.stops) > len(found.starts):
        return True
    return any(len(reach(track, {city: tokens[city]}, company).stops) > 1 for city in found.starts)


class _Search:
    """One search. `trails` holds for every port reached the sides used by one trail to it, as bits."""

    __slots__ = ("blocked", "expanded", "paths", "starts", "stops", "track", "trails")

    def __init__(self, track: Track, tokens: Tokens, company: str) -> None:
        self.track = track
        self.starts = token_cities(tokens, company)
        self.blocked = blocked_cities(tokens, company)
        self.trails: dict[Port, int] = {}
        self.stops = set(self.starts)
        self.paths: set[PathId] = set()
        self.expanded = self.stops | self.blocked

    def settled(self) -> _Search:
        """This search, which has spread, if it leaves nothing open; else one that goes on from it."""
        if not self._left_over():
            return self
        twin = copy(self)
        twin.trails, twin.stops, twin.paths = self.trails.copy(), self.stops.copy(), self.paths.copy()
        twin.expanded = self.expanded.copy()
        twin.settle()
        return twin

    def begin(self) -> list[Port]:
        """Leave every own token; the ports to go on from."""
        trails, departures = self.trails, self.track.departures
        for city in self.starts:
            for port, bit, path in departures.get(city, _NONE):
                self.paths.add(path)
                trails.setdefault(port, bit)
        return list(trails)

    def meets_stop(self) -> bool:
        """Follow the trails until one meets a stop without an own token. False is no proof that none does."""
        through, into = self.track.through, self.track.into
        queue = self.begin()
        for port in queue:
            if any(arrival.stop not in self.stops for arrival in into.get(port, _NONE)):
                return True
            used = self.trails[port]
            for beyond, bit, _ in through.get(port, _NONE):
                if not used & bit and beyond not in self.trails:
                    self.trails[beyond] = used | bit
                    queue.append(beyond)
        return False

    def spread(self, queue: list[Port]) -> None:
        """Follow the trails from these ports as far as they go. The queue grows while it is read."""
        trails, paths, stops, expanded = self.trails, self.paths, self.stops, self.expanded
        through, into, onward = self.track.through, self.track.into, self.track.onward
        for port in queue:
            used = trails[port]
            leaving = through.get(port, _NONE)
            if port in into:
                for city, path, goes_on in into[port]:
                    paths.add(path)
                    stops.add(city)
                    if goes_on and city not in expanded:
                        expanded.add(city)
                        leaving = (*leaving, *onward[city])
            for beyond, bit, path in leaving:
                if not used & bit:
                    paths.add(path)
                    if beyond not in trails:
                        trails[beyond] = used | bit
                        queue.append(beyond)

    def settle(self) -> None:
        """Try the paths left over beside reached track until no further one can be reached."""
        tried: set[Crossing] = set()
        while open_cases := [crossing for crossing in self._left_over() if crossing not in tried]:
            for crossing in open_cases:
                if crossing.leads_to.path not in self.paths:
                    self._try(crossing)
            tried.update(open_cases)

    def _left_over(self) -> list[Crossing]:
        twin, branching = self.track.grid.twin, self.track.branching
        sides = {*self.trails, *[twin[port] for port in self.trails]}
        return [
            crossing
            for path in branching.keys() - self.paths
            for crossing in branching[path]
            if not sides.isdisjoint(crossing.ports)
        ]

    def _try(self, crossing: Crossing) -> None:
        twin, bit = self.track.grid.twin, self.track.grid.bit
        ports, leads_to = crossing
        banned = set(ports) if len(ports) == 1 else set()
        if isinstance(leads_to, Leaving):
            banned |= {leads_to.port, twin[leads_to.port]}
        used = self._find_trail(tuple(twin[port] for port in ports), frozenset(banned))
        if used is None:
            return
        if len(ports) == 1 and ports[0] not in self.trails:
            self.trails[ports[0]] = used
            self.spread([ports[0]])
        elif isinstance(leads_to, Leaving):
            self.paths.add(leads_to.path)
            if leads_to.port not in self.trails:
                self.trails[leads_to.port] = used | bit[leads_to.port]
                self.spread([leads_to.port])

    def _find_trail(self, begins: tuple[Port, ...], banned: frozenset[Port]) -> int | None:
        """The sides of some trail, followed backwards from one of these ports to an own token, or None.

        No banned port is entered. The shortest walk can fail to be a trail only by using a side both ways, so
        a trail, if there is one, leaves out one of the two directions.
        """
        grid = self.track.grid
        tried: set[frozenset[Port]] = set()
        cases = [banned]
        while cases:
            case = cases.pop()
            if case in tried:
                continue
            tried.add(case)
            walk = self._shortest_walk(begins, case)
            twice = next((port for port in walk if grid.twin[port] in walk), None)
            if twice is not None:
                cases += [case | {twice}, case | {grid.twin[twice]}]
            elif walk:
                return sum(grid.bit[port] for port in walk)
        return None

    def _shortest_walk(self, begins: tuple[Port, ...], banned: frozenset[Port]) -> frozenset[Port]:
        """The ports of a shortest walk from one of these ports to an own token; empty if there is none."""
        track, expanded = self.track, set(self.blocked)
        came_from: dict[Port, Port | None] = dict.fromkeys(begins)
        queue = list(begins)
        for port in queue:
            leaving = track.through.get(port, _NONE)
            for city, _, goes_on in track.into.get(port, _NONE):
                if city in self.starts:
                    return _ports_back(port, came_from)
                if goes_on and city not in expanded:
                    expanded.add(city)
                    leaving = (*leaving, *track.onward[city])
            for beyond, _, _ in leaving:
                if beyond not in came_from and beyond not in banned:
                    came_from[beyond] = port
                    queue.append(beyond)
        return frozenset()


def _ports_back(port: Port, came_from: dict[Port, Port | None]) -> frozenset[Port]:
    walk: list[Port] = []
    step: Port | None = port
    while step is not None:
        walk.append(step)
        step = came_from[step]
    return frozenset(walk)
