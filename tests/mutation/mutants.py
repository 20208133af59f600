"""Mutants: every way in which the code of a file can be broken in one place, and the file as it is then."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.mutation.operators import breaks

MODULE_LEVEL = ""
Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken place.

    `path`: the file, from the root of the repository. `function`: the outermost function or method around the place,
    `MODULE_LEVEL` outside of all. `span`: first line, first column, last line, last column (in bytes, as `ast` counts
    them). `lines`: the lines of the statement around it. `original`, `replacement`: code. `number`: counts the mutants of
    functions of that name that read the same."""

    path: str
    function: str
    operator: str
    span: Span
    lines: tuple[int, int]
    original: str
    replacement: str
    number: int

    @property
    def reading(self) -> tuple[str, ...]:
        """What it is known by wherever the code stands: neither the line nor the module is part of it."""
        return (self.function, self.operator, self.original, self.replacement)

    def applied_to(self, source: str) -> str:
        """The whole file, broken."""
        first, first_column, last, last_column = self.span
        rows = source.encode().splitlines(keepends=True)
        before = b"".join(rows[: first - 1]) + rows[first - 1][:first_column]
        after = rows[last - 1][last_column:] + b"".join(rows[last:])
        return (before + self.replacement.encode() + after).decode()

    def diff(self, source: str) -> list[str]:
        """The lines that change, as a diff without its head."""
        first, _, last, _ = self.span
        old = source.splitlines()
        new = self.applied_to(source).splitlines()
        end = last + len(new) - len(old)
        return [f"- {row}" for row in old[first - 1 : last]] + [f"+ {row}" for row in new[first - 1 : end]]


def mutants_of(path: str, source: str) -> list[Mutant]:
    """All mutants of one file in the order of the code, each with the number 0."""
    rows = source.encode().splitlines(keepends=True)
    return sorted(_walk(ast.parse(source), path, rows), key=lambda mutant: (mutant.span, mutant.replacement))


def mutants_in(root: Path, folder: Path) -> list[Mutant]:
    """All mutants of the rules in the Python files of a folder; `path` counts from `root` on. How another platform spells its
    games is no rule."""
    found: list[Mutant] = []
    alike: Counter[tuple[str, ...]] = Counter()
    for file in sorted(folder.rglob("*.py")):
        if "importer" in file.parts:
            continue
        path = file.relative_to(root).as_posix()
        for mutant in mutants_of(path, file.read_text(encoding="utf-8")):
            found.append(replace(mutant, number=alike[mutant.reading]))
            alike[mutant.reading] += 1
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a node."""

    function: str = MODULE_LEVEL
    names: tuple[str, ...] = ()
    is_boolean: bool = False
    lines: tuple[int, int] = (1, 1)


def _walk(tree: ast.Module, path: str, rows: list[bytes]) -> Iterator[Mutant]:
    todo: list[tuple[ast.AST, ast.AST, _Around]] = [(child, tree, _Around()) for child in tree.body]
    while todo:
        node, parent, around = todo.pop()
        if isinstance(node, ast.stmt):
            around = _inside(node, around)
        if isinstance(node, ast.expr | ast.stmt):
            for operator, replaced in breaks(node, parent, is_boolean=around.is_boolean):
                yield _mutant(path, rows, node, replaced, operator, around)
        todo += [(child, node, _of_child(node, child, around)) for child in _children(node)]


def _inside(node: ast.stmt, around: _Around) -> _Around:
    """What stands around the parts of a statement: of one with a body, only its head counts."""
    body = getattr(node, "body", None)
    last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
    return _Around(around.function, around.names, around.is_boolean, (node.lineno, last))


def _of_child(node: ast.AST, child: ast.AST, around: _Around) -> _Around:
    """Only what stands in the body of a function is run by it; defaults are the module's."""
    if isinstance(node, ast.ClassDef):
        return _Around(around.function, (*around.names, node.name), False, around.lines)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not isinstance(child, ast.stmt):
        return around
    names = (*around.names, node.name)
    is_boolean = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    return _Around(around.function or ".".join(names), names, is_boolean, around.lines)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The parts that are run: no annotations, decorators, imports, or texts with values in them."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "keywords") and not isinstance(
            node, ast.Call
        ):
            continue
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.AST):
                yield from _argument_parts(child) if isinstance(child, ast.arguments) else (child,)


def _argument_parts(arguments: ast.arguments) -> Iterator[ast.AST]:
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)


def _mutant(
    path: str, rows: list[bytes], node: ast.expr | ast.stmt, replaced: ast.AST, operator: str, around: _Around
) -> Mutant:
    span = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    text = ast.unparse(ast.fix_missing_locations(replaced))
    binds_looser = isinstance(replaced, ast.BoolOp | ast.UnaryOp | ast.BinOp | ast.Compare | ast.IfExp)
    same_rank = isinstance(node, ast.Compare) and isinstance(replaced, ast.Compare)
    replacement = f"({text})" if binds_looser and not same_rank else text
    original = _text(rows, span)
    return Mutant(path, around.function, operator, span, around.lines, original, replacement, 0)


def _text(rows: list[bytes], span: Span) -> str:
    """The code of a span in one line."""
    first, first_column, last, last_column = span
    if first == last:
        return rows[first - 1][first_column:last_column].decode()
    parts = (rows[first - 1][first_column:], *rows[first : last - 1], rows[last - 1][:last_column])
    return " ".join(b"".join(parts).decode().split())
