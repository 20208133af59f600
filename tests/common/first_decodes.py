"""Every decoder of the services, used for the first time by several threads at once.

Run as a program, since only a fresh process has first uses. Prints as one JSON object how many decoders there are, what
went wrong, and how many struct types msgspec still analysed after the imports, which must be none. With `--lazy` a decoder
analyses its type when it is used, to show what this program finds then.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import get_context
from types import FrameType, ModuleType
from typing import Any

import msgspec
from msgspec import _utils, inspect

import services
from services.rules.kernel.conversion import Converter

THREADS = 6
SWITCH_SECONDS = 1e-6
SCALARS: dict[type[inspect.Type], Any] = {
    inspect.AnyType: None,
    inspect.NoneType: None,
    inspect.BoolType: True,
    inspect.IntType: 1,
    inspect.FloatType: 1.5,
    inspect.StrType: "a",
    inspect.BytesType: b"a",
    inspect.DateType: "2026-01-31",
    # Nothing in MessagePack: what a decoder leaves to another one.
    inspect.RawType: msgspec.Raw(b"\xc0"),
}
Use = Callable[[], object]
# What msgspec calls, once for each struct type, to analyse it.
_ANALYSIS = vars(_utils)["get_class_annotations"].__code__


class LazyDecoder:
    """A decoder that analyses its type when it is used."""

    form: ModuleType

    def __init__(self, kind: Any = Any) -> None:
        self.type = kind

    def decode(self, content: bytes) -> Any:
        """As the decoders of msgspec do."""
        return self.form.decode(content, type=self.type)


class LazyJson(LazyDecoder):
    """Of JSON."""

    form = msgspec.json


class LazyMsgpack(LazyDecoder):
    """Of MessagePack."""

    form = msgspec.msgpack


class Analyses:
    """How many types msgspec analyses within the block, in this thread and in those that begin in the block."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Analyses:
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _see(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is _ANALYSIS:
            self.count += 1


def samples(kind: inspect.Type, around: frozenset[type] = frozenset()) -> list[Any]:
    """Plain values of a type, at least one for each part of a union; none for structs that are `around` it already."""
    if type(kind) in SCALARS:
        return [SCALARS[type(kind)]]
    match kind:
        case inspect.LiteralType(values):
            return list(values)
        case inspect.EnumType(members):
            return [member.value for member in members]
        case inspect.UnionType(types):
            if any(isinstance(each, inspect.StructType) and each.cls in around for each in types):
                return []
            return [value for each in types for value in samples(each, around)]
        case inspect.StructType():
            return [] if kind.cls in around else _struct_samples(kind, around | {kind.cls})
        case inspect.DictType(key_type, value_type):
            key = samples(key_type, around)[0]
            return [{key: value} for value in samples(value_type, around)] or [{}]
        case inspect.TupleType(item_types):
            return list(_rows([samples(each, around) for each in item_types]))
        case inspect.NamedTupleType():
            return list(_rows([samples(field.type, around) for field in kind.fields]))
        case inspect.CollectionType(item_type):
            return [tuple(samples(item_type, around))]
    raise TypeError(f"no sample of {kind}")


def _struct_samples(kind: inspect.StructType, around: frozenset[type]) -> list[Any]:
    columns = {} if kind.tag_field is None else {kind.tag_field: [kind.tag]}
    columns |= {field.encode_name: samples(field.type, around) for field in kind.fields}
    rows = _rows(list(columns.values()))
    return [row if kind.array_like else dict(zip(columns, row, strict=True)) for row in rows]


def _rows(columns: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """So many rows that each value of each column is in one; none if a column has no value."""
    if all(columns):
        for number in range(max(map(len, columns), default=1)):
            yield tuple(column[number % len(column)] for column in columns)


def import_services() -> None:
    """Import every module of the services, as their processes do between them before they begin to work."""
    for module in pkgutil.walk_packages(services.__path__, "services."):
        if not module.name.endswith("__main__") and not module.name.startswith("services.gen"):
            importlib.import_module(module.name)


def all_decoders() -> list[Any]:
    """Every decoder and converter of this process."""
    kinds = (Converter, msgspec.json.Decoder, msgspec.msgpack.Decoder)
    return [each for each in gc.get_objects() if isinstance(each, kinds)]


def contents_of(decoders: list[Any]) -> list[list[Any]]:
    """What each of them can read. A copy of this process finds that out, since looking at a type analyses it."""
    forked = get_context("fork")
    ours, theirs = forked.Pipe()
    copy = forked.Process(target=lambda: theirs.send([_contents(each) for each in decoders]))
    copy.start()
    # Left to the copy alone, so that reading ends with an error if the copy does without an answer.
    theirs.close()
    found: list[list[Any]] = ours.recv()
    copy.join()
    return found


def _contents(decoder: Any) -> list[Any]:
    values = samples(inspect.type_info(decoder.type))
    if isinstance(decoder, Converter):
        return values
    encode = msgspec.json.encode if isinstance(decoder, msgspec.json.Decoder) else msgspec.msgpack.encode
    return [encode(value) for value in values]


def first_uses(decoders: list[Any]) -> Iterator[Use]:
    """What is to be done: samples for each decoder, and the loading of each title."""
    from services.rules.titles import TITLES

    for decoder, contents in zip(decoders, contents_of(decoders), strict=True):
        use = decoder if isinstance(decoder, Converter) else decoder.decode
        yield from (partial(use, content) for content in contents)
    for title in TITLES.values():
        yield partial(title.load, (), {})


def use_at_once(uses: list[Use]) -> list[str]:
    """Every use by every thread, each begun by all of them together; the errors."""
    begin = threading.Barrier(THREADS)
    errors: list[str] = []

    def run() -> None:
        for use in uses:
            begin.wait()
            try:
                use()
            except Exception as error:
                errors.append(repr(error))

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return errors


def main(lazy: bool) -> None:
    """The program."""
    faulthandler.enable()
    if lazy:
        msgspec.json.Decoder = LazyJson  # type: ignore[assignment, misc]
        msgspec.msgpack.Decoder = LazyMsgpack  # type: ignore[assignment, misc]
    import_services()
    decoders = all_decoders()
    uses = list(first_uses(decoders))
    sys.setswitchinterval(SWITCH_SECONDS)
    with Analyses() as analyses:
        errors = use_at_once(uses)
    found = {"decoders": len(decoders), "uses": len(uses), "errors": errors, "analysed": analyses.count}
    sys.stdout.write(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main("--lazy" in sys.argv[1:])
