"""The values that were asked for last, a bounded number of them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

REMEMBERED_MAX = 4096
Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """By key; what was not asked for longest is forgotten first. Not safe for several threads at once."""

    def __init__(self, most: int = REMEMBERED_MAX) -> None:
        self._most = most
        self._values: OrderedDict[str, Value] = OrderedDict()

    def get(self, key: str) -> Value | None:
        """The value, if it is remembered."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: Value) -> None:
        """Remember a value."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._values.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        self._values.clear()
