"""Variants and rulings in title data: parts of a file that change its base entries.

`[variants.<name>]` holds for a chosen variant, `[rulings.<name>.<value>]` for a ruling with that value. A
part repeats the shape of the file: an entry of a list is found by its key and changed field by field, or
added; a table is changed key by key. `without` names, by list, the entries that a part leaves out; what it
then lists anew is added. A part may have parts of its own: rulings, and `by_players.<number>`, which holds
at a table with so many players.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_KEYS: Final = ("at", "id", "symbol", "name")
_PARTS: Final = ("variants", "by_players", "rulings")


class OverlayError(ValueError):
    """A part of a file cannot be laid over its base."""


def overlaid(
    document: Mapping[str, Any], variants: Sequence[str], rulings: Mapping[str, str], players: int = 0
) -> dict[str, Any]:
    """The base of a file with the parts of these variants, these rulings and this number of players laid over it, in
    that order. `players` 0: no number in particular."""
    base = {key: value for key, value in document.items() if key not in _PARTS}
    for part in _parts_in(document, variants, rulings, players):
        own = {key: value for key, value in part.items() if key not in (*_PARTS, "without")}
        base = _merged(_without(base, part.get("without", {})), own)
    return base


def _parts_in(
    document: Mapping[str, Any], variants: Sequence[str], rulings: Mapping[str, str], players: int
) -> Iterator[Mapping[str, Any]]:
    """The parts of a document, or of a part of it, that hold for these choices, each followed by its own."""
    offered, by_ruling = document.get("variants", {}), document.get("rulings", {})
    chosen = [offered[variant] for variant in variants if variant in offered]
    chosen += [by_ruling[name][value] for name, value in rulings.items() if value in by_ruling.get(name, {})]
    chosen += [part for count, part in document.get("by_players", {}).items() if count == str(players)]
    for part in chosen:
        yield part
        yield from _parts_in(part, variants, rulings, players)


def names_of_parts(document: Mapping[str, Any], kind: str) -> frozenset[str]:
    """The names of all parts of a kind (`rulings`, `by_players`) in a document, those of its parts included."""
    found = set(document.get(kind, ()))
    for variant in document.get("variants", {}).values():
        found |= names_of_parts(variant, kind)
    for part in document.get("by_players", {}).values():
        found |= names_of_parts(part, kind)
    return frozenset(found)


def _without(base: Mapping[str, Any], left_out: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    result = dict(base)
    for section, names in left_out.items():
        missing = set(names) - {_key(entry) for entry in result.get(section, ())}
        if missing:
            raise OverlayError(f"without: {section} has no {', '.join(sorted(missing))}")
        result[section] = [entry for entry in result[section] if _key(entry) not in names]
    return result


def _merged(base: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, change in part.items():
        value = result.get(key)
        if isinstance(value, Mapping) and isinstance(change, Mapping):
            result[key] = _merged(value, change)
        elif isinstance(value, Sequence) and change and all(isinstance(entry, Mapping) for entry in change):
            result[key] = _merged_entries(value, change)
        elif key == "extra" and isinstance(change, int):
            result["count"] = result.get("count", 0) + change
        else:
            result[key] = change
    return result


def _merged_entries(base: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]) -> list[Any]:
    by_key = {_key(entry): entry for entry in base}
    for change in changes:
        by_key[_key(change)] = _merged(by_key.get(_key(change), {}), change)
    return list(by_key.values())


def _key(entry: Mapping[str, Any]) -> str:
    for key in _KEYS:
        if key in entry:
            return str(entry[key])
    raise OverlayError(
        f"an entry that is changed by a variant or ruling has none of the keys {', '.join(_KEYS)}: {entry}"
    )
