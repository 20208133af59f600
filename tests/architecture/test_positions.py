"""Tests describe positions in the vocabulary of tests/positions: they write no facts, and read movements from it alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from services.rules.adapters.codec import EVENT_TYPES
from tests.architecture.shared_words import ROOT

EVENTS = {each.__name__ for each in EVENT_TYPES}
MOVEMENTS = {"CashMoved", "CertificatesMoved", "DebtChanged", "TrainMoved"}
VOCABULARY = ("tests/positions/", "tests/titles/g1824/table.py", "tests/titles/g1862/table.py")
# Tests about the events themselves, titles that are played in tests, and what a title alone shows or may lack.
MAY_WRITE = {
    "tests/recorded/test_trace.py": "what is traced of each event",
    "tests/recorded/test_trace_1862.py": "what is traced of each event",
    "tests/recorded/test_translate.py": "what an event is translated into",
    "tests/rules/samples.py": "one of every event",
    "tests/rules/test_codec.py": "how events are stored",
    "tests/rules/test_divisions.py": "what the division of a company assigns",
    "tests/rules/test_reading.py": "the view of facts that 1862 alone has",
    "tests/rules/tiny.py": "a title",
    "tests/samples/fair/title.py": "a title",
    "tests/samples/island/operating.py": "a title",
    "tests/samples/island/stock.py": "a title",
    "tests/samples/island/title.py": "a title",
    "tests/simulation/reckoning.py": "any position of a random game, without a director",
}


def modules_of_tests() -> Iterator[tuple[str, ast.Module]]:
    """All modules below tests outside of the vocabulary and of generated code."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith((*VOCABULARY, "tests/samples/gen/")):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(module: ast.Module) -> set[str]:
    """The events of the rules that a module imports."""
    return {
        each.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("services.rules.")
        for each in node.names
        if each.name in EVENTS
    }


def compares(node: ast.AST) -> bool:
    """Whether what is in the node is only compared with what the rules did: `assert`, `==`, `in`, `events.index(...)`."""
    searches = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "index"
    )
    return searches or isinstance(node, ast.Assert | ast.Compare)


def written(node: ast.AST, events: set[str]) -> Iterator[str]:
    """The events that are made in a node for anything but a comparison."""
    if compares(node):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in events:
        yield node.func.id
    for child in ast.iter_child_nodes(node):
        yield from written(child, events)


def test_positions_are_described() -> None:
    """No test makes facts to write them, but those listed."""
    found = {name for name, module in modules_of_tests() if any(written(module, imported(module)))}
    assert sorted(found - MAY_WRITE.keys()) == []
    assert sorted(MAY_WRITE.keys() - found) == [], "listed without need"


def test_movements_are_read_in_one_place() -> None:
    """What money, certificates, debts and trains did is read with tests/positions/reading.py."""
    found = {name for name, module in modules_of_tests() if imported(module) & MOVEMENTS}
    assert sorted(found - MAY_WRITE.keys()) == []


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("table.write(TurnStarted(0))", ["TurnStarted"]),
        ("fact = TurnStarted(0)\nassert fact in events", ["TurnStarted"]),
        ("assert TurnStarted(0) in events", []),
        ("at = events.index(TurnStarted(0))", []),
        ("found = isinstance(event, TurnStarted)", []),
    ],
)
def test_what_counts_as_written(text: str, made: list[str]) -> None:
    """A fact that is made, unless it is only looked for."""
    assert list(written(ast.parse(text), {"TurnStarted"})) == made
