"""The laws of the rules core that can be read from its source: who may import what, and that the fold only assigns."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "services" / "rules"
# What kernel, parts and titles may import, beside what they may import of each other.
ALLOWED = frozenset(
    (
        "__future__",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "itertools",
        "msgspec",
        "re",
        "typing",
        "services.routing.domain",
    )
)
# A title tells where its folder is and has its files read; the list of titles reads a setting.
ALLOWED_HERE = {
    "titles/g1824/title.py": {"pathlib", "services.rules.loading"},
    "titles/g1862/title.py": {"pathlib", "services.rules.loading"},
    "titles/g1865/title.py": {"pathlib", "services.rules.loading"},
    "titles/rotw/title.py": {"pathlib", "services.rules.loading"},
    "titles/__init__.py": {"os", "importlib", "services.rules.loading"},
}
# What a title's dialect of recorded games is written with; the importer's reading of files is not in it.
DIALECTS = tuple(
    f"services.rules.importer.{module}"
    for module in ("actions", "dialect", "names", "trace_actions", "trace_holders", "tracestate", "translate")
)
LAYERS = {
    "kernel": ("services.rules.kernel",),
    "parts": ("services.rules.kernel", "services.rules.parts"),
    "titles": ("services.rules.kernel", "services.rules.parts", "services.rules.titles", *DIALECTS),
}
SOURCES = [path for layer in LAYERS for path in sorted((RULES / layer).rglob("*.py"))]
EVENT_MODULES = [path for path in SOURCES if path.name == "events.py"]
# A fold that looked at any of these could decide.
# Comparisons with a named constant that a fold may make, each with its reason.
NAMED_CONSTANTS = {
    # The depot has no list of its trains but a count by kind: whose the train was says which of the two is written.
    ("parts/trains/events.py", "TrainMoved", "self.source == BANK"),
}
RULES_AND_DATA = ("titledata", "rulings", "figures", ".data", "title", "decide", "draft")


def _name(path: Path) -> str:
    return path.relative_to(RULES).as_posix()


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _is_within(module: str, packages: frozenset[str] | set[str] | tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_kernel_parts_and_titles_import_what_is_allowed_and_no_more(path: Path) -> None:
    """Nothing that does I/O, reads a clock or draws randomness, and no title imports another."""
    name = _name(path)
    layer, _, rest = name.partition("/")
    of_title = rest.partition("/")[0] if layer == "titles" and "/" in rest else ""
    for module in _imports(path):
        allowed = _is_within(module, ALLOWED) or _is_within(module, ALLOWED_HERE.get(name, set()))
        assert allowed or _is_within(module, LAYERS[layer]), f"{name} imports {module}"
        if of_title and module.startswith("services.rules.titles"):
            assert _is_within(module, (f"services.rules.titles.{of_title}",)), f"{name} imports {module}"


def _writers(path: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name == "write":
                    yield node.name, member
        elif isinstance(node, ast.FunctionDef):
            yield node.name, node


def _branches(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What the function branches on."""
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node.test
        elif isinstance(node, ast.Match):
            yield node.subject
        elif isinstance(node, ast.comprehension):
            yield from node.ifs


def _words(expression: ast.expr) -> set[str]:
    return {node.attr for node in ast.walk(expression) if isinstance(node, ast.Attribute)}


def _decides(test: ast.expr) -> bool:
    """Whether a branch rests on a reason, a kind or a word. To look for the entry with the same kind is no branch on it."""
    if isinstance(test, ast.Compare) and _words(test.left) == _words(test.comparators[0]) != set():
        return False
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and node.attr in (
            "reason",
            "kind",
            "option",
            "options",
            "rulings",
        ):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            return True
        if isinstance(node, ast.Compare) and any(map(_is_named_constant, (node.left, *node.comparators))):
            return True
    return False


def _is_named_constant(side: ast.expr) -> bool:
    """Whether one side of a comparison is, or holds, a constant with a name, as `BANK` or `vocabulary.BANK`."""
    names = [each.id for each in ast.walk(side) if isinstance(each, ast.Name)]
    return any(each.isupper() for each in (*names, *_words(side)))


@pytest.mark.parametrize("path", EVENT_MODULES, ids=_name)
def test_the_fold_branches_on_no_reason_kind_or_word(path: Path) -> None:
    """What follows from a fact is a fact of its own."""
    found = [
        f"{name}, line {test.lineno}: {ast.unparse(test)}"
        for name, function in _writers(path)
        for test in _branches(function)
        if _decides(test) and (_name(path), name, ast.unparse(test)) not in NAMED_CONSTANTS
    ]
    assert found == []


@pytest.mark.parametrize("path", EVENT_MODULES, ids=_name)
def test_the_fold_sees_neither_rules_nor_title_data(path: Path) -> None:
    """A log folds wherever it is, whatever became of the title's figures."""
    assert [each for each in _imports(path) if each.endswith(RULES_AND_DATA)] == []


@pytest.mark.parametrize(
    "condition",
    [
        'self.reason == "removed"',
        "self.source == BANK",
        "self.source in (BANK, POOL)",
        "self.at == words.BANK",
    ],
)
def test_the_check_of_the_fold_finds_what_it_looks_for(condition: str) -> None:
    """A fold that restores a licence when a train was removed, or left a holder with a name, is found."""
    source = f"def write(self, game):\n    if {condition}:\n        game.gone = 1\n"
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [_decides(test) for test in _branches(function)] == [True]
