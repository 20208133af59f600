"""Tests describe positions and read what happened in the vocabulary of tests/positions; events are named there alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from services.rules.adapters.codec import EVENT_TYPES
from tests.architecture.shared_words import ROOT

EVENTS = {each.__name__ for each in EVENT_TYPES}
VOCABULARY = (
    "tests/positions/",
    "tests/titles/g1824/table.py",
    "tests/titles/g1862/table.py",
    "tests/titles/g1862/reading.py",
    "tests/titles/g1865/table.py",
    "tests/titles/rotw/table.py",
)
# What is about the events themselves: how they are made, stored, read, traced and folded.
MAY_NAME_EVENTS = {
    "tests/architecture/test_titles_from_outside.py": "the words that titles share",
    "tests/bench/alternatives/__main__.py": "the state before each run of a log",
    "tests/golden/test_logs.py": "what an older version of an event says",
    "tests/recorded/test_trace.py": "what is traced of each event",
    "tests/recorded/test_trace_1862.py": "what is traced of each event",
    "tests/recorded/test_translate.py": "what an event is translated into",
    "tests/rules/directing/test_decisions.py": "how the log names what a director decided",
    "tests/rules/directing/test_moving.py": "seats that changed hands in a file",
    "tests/rules/directing/test_lasting.py": "the law of the events that an undo leaves standing",
    "tests/rules/moving/test_native.py": "an event that is forged into a file, and an undo in it",
    "tests/rules/samples.py": "one of every event",
    "tests/rules/service/desk.py": "a log that begins with another undo policy",
    "tests/rules/service/test_undo.py": "how an undo is stored",
    "tests/rules/test_codec.py": "how events are stored",
    "tests/simulation/asked.py": "the events by which a player is out of a step",
    "tests/simulation/test_asked.py": "a player put out of an auction",
    "tests/rules/test_sentences.py": "what is said of each event",
    "tests/rules/test_contract.py": "the list of all events",
    "tests/rules/test_divisions.py": "what the division of a company assigns",
    "tests/rules/test_reading.py": "the view of facts that 1862 alone has",
    "tests/rules/tiny.py": "a title",
    "tests/simulation/laws.py": "what the first event of a log says",
    "tests/simulation/reckoning.py": "any position of a random game, without a director",
}


def modules_of_tests() -> Iterator[tuple[str, ast.Module]]:
    """All modules below tests outside of the vocabulary, of titles that are played in tests, and of generated code."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        is_title = (path.parent / "title.toml").exists()
        if not is_title and not name.startswith(VOCABULARY) and "/gen/" not in name:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def named_events(module: ast.Module) -> set[str]:
    """The events of the rules that a module imports, and `events` for a module of them."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("services.rules."):
            found |= {each.name for each in node.names} & {*EVENTS, "events"}
        if isinstance(node, ast.Import):
            found |= {"events" for each in node.names if each.name.endswith(".events")}
    return found


def test_events_are_named_in_the_vocabulary() -> None:
    """No other test imports an event, but those listed, so that a reshaped event changes the vocabulary alone."""
    found = {name for name, module in modules_of_tests() if named_events(module)}
    assert sorted(found - MAY_NAME_EVENTS.keys()) == []
    assert sorted(MAY_NAME_EVENTS.keys() - found) == [], "listed without need"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("from services.rules.kernel.events import TurnStarted", {"TurnStarted"}),
        ("from services.rules.kernel.events import Event", set()),
        ("from services.rules.kernel import events", {"events"}),
        ("import services.rules.kernel.events", {"events"}),
        ("from tests.positions.rounds import rounds", set()),
    ],
)
def test_what_counts_as_named(text: str, named: set[str]) -> None:
    """An event of its own, or a module of them; the base of all events is none."""
    assert named_events(ast.parse(text)) == named
