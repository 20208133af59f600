"""What the golden playthroughs cover: every title, option, way to end and kind of command, in texts that stay small."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.clauses import package_of
from services.rules.adapters.codec import COMMAND_TYPES
from services.rules.kernel import vocabulary
from services.rules.kernel.commands import CreateGame
from services.rules.titles import BUILT_IN, TITLES
from tests.golden import counting, files
from tests.golden.gaps import COMMANDS_NOT_TAKEN, ENDS_NOT_REACHED
from tests.golden.plans import PLANS, PLANS_BY_NAME
from tests.golden.words import NOT_CHOSEN, PHRASES

FILE_BYTES_MOST = 170_000
ALL_BYTES_MOST = 2_600_000
ENDING_EVENTS = frozenset(("GameEnded", "GameEndTriggered"))


def _ends_in(path: Path) -> Iterator[str]:
    """The reasons that a module gives for the end of a game: a string, or a name of the module or of the kernel's vocabulary."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = vars(vocabulary) | {
        name: value for node in tree.body if isinstance(node, ast.Assign) for name, value in _strings(node)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function, reason = node.func, node.args[0]
        called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if called not in ENDING_EVENTS:
            continue
        if isinstance(reason, ast.Constant):
            yield str(reason.value)
        elif isinstance(reason, ast.Name):
            yield names[reason.id]


def _strings(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """The names that an assignment gives to strings."""
    for target in node.targets:
        pairs = (
            zip(target.elts, node.value.elts, strict=True)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            else [(target, node.value)]
        )
        for name, value in pairs:
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                yield name.id, str(value.value)


def _ends_of(repository: Path, title: str) -> set[str]:
    """Every reason for which a game of the title can end, by its own code and by that of all titles."""
    rules = repository / "services" / "rules"
    own = {end for path in (rules / "titles" / package_of(title)).glob("**/*.py") for end in _ends_in(path)}
    shared = {end for path in (rules / "kernel").glob("**/*.py") for end in _ends_in(path)}
    assert own, f"no code that ends a game of {title} was found"
    assert shared, "no code that ends a game by hand was found"
    return own | shared


@pytest.mark.parametrize("title", [title.name for title in BUILT_IN])
def test_every_way_to_end_is_played_or_listed(repository: Path, title: str) -> None:
    """Each reason for which the code ends a game is the end of a playthrough, or a gap with its reason."""
    played = {plan.ends for plan in PLANS if plan.title == title}
    gaps = {end for listed, end in ENDS_NOT_REACHED if listed == title}
    assert played | gaps == _ends_of(repository, title)
    assert not played & gaps


@pytest.mark.parametrize("title", [title.name for title in BUILT_IN])
def test_every_option_is_played(title: str) -> None:
    """Each option of the title is in a playthrough, so are a game without options and one with the other rulings."""
    plans = [plan for plan in PLANS if plan.title == title]
    assert {option for plan in plans for option in plan.options} == {
        option.name for option in TITLES[title].options
    }
    assert any(not plan.options for plan in plans)
    assert {plan.profile for plan in plans} == {"rulebook", "18xx.games"}


def test_every_number_of_players_is_played() -> None:
    """Small tables and large ones."""
    for title in BUILT_IN:
        assert {plan.players for plan in PLANS if plan.title == title.name} == {*title.all_player_counts}


def test_every_command_has_a_phrase() -> None:
    """No kind of command is without words, and no two share them."""
    built_in = {each for each in COMMAND_TYPES if each.__module__.startswith("services.")}
    assert PHRASES.keys() | NOT_CHOSEN | {CreateGame} == {*built_in, CreateGame}
    assert len({phrase.kind for phrase in PHRASES.values()}) == len(PHRASES)


def test_every_kind_of_command_is_taken_or_listed() -> None:
    """Each kind of command is taken in some playthrough, or a gap with its reason."""
    starts = Counter[str]()
    for plan in PLANS:
        for text in re.findall(r"(?m)^\d+ [^:]*: (.+)$", files.recorded(plan)):
            starts.update(
                phrase.kind for phrase in PHRASES.values() if f"{text} ".startswith(f"{phrase.kind} ")
            )
    kinds = {phrase.kind for phrase in PHRASES.values()}
    assert kinds - starts.keys() == set(COMMANDS_NOT_TAKEN)


def test_each_text_has_its_plan_and_each_plan_its_text() -> None:
    """No playthrough is forgotten, none is compared with nothing."""
    assert {path.stem for path in files.FOLDER.iterdir()} == set(PLANS_BY_NAME)
    assert {path.stem for path in counting.FOLDER.iterdir()} == {title.name for title in BUILT_IN}
    assert len(PLANS_BY_NAME) == len(PLANS)


def test_texts_stay_small() -> None:
    """A text can be read in review, and all of them together are small beside the code."""
    sizes = {path.name: path.stat().st_size for path in files.FOLDER.iterdir()}
    assert {name: size for name, size in sizes.items() if size > FILE_BYTES_MOST} == {}
    assert sum(sizes.values()) <= ALL_BYTES_MOST
