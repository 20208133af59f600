"""Two traces of one game compared, line by line, over every field that both hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

NOT_COMPARED = frozenset(("log",))
ANY_ORDER = frozenset(("legal",))
# Tables whose keys are facts themselves: an entry that one side lacks is a difference.
TABLES = frozenset(
    (
        "market",
        "certificates",
        "tiles",
        "slots",
        "minors",
        "players",
        "corporations",
        "upcoming",
        "shares",
        "companies",
        "sold_this_round",
        "merged_trains",
        "non_paying_shares",
    )
)
# Fields of `other` that stand only where they say something: a missing one is the same as an empty one.
LEFT_OUT_WHEN_EMPTY = frozenset(
    (
        "laid_hexes",
        "upgraded",
        "tokened",
        "exchanged_train",
        "sold_this_round",
        "merged_trains",
        "non_paying_shares",
        "forced_exchange",
        "kk_token_choice",
        "sd_to_form",
        "ug_to_form",
        "kk_to_form",
        "auction",
        "auction_finish",
        "won_auction",
        "buy_tokens",
        "forced_sales",
        "options",
        "removals",
        "home_upgrade",
        "emergency_buy",
        "deferred_rust",
        "base_tiles",
    )
)
# The same of a company: it has no turn in the round at hand.
RESTING = "skip"


class Difference(Struct, frozen=True):
    """One field of line `line` that differs; None where a side has nothing."""

    line: int
    path: str
    ours: Any
    theirs: Any


def compare(ours: Iterable[Mapping[str, Any]], theirs: Iterable[Mapping[str, Any]]) -> list[Difference]:
    """All differences between two traces, as far as both go."""
    found: list[Difference] = []
    for number, (our_line, their_line) in enumerate(zip(ours, theirs, strict=False)):
        found.extend(compare_line(number, our_line, their_line))
    return found


def compare_line(line: int, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[Difference]:
    """The differences in one line."""
    return [Difference(line, path, mine, other) for path, mine, other in _mapping("", ours, theirs)]


def _mapping(path: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    name = path.rpartition("/")[2]
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        here = f"{path}/{key}"
        mine, other = ours.get(key), theirs.get(key)
        in_both = key in ours and key in theirs
        if here.lstrip("/") in NOT_COMPARED or here == "/action/created_at":
            continue
        if in_both:
            yield from _value(here, mine, other)
        elif name in TABLES or (_stands_where_it_says_something(name, key) and (mine or other)):
            yield here, mine, other


def _stands_where_it_says_something(name: str, key: str) -> bool:
    return key == RESTING or (name == "other" and key in LEFT_OUT_WHEN_EMPTY)


def _value(path: str, mine: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        yield from _mapping(path, mine, other)
    elif path.rpartition("/")[2] in ANY_ORDER and _is_list(mine) and _is_list(other):
        if set(mine) != set(other):
            yield path, mine, other
    elif type(mine) is not type(other) or mine != other:
        yield path, mine, other


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
