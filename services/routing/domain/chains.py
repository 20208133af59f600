"""The route over given segments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from services.routing.domain.finder import Route
from services.routing.domain.network import Network


def route_over(
    network: Network, segments: Iterable[int], is_goods: bool, score: int, claims: tuple[int, ...] = ()
) -> Route:
    """The route over these segments, which make one chain: from its smaller end or from its mine."""
    ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for segment in segments:
        a, b = int(network.segment_a[segment]), int(network.segment_b[segment])
        ways[a].append((b, segment))
        ways[b].append((a, segment))
    ends = sorted(stop for stop, onward in ways.items() if len(onward) == 1)
    if is_goods:
        ends.sort(key=lambda stop: not network.is_mine[stop])
    stops, along = [ends[0]], [-1]
    while len(stops) < len(ways):
        following, segment = next(way for way in ways[stops[-1]] if way[1] != along[-1])
        stops.append(following)
        along.append(segment)
    return Route(score, tuple(stops), tuple(along[1:]), claims)
