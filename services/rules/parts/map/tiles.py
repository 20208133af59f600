"""What a hex or tile shows: stops and the track between edges and stops, for one rotation.

A tile turned by `r` sixths clockwise moves edge `e` to `(e + r) % 6`; its stops keep their numbers.
"""

from typing import Literal

from msgspec import Struct

StopKind = Literal["city", "town", "offboard", "port", "mine"]

# A route may go on beyond stops of these kinds; it begins or ends at all others.
PASSABLE_KINDS: frozenset[StopKind] = frozenset(("city", "town"))


class EdgeEnd(Struct, frozen=True, order=True):
    """One end of a track at an edge. `lane` of `lanes` parallel tracks that cross this edge, from 0."""

    edge: int
    lane: int = 0
    lanes: int = 1

    def across(self) -> "EdgeEnd":
        """The same crossing as the neighbouring hex names it."""
        return EdgeEnd((self.edge + 3) % 6, self.lanes - 1 - self.lane, self.lanes)


class Path(Struct, frozen=True):
    """A piece of track: between two edges (`stop` is None) or between one edge and a stop.

    A route must begin or end on `terminal` track.
    """

    edges: tuple[EdgeEnd, ...]
    stop: int | None = None
    terminal: bool = False


class Stop(Struct, frozen=True):
    """A city, town, off-board area, port or mine.

    `slots` are its token spaces. `revenue` is a fixed value or one value per revenue key of the title, in
    whole units. Stops with the same `area` are one place.
    """

    kind: StopKind
    slots: int = 0
    revenue: int | dict[str, int] = 0
    area: str | None = None

    def value(self, revenue_key: str) -> int:
        """The value in a phase that counts by this key."""
        return self.revenue if isinstance(self.revenue, int) else self.revenue[revenue_key]


class Face(Struct, frozen=True):
    """The visible side of a hex: a printed hex, or a tile in one rotation."""

    colour: str
    label: str = ""
    stops: tuple[Stop, ...] = ()
    paths: tuple[Path, ...] = ()
    exits: frozenset[int] = frozenset()

    def stop_exits(self, stop: int) -> frozenset[int]:
        """The edges that track joins to this stop."""
        return frozenset([path.edges[0].edge for path in self.paths if path.stop == stop])


def make_face(colour: str, label: str, stops: tuple[Stop, ...], paths: tuple[Path, ...]) -> Face:
    """A face with its exits worked out."""
    exits = frozenset(end.edge for path in paths for end in path.edges)
    return Face(colour=colour, label=label, stops=stops, paths=paths, exits=exits)


def rotated(face: Face, rotation: int) -> Face:
    """The face turned clockwise by `rotation` sixths."""
    if rotation == 0:
        return face
    return make_face(
        face.colour, face.label, face.stops, tuple(_turned(path, rotation) for path in face.paths)
    )


def _turned(path: Path, rotation: int) -> Path:
    edges = (EdgeEnd((end.edge + rotation) % 6, end.lane, end.lanes) for end in path.edges)
    return Path(edges=tuple(sorted(edges)), stop=path.stop, terminal=path.terminal)
