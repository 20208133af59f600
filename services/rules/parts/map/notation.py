"""The short words in which title data files write stops and track.

Stop: `<kind> [<value> | <key>:<value>... | @<Area>] [x<token spaces>]`, for example `city 40 x2` or `mine
yellow:10 brown:40`. Track: `<end>-<end> [terminal]`; an end is an edge `0` to `5`, an edge with a lane
`4(1/2)`, or a stop `s0`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, get_args

from services.rules.kernel.titlebuild import MalformedEntryError
from services.rules.parts.map.tiles import EdgeEnd, Path, Stop, StopKind

_KINDS: Final[dict[str, StopKind]] = {kind: kind for kind in get_args(StopKind)}
_SLOTTED_KINDS: Final = frozenset(("city", "mine"))
_EDGE: Final = re.compile(r"([0-5])(?:\((\d+)/(\d+)\))?")
_STOP: Final = re.compile(r"s(\d+)")

Areas = Mapping[str, Mapping[str, int]]


class NotationError(MalformedEntryError):
    """A stop or a piece of track cannot be read; the message names the word that is wrong."""


def parse_stop(text: str, areas: Areas, revenue_keys: Sequence[str]) -> Stop:
    """Read one stop. Raises NotationError."""
    kind_word, *words = text.split()
    kind = _KINDS.get(kind_word)
    if kind is None:
        raise NotationError(f"{kind_word!r} is not a kind of stop: {', '.join(_KINDS)}")
    slots = 1 if kind in _SLOTTED_KINDS else 0
    revenue: int | dict[str, int] = 0
    by_key: dict[str, int] = {}
    area = None
    for word in words:
        key, colon, amount = word.partition(":")
        if word.isdecimal():
            revenue = int(word)
        elif word[0] == "x" and word[1:].isdecimal():
            slots = int(word[1:])
        elif word[0] == "@" and word[1:] in areas:
            area = word[1:]
            by_key.update(areas[area])
        elif colon and amount.isdecimal():
            by_key[key] = int(amount)
        else:
            raise NotationError(f"{text!r}: {word!r} is no value, area or number of token spaces")
    if by_key:
        revenue = fill_revenue(by_key, revenue_keys)
    return Stop(kind=kind, slots=slots, revenue=revenue, area=area)


def fill_revenue(given: Mapping[str, int], revenue_keys: Sequence[str]) -> dict[str, int]:
    """One value for every key: a key not given has the value of the key before it. Raises NotationError."""
    unknown = sorted(set(given) - set(revenue_keys))
    if unknown:
        raise NotationError(f"{unknown[0]!r} is not a revenue key: {', '.join(revenue_keys)}")
    if revenue_keys[0] not in given:
        raise NotationError(f"the value for the first revenue key {revenue_keys[0]!r} is missing")
    filled: dict[str, int] = {}
    value = 0
    for key in revenue_keys:
        value = given.get(key, value)
        filled[key] = value
    return filled


def parse_path(text: str, stop_count: int) -> Path:
    """Read one piece of track of a face with so many stops. Raises NotationError."""
    ends_word, *words = text.split() or [""]
    if words not in ([], ["terminal"]):
        raise NotationError(f"{text!r}: after the ends only 'terminal' may stand")
    ends = ends_word.split("-")
    if len(ends) != 2:
        raise NotationError(f"{text!r}: track has two ends")
    edges = tuple(sorted(_edge(end, text) for end in ends if not end.startswith("s")))
    stops = tuple(_stop(end, text, stop_count) for end in ends if end.startswith("s"))
    if not edges or len({edge.edge for edge in edges}) != len(edges):
        raise NotationError(f"{text!r}: track joins two different edges or an edge and a stop")
    return Path(edges=edges, stop=stops[0] if stops else None, terminal=bool(words))


def _edge(word: str, text: str) -> EdgeEnd:
    match = _EDGE.fullmatch(word)
    if match is None:
        raise NotationError(f"{text!r}: {word!r} is no edge from 0 to 5")
    edge, lane, lanes = int(match[1]), int(match[2] or 0), int(match[3] or 1)
    if lane >= lanes:
        raise NotationError(f"{text!r}: lane {lane} of {lanes} does not exist")
    return EdgeEnd(edge=edge, lane=lane, lanes=lanes)


def _stop(word: str, text: str, stop_count: int) -> int:
    match = _STOP.fullmatch(word)
    if match is None or int(match[1]) >= stop_count:
        raise NotationError(f"{text!r}: {word!r} is not one of {stop_count} stops")
    return int(match[1])
