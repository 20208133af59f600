"""The two questions about links as callers put them, with ids: the cheapest track between two cities, and the deliveries of a
company. Like a `RouteProblem` they know no title: what track costs, and whose a link is, is resolved beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from services.routing.domain.links.grid import SIDES
from services.routing.domain.problem import require

HEX_COUNT_MAX = 3_000
CITY_COUNT_MAX = 200
LINK_COUNT_MAX = 1_000
CUBE_COUNT_MAX = 500
TRACK_COUNT_MAX = 50
COST_MAX = 1_000_000
STEPS_MAX = 8_000_000
STEPS_USUAL = 4_000_000


class TrackSide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side of a hex: the hex `beyond` it, empty where there is none, and what crossing costs on top. Sides are listed
    clockwise; the same side is that three places on of the hex beyond. `is_closed`: no track can cross it any more."""

    beyond: str = ""
    cost: int = 0
    is_closed: bool = False


class TrackHex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex with its six sides. `cost`: what track in it costs now, in whole units. A city ends links and lets none pass; a
    hex that is full takes no more track, a city that is full no more links."""

    id: str
    cost: int
    sides: tuple[TrackSide, ...]
    is_city: bool = False
    is_full: bool = False


class TrackProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which are the `count` cheapest tracks from city `start` to city `end`?"""

    hexes: tuple[TrackHex, ...]
    start: str
    end: str
    count: int = 1


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What track costs, and its hexes with both cities."""

    cost: int
    hexes: tuple[str, ...]


class TrackAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cheapest tracks, the cheapest first; fewer than asked for where there are no more. `proven`: none is cheaper, or
    missing."""

    tracks: tuple[Track, ...]
    proven: bool


class GoodsCity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city and the colour of the goods that it takes; empty: none."""

    id: str
    colour: str = ""


class OwnedLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link between two cities, and who owns it."""

    id: str
    one: str
    other: str
    owner: str


class Cube(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cube of a colour in a city; several equal ones are one question."""

    city: str
    colour: str


class DeliveryProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which deliveries of these cubes can `company` make that are not dominated? `steps`: how long is searched at
    most, for all cubes together."""

    company: str
    cities: tuple[GoodsCity, ...]
    links: tuple[OwnedLink, ...]
    cubes: tuple[Cube, ...]
    steps: int = STEPS_USUAL


class CubeDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery of a cube over `links`, in order, so many of them own and so many others', to city `target`."""

    city: str
    colour: str
    own: int
    others: int
    links: tuple[str, ...]
    target: str


class DeliveryAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All deliveries that are not dominated, the best first: that with the most own links, then the fewest of others, then
    the cube that was listed first. `proven`: none was left out. `own_most`: no delivery of these cubes has more own links; where
    `proven`, one has as many."""

    deliveries: tuple[CubeDelivery, ...]
    proven: bool
    own_most: int


def validate_track(problem: TrackProblem) -> None:
    """Raises `ProblemError` for the first field that is wrong."""
    ids = _unique("hexes", (each.id for each in problem.hexes), HEX_COUNT_MAX)
    for place, each in enumerate(problem.hexes):
        where = f"hexes[{place}]"
        _within(f"{where}.cost", each.cost, 0, COST_MAX)
        require(len(each.sides) == SIDES, f"{where}.sides", "side_count", f"a hex has {SIDES} sides")
        for number, side in enumerate(each.sides):
            path = f"{where}.sides[{number}]"
            known = not side.beyond or side.beyond in ids
            require(known, f"{path}.beyond", "unknown_id", f"there is no hex {side.beyond!r}")
            _within(f"{path}.cost", side.cost, 0, COST_MAX)
    _check_both_sides(problem)
    cities = {each.id for each in problem.hexes if each.is_city}
    for name, city in (("start", problem.start), ("end", problem.end)):
        require(city in cities, name, "unknown_id", f"there is no city {city!r}")
    require(problem.start != problem.end, "end", "same_city", "track goes from a city to another one")
    _within("count", problem.count, 1, TRACK_COUNT_MAX)


def _check_both_sides(problem: TrackProblem) -> None:
    """A side is the same from both hexes."""
    by_id = {each.id: each for each in problem.hexes}
    for place, each in enumerate(problem.hexes):
        for number, side in enumerate(each.sides):
            if side.beyond:
                back = by_id[side.beyond].sides[(number + SIDES // 2) % SIDES]
                same = (back.beyond, back.cost, back.is_closed) == (each.id, side.cost, side.is_closed)
                message = f"hex {side.beyond!r} has this side otherwise"
                require(same, f"hexes[{place}].sides[{number}]", "sides_differ", message)


def validate_deliveries(problem: DeliveryProblem) -> None:
    """Raises `ProblemError` for the first field that is wrong."""
    cities = _unique("cities", (each.id for each in problem.cities), CITY_COUNT_MAX)
    _unique("links", (each.id for each in problem.links), LINK_COUNT_MAX)
    for place, link in enumerate(problem.links):
        for name, city in (("one", link.one), ("other", link.other)):
            known = city in cities
            require(known, f"links[{place}].{name}", "unknown_id", f"there is no city {city!r}")
        require(link.one != link.other, f"links[{place}].other", "same_city", "a link joins two cities")
    _unique("cubes", (f"{each.colour} in {each.city}" for each in problem.cubes), CUBE_COUNT_MAX)
    for place, cube in enumerate(problem.cubes):
        known = cube.city in cities
        require(known, f"cubes[{place}].city", "unknown_id", f"there is no city {cube.city!r}")
        require(cube.colour != "", f"cubes[{place}].colour", "empty", "a cube has a colour")
    _within("steps", problem.steps, 1, STEPS_MAX)


def _unique(name: str, ids: Iterable[str], most: int) -> frozenset[str]:
    """The ids of a list that has none of them twice, and not too many."""
    counted = Counter(ids)
    require(counted.total() <= most, name, "too_many", f"{counted.total()} given, at most {most} are allowed")
    twice = next((each for each, count in counted.items() if count > 1), "")
    require(not twice, name, "duplicate_id", f"{twice!r} is given twice")
    return frozenset(counted)


def _within(name: str, value: int, least: int, most: int) -> None:
    require(least <= value <= most, name, "out_of_range", f"{value} is not between {least} and {most}")
