"""Finds by its syntax what has msgspec analyse a type while a process may already have several threads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FORMS = ("json", "msgpack", "toml", "yaml")
DECODES = {f"msgspec.{form}.decode" for form in FORMS}
CONVERTER = "services.rules.kernel.conversion.Converter"
MAKERS = {f"msgspec.{form}.Decoder" for form in FORMS} | {CONVERTER}
CONVERT = "msgspec.convert"
Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Module:
    """A module of Python and what its names mean."""

    def __init__(self, text: str) -> None:
        self._tree = ast.parse(text)
        self._meanings = dict(_imported(self._tree))

    def late_analyses(self) -> list[str]:
        """Line and fault of each use of msgspec that analyses a type, or may, whenever it is reached."""
        return sorted(self._faults(self._tree, inside=False))

    def decoders_made(self) -> int:
        """How many decoders and converters are made by importing the module."""
        return sum(
            isinstance(node, ast.Call) and self._meaning(node.func) in MAKERS
            for node in _outside_functions(self._tree)
        )

    def late_imports(self) -> list[str]:
        """Line and statement of each import of services within a function."""
        return [
            f"{node.lineno}: {ast.unparse(node)}"
            for function in ast.walk(self._tree)
            if isinstance(function, Function)
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom) and _is_ours(node)
        ]

    def _faults(self, node: ast.AST, inside: bool) -> Iterator[str]:
        if isinstance(node, ast.expr) and (fault := self._fault(node, inside)):
            yield f"{node.lineno}: {fault}"
        called = node.func if isinstance(node, ast.Call) else None
        for child in ast.iter_child_nodes(node):
            # What is called was judged with its arguments.
            if child is not called or self._meaning(called) not in DECODES:
                yield from self._faults(child, inside or isinstance(node, Function))

    def _fault(self, node: ast.expr, inside: bool) -> str:
        meaning = self._meaning(node)
        if meaning == CONVERT:
            return f"{meaning}; make a Converter at module level"
        if meaning in DECODES:
            return f"{meaning} passed on; make a decoder at module level"
        called = self._meaning(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called in DECODES and _names_type(node):
            return f"{called} with a type; make a decoder at module level"
        if called in MAKERS and inside:
            return f"{called} made in a function; make it at module level"
        return ""

    def _meaning(self, node: ast.expr) -> str:
        """The full name behind a name, an attribute, or either with a type in brackets; empty for anything else."""
        match node:
            case ast.Name(name):
                return self._meanings.get(name, "")
            case ast.Attribute(owner, name) if before := self._meaning(owner):
                return f"{before}.{name}"
            case ast.Subscript(value):
                return self._meaning(value)
        return ""


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that imports bind, and what they mean."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _is_ours(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether modules of the services are imported."""
    if isinstance(node, ast.ImportFrom):
        return bool(node.level) or str(node.module).split(".")[0] == "services"
    return any(alias.name.split(".")[0] == "services" for alias in node.names)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, Function):
        for child in ast.iter_child_nodes(node):
            yield from _outside_functions(child)


def _names_type(call: ast.Call) -> bool:
    """Whether a call says which type it decodes, or may, as with `**options`."""
    return any(keyword.arg in ("type", None) for keyword in call.keywords)


@cache
def service_modules(repository: Path) -> dict[str, Module]:
    """Our own modules of the services, by path within the repository."""
    folder = repository / "services"
    return {
        path.relative_to(repository).as_posix(): Module(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
        if not path.is_relative_to(folder / "gen")
    }
