"""A network of links between cities over which goods are delivered, and what a delivery is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class NetworkLink(NamedTuple):
    """A link between two cities, by number; `is_own`: whether it belongs to the company that delivers."""

    one: int
    other: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class Network:
    """Cities by number, each with a colour; links by number. Goods of a colour stop at the first city of that colour; cities of
    colour -1 take none."""

    colours: Sequence[int]
    links: Sequence[NetworkLink]


class Delivery(NamedTuple):
    """A way for one cube: the numbers of its links in order, how many of them are own and how many are others', and the city
    in which it ends."""

    own: int
    others: int
    links: tuple[int, ...]
    target: int


class Deliveries(NamedTuple):
    """The ways for one cube of which none is as good as another in both counts and better in one: more own links are better,
    and fewer of others. Most own links first. `proven`: no way was left out."""

    ways: tuple[Delivery, ...]
    proven: bool
    steps: int


def own_most(network: Network, colour: int) -> int:
    """A bound on the own links of a way for a cube of a colour: a city that it passes has two of them at most, each end one."""
    own = Counter(end for link in network.links if link.is_own for end in (link.one, link.other))
    passed = (own[city] for city, each in enumerate(network.colours) if each != colour)
    return min(own.total() // 2, sum(min(2, count) for count in passed) // 2 + 1)
