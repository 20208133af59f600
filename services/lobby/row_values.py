"""Values of one type as the rows of a projection keep them."""

from __future__ import annotations

import hashlib
from typing import Generic, TypeVar

import msgspec

from services.lobby.projection_file import DamagedRow

Value = TypeVar("Value")

_encode = msgspec.msgpack.Encoder().encode


class UnfitValue(Exception):
    """A value that no row can hold."""


class RowValues(Generic[Value]):
    """Encodes and decodes them. `form` names how: a number, which grows when the same events make other rows, and a digest of
    the type, by which a changed one is noticed without."""

    def __init__(self, decoder: msgspec.msgpack.Decoder[Value], number: int) -> None:
        """`decoder`: of the type, made when the module is loaded."""
        schema = msgspec.json.encode(msgspec.json.schema(decoder.type))
        self.form = f"{number} {hashlib.sha256(schema).hexdigest()}"
        self._decoder = decoder

    def encoded(self, value: Value) -> bytes:
        """The value as a row has it. Raises `UnfitValue`."""
        try:
            return _encode(value)
        except (OverflowError, ValueError) as problem:
            raise UnfitValue(f"{self._decoder.type.__name__} fits no row: {problem}") from problem

    def decoded(self, body: bytes) -> Value:
        """The value in a row. Raises `DamagedRow`."""
        try:
            return self._decoder.decode(body)
        except msgspec.DecodeError as problem:
            raise DamagedRow(f"{self._decoder.type.__name__} cannot be read: {problem}") from problem
