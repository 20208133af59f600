"""Seeded inputs for every method and field: values at and beyond every bound, garbage, and messages made at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
from google.protobuf.descriptor import FieldDescriptor as Field

from tests.attack.plan import Target
from tests.attack.surface import FieldPath, Method, all_methods, is_map, is_repeated

ROLES = ("anonymous", "forged", "stranger", "player", "player")
INT_BOUNDS = {
    Field.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    Field.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    Field.CPPTYPE_UINT32: (0, 2**32 - 1),
    Field.CPPTYPE_UINT64: (0, 2**64 - 1),
}
INTS = (
    0,
    1,
    -1,
    2,
    7,
    64,
    65,
    255,
    1000,
    1001,
    10**6,
    2**31 - 1,
    -(2**31),
    2**32,
    2**63 - 1,
    -(2**63),
    2**64 - 1,
)
FLOATS = (0.0, -1.0, 1e308, float("nan"), float("inf"), float("-inf"))
TEXTS = (
    "",
    " ",
    "\0",
    "a\0b",
    "x" * 64,
    "x" * 65,
    "x" * 10_000,
    "\N{GRINNING FACE}" * 60,
    "\N{RIGHT-TO-LEFT OVERRIDE}abc",
    "e\N{COMBINING ACUTE ACCENT}",
    "\N{CYRILLIC CAPITAL LETTER A}da",
    "\N{ZERO WIDTH SPACE}",
    "\ufffe",
    "../../etc/passwd",
    "' OR 1=1 --",
    "%s%n{0}",
    "line\r\nline",
    "-1",
    "\N{ARABIC-INDIC DIGIT THREE}",
    "1824",
)
BYTES = (b"", b"\0", b"\xff" * 10, b"x" * 10_000)
MANY = 300
UNKNOWN_ENUM_NUMBERS = (99, -1, 2**31 - 1)
RANDOM_DEPTH = 5

PutValue = Callable[[Any, Field], None]


class Input(msgspec.Struct, frozen=True):
    """One call: method by service and name, who calls, and the bytes of the request."""

    service: str
    method: str
    role: str
    content: bytes


def inputs(target: Target, count: int, seed: int) -> list[Input]:
    """So many inputs: each special value in each field of each method as far as they fit in, and random ones."""
    return Inputs(target, random.Random(seed)).make(count)


class Inputs:
    """Makes inputs. Each has a request id of its own, so that its outcome can be asked for again."""

    def __init__(self, target: Target, draw: random.Random) -> None:
        self._target = target
        self._draw = draw
        self._number = 0
        self._methods = all_methods()

    def make(self, count: int) -> list[Input]:
        """See `inputs`."""
        sweep = [
            (method, path, value)
            for method in self._methods
            for path in method.field_paths()
            for value in special_values(path[-1])
        ]
        self._draw.shuffle(sweep)
        made = [self._with_value(*each) for each in sweep[: count * 3 // 4]]
        fields = [1 + len(method.field_paths()) for method in self._methods]
        drawn = self._draw.choices(self._methods, fields, k=count - len(made))
        made += [self._random(method) for method in drawn]
        self._draw.shuffle(made)
        return made

    def base(self, method: Method) -> Any:
        """A request that could be meant."""
        self._number += 1
        target, message = self._target, method.request()
        likely = {
            "game_id": target.game_id,
            "table_id": target.table_id,
            "request_id": f"attack-{self._number}",
            "expected_sequence": target.sequence,
            "title": "1824",
            "player_count": 3,
            "name": f"Attacker {self._number}",
            "password": "wrong horse battery",
        }
        for field in message.DESCRIPTOR.fields:
            if field.name in likely:
                setattr(message, field.name, likely[field.name])
        if method.name == "Execute":
            message.command.SetInParent()
        return message

    def _with_value(self, method: Method, path: FieldPath, value: PutValue) -> Input:
        message = self.base(method)
        inner = message
        for field in path[:-1]:
            inner = getattr(inner, field.name)
            inner = inner.add() if is_repeated(field) else inner
        value(inner, path[-1])
        return self._input(method, message.SerializeToString())

    def _random(self, method: Method) -> Input:
        message = self.base(method)
        self._fill(message, RANDOM_DEPTH)
        content = message.SerializeToString()
        if self._draw.random() < 0.3:
            content = self._damaged(content)
        return self._input(method, content)

    def _fill(self, message: Any, depth: int) -> None:
        for field in message.DESCRIPTOR.fields:
            if self._draw.random() > 0.4:
                continue
            if field.message_type is not None and not is_map(field) and depth:
                inner = getattr(message, field.name)
                for _ in range(self._draw.randint(1, 3) if is_repeated(field) else 1):
                    each = inner.add() if is_repeated(field) else inner
                    each.SetInParent()
                    self._fill(each, depth - 1)
            elif values := list(special_values(field)):
                self._draw.choice(values)(message, field)

    def _damaged(self, content: bytes) -> bytes:
        damaged = bytearray(content or b"\0")
        for _ in range(self._draw.randint(1, 4)):
            at = self._draw.randrange(len(damaged))
            kind = self._draw.randrange(3)
            if kind == 0:
                damaged[at] = self._draw.randrange(256)
            elif kind == 1:
                del damaged[at:]
                damaged += b"\0" if not damaged else b""
            else:
                damaged[at:at] = self._draw.randbytes(self._draw.randint(1, 8))
        return bytes(damaged)

    def _input(self, method: Method, content: bytes) -> Input:
        return Input(method.service, method.name, self._draw.choice(ROLES), content)


def special_values(field: Field) -> Iterator[PutValue]:
    """What puts each special value into the field of a message."""
    if is_map(field):
        yield _many_keys
    elif field.message_type is not None:
        yield _empty_message
        if is_repeated(field):
            yield _many_messages
    else:
        for value in _scalars(field):
            if is_repeated(field):
                yield from (partial(_extend, [value] * times) for times in (1, 2, MANY))
            else:
                yield partial(_set, value)


def _set(value: Any, message: Any, field: Field) -> None:
    setattr(message, field.name, value)


def _extend(values: list[Any], message: Any, field: Field) -> None:
    getattr(message, field.name).extend(values)


def _many_keys(message: Any, field: Field) -> None:
    getattr(message, field.name).update(dict.fromkeys(TEXTS, -1))


def _empty_message(message: Any, field: Field) -> None:
    inner = getattr(message, field.name)
    if is_repeated(field):
        inner.add()
    else:
        inner.SetInParent()


def _many_messages(message: Any, field: Field) -> None:
    for _ in range(MANY):
        getattr(message, field.name).add()


def _scalars(field: Field) -> tuple[Any, ...]:
    kind = field.cpp_type
    if kind in INT_BOUNDS:
        least, most = INT_BOUNDS[kind]
        return tuple(each for each in INTS if least <= each <= most)
    if kind == Field.CPPTYPE_ENUM:
        assert field.enum_type is not None
        return (*(each.number for each in field.enum_type.values), *UNKNOWN_ENUM_NUMBERS)
    if kind == Field.CPPTYPE_BOOL:
        return (True, False)
    if kind in (Field.CPPTYPE_DOUBLE, Field.CPPTYPE_FLOAT):
        return FLOATS
    return BYTES if field.type == Field.TYPE_BYTES else TEXTS
