"""Variants and rulings in title data: parts of a file that change its base entries.

`[variants.<name>]` holds for a chosen variant, `[rulings.<name>.<value>]` for a ruling with that value. A
part repeats the shape of the file: an entry of a list is found by its key and changed field by field, or
added; a table is changed key by key.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_KEYS: Final = ("at", "id", "symbol", "name")


class OverlayError(ValueError):
    """A part of a file cannot be laid over its base."""


def overlaid(
    document: Mapping[str, Any], variants: Sequence[str], rulings: Mapping[str, str]
) -> dict[str, Any]:
    """The base of a file with the parts of these variants and rulings laid over it, variants first."""
    base = {key: value for key, value in document.items() if key not in ("variants", "rulings")}
    offered = document.get("variants", {})
    parts = [offered[variant] for variant in variants if variant in offered]
    by_ruling = document.get("rulings", {})
    parts += [by_ruling[name][value] for name, value in rulings.items() if value in by_ruling.get(name, {})]
    for part in parts:
        base = _merged(base, part)
    return base


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
