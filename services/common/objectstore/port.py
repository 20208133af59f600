"""The port of a store of named immutable objects. An object is written whole and never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from services.common.errors import SignalboxError

OBJECT_BYTES_MAX = 64 * 1024 * 1024
"""An object is in memory as a whole."""
_NAME = re.compile(r"[a-z0-9_][a-z0-9._-]*(/[a-z0-9_][a-z0-9._-]*)*")


class StoreError(SignalboxError):
    """A call to an object store failed; the message names the store, the object and the cause."""


class ObjectExists(StoreError):
    """Another object has this name. Nothing was written."""


class ObjectMissing(StoreError):
    """There is no object of this name."""


class ObjectTooLarge(StoreError):
    """The object has more than `OBJECT_BYTES_MAX` bytes. Nothing was written or read."""


class StoreRefused(StoreError):
    """The store refuses the call, and will until somebody changes a setting or a right."""


class StoreUnavailable(StoreError):
    """The store does not answer, or not in time. Whether an object was written is unknown; the same call may be repeated."""


class ObjectStore(Protocol):
    """Named immutable objects. Names are relative paths of lower-case letters, digits and `._-`. Safe for many threads.

    Every call may raise `StoreRefused` and `StoreUnavailable`."""

    def put(self, name: str, content: bytes) -> None:
        """Write an object, durably when this returns. The same content under the same name is no error: a repeat.

        Raises `ObjectExists` for other content, and `ObjectTooLarge`."""

    def get(self, name: str) -> bytes:
        """The content of an object. Raises `ObjectMissing` and `ObjectTooLarge`."""

    def names(self, prefix: str = "", after: str = "") -> Iterator[str]:
        """All names that begin with `prefix` and come after the name `after`, sorted by their characters."""

    def delete(self, name: str) -> None:
        """Remove an object; one that is missing is no error."""


def check_name(name: str) -> None:
    """Raises `ValueError` for a name that not every store can keep."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an object")


def check_size(where: str, size: int) -> None:
    """Raises `ObjectTooLarge`."""
    if size > OBJECT_BYTES_MAX:
        raise ObjectTooLarge(f"{where}: {size} bytes, at most {OBJECT_BYTES_MAX} are possible")
