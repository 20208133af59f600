"""Typed values made from parsed TOML or JSON.

msgspec analyses a struct type at its first use, and lets other threads use the type before the analysis is complete: two
threads that decode or convert to the same type for the first time may end the process with a segmentation fault (msgspec
0.22). So every type is analysed while modules are imported, by one thread: decoders are made at module level, and where
msgspec offers a function but no decoder, a `Converter` is.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

Converted = TypeVar("Converted")


class Converter(Generic[Converted]):
    """Makes values of one type. To be made at module level; any number of threads may use it at once."""

    def __init__(self, kind: type[Converted]) -> None:
        """Analyses the type and every type in it."""
        self.type = kind
        # msgspec keeps the analysis with the type, where `convert` finds it.
        msgspec.json.Decoder(kind)

    def __call__(self, value: object) -> Converted:
        """The typed value; keys that are numbers may be written as text. Raises `msgspec.ValidationError`."""
        return msgspec.convert(value, self.type, str_keys=True)
