"""What of Faust and of its client is used though it is private: a new version may change it without a word.

Decision 45 says why these names remain."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from services.common.faust import driver

REMAINING = {
    "CommittedConsumer._new_consumer_thread",
    "CommittedThread._create_worker_consumer",
}
LIBRARIES = ("aiokafka", "faust", "mode")
# Their libraries document these codes of errors under these names.
CODES = frozenset({"KafkaError"})


def overridden() -> Iterator[str]:
    """Private names that classes of the driver define or assign, and a class of the library beneath them uses as well."""
    for definition in ast.parse(inspect.getsource(driver)).body:
        if isinstance(definition, ast.ClassDef):
            modules = {base.__module__ for base in getattr(driver, definition.name).__mro__[1:]}
            texts = [
                inspect.getsource(sys.modules[each])
                for each in modules
                if each.partition(".")[0] in LIBRARIES
            ]
            for name in sorted(defined(definition)):
                if is_private(name) and any(re.search(rf"\b{name}\b", text) for text in texts):
                    yield f"{definition.name}.{name}"


def defined(definition: ast.AST) -> set[str]:
    """Names of its methods, and attributes that are assigned."""
    methods = {
        each.name for each in ast.walk(definition) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return methods | {
        each.attr
        for each in ast.walk(definition)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    }


def is_private(name: str) -> bool:
    """By its underscore."""
    return name.startswith("_") and not name.endswith("__")


def uses(text: str) -> Iterator[str]:
    """Private names that are read or written of something other than the module's own classes."""
    for outer in ast.parse(text).body:
        own = defined(outer)
        for each in ast.walk(outer):
            if isinstance(each, ast.Attribute) and is_private(each.attr):
                of = each.value.id if isinstance(each.value, ast.Name) else ""
                if of not in CODES and not (of in ("self", "cls") and each.attr in own):
                    yield f"{ast.unparse(each)} in line {each.lineno}"


def test_no_other_private_name_is_overridden() -> None:
    """Both are factories: they return what is asked for, and call nothing that is private."""
    assert set(overridden()) == REMAINING


def test_no_private_name_of_another_object_is_used(repository: Path) -> None:
    """By the package that runs Faust."""
    found = {
        path.name: list(uses(path.read_text()))
        for path in sorted((repository / "services" / "common" / "faust").glob("*.py"))
    }
    assert {name: names for name, names in found.items() if names} == {}


def test_a_private_name_would_be_seen() -> None:
    """Of another object, and of a base class."""
    text = "class A(B):\n    def _own(self):\n        self._mine = self._own()\n        return self._of_base, self.app._hidden\n"
    assert list(uses(text)) == ["self._of_base in line 4", "self.app._hidden in line 4"]
