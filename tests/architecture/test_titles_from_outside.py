"""A title is added from outside, and no word of one title alone is in kernel and parts. The sample titles count."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from services.rules.adapters.registry import PARTS
from services.rules.kernel import commands, events, rejections
from tests.architecture.shared_words import PLATFORM, ROOT, RULES, Used, used_by

SAMPLES = "tests/samples"
MENTION = re.compile(r"tests[./]samples\b|Island Railways|Spring Fair|[\"'](island|fair)[\"'.:]")
# The list of titles that tests play with, what generates and checks code,
# what describes and demonstrates the samples, and this test.
MAY_MENTION = {
    "tests/conftest.py",
    "tests/architecture/test_titles_from_outside.py",
    "Makefile",
    "scripts/proto.sh",
    "pyproject.toml",
    "tests/contracts/test_protos.py",
    "docs/adding-a-title.md",
    "docs/decisions/0018-kernel-parts-titles.md",
    # Who is asked and who is passed over, held against the law in the samples too.
    "tests/simulation/asked.py",
    "tests/simulation/test_asked.py",
    # They play the smallest games there are.
    "tests/web/test_browser.py",
    "tests/web/test_failures.py",
    "tests/web/test_example_bot.py",
    "tests/web/test_screens.py",
}
TITLES = {
    "1824": ROOT / "services/rules/titles/g1824",
    "1862": ROOT / "services/rules/titles/g1862",
    "1865": ROOT / "services/rules/titles/g1865",
    "rotw": ROOT / "services/rules/titles/rotw",
    "island": ROOT / SAMPLES / "island",
    "fair": ROOT / SAMPLES / "fair",
}
# Calls that move what events of several titles move, and the place of the reason among what they are given.
MOVES = {
    "pay": 3,
    "move_certificates": 5,
    "DebtChanged": 2,
    "shift": 4,
    "PriceMoved": 3,
    "place_next_token": 5,
    "TokenReplaced": 5,
    "take_from_depot": 4,
    "TrainMoved": 3,
}
# Used by one title until a second one wants it.
ONE_TITLE_ALONE: dict[str, list[str]] = {}


def _tracked() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if not name.startswith(f"{SAMPLES}/") and (ROOT / name).is_file():
            yield ROOT / name


def test_nothing_outside_mentions_the_samples() -> None:
    """Adding them changed no file of services, nor any test but the list of titles."""
    found = set()
    for path in _tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if MENTION.search(text):
            found.add(path.relative_to(ROOT).as_posix())
    assert found - MAY_MENTION == set()


@pytest.fixture(scope="module")
def used() -> dict[str, Used]:
    """What each title uses, and under an empty name what the platform itself does."""
    found = {title: used_by(sorted(folder.rglob("*.py"))) for title, folder in TITLES.items()}
    return {**found, "": used_by(PLATFORM)}


def _shared_words() -> Iterator[str]:
    yield from (each.__name__ for each in (*events.EVENTS, *commands.COMMANDS))
    yield from rejections.REASONS
    for part in PARTS:
        yield from (each.__name__ for each in (*part.events, *part.commands))
        yield from part.reasons


def test_each_shared_word_is_used_by_two_titles(used: dict[str, Used]) -> None:
    """Events, commands and reasons of rejections: two titles use each, or the platform does for all titles."""
    assert _lonely(_shared_words(), used) == ONE_TITLE_ALONE


def _lonely(words: Iterable[str], used: dict[str, Used]) -> dict[str, list[str]]:
    """The words that one title uses, or none, with that title."""
    users = {word: [title for title in TITLES if used[title].uses(word)] for word in words}
    return {word: titles for word, titles in users.items() if len(titles) < 2 and not used[""].uses(word)}


def _questions(title: str) -> set[str]:
    """Kinds of interrupts that a title raises, by the source."""
    texts = (path.read_text(encoding="utf-8") for path in TITLES[title].rglob("*.py"))
    return {kind for text in texts for kind in re.findall(r'InterruptRaised\(\s*"([^"]+)"', text)}


def test_each_shared_question_is_asked_by_two_titles() -> None:
    """A kind of question that only one title asks carries the title's name."""
    asked = {title: _questions(title) for title in TITLES}
    for title, kinds in asked.items():
        for kind in kinds:
            assert kind.startswith(f"{title}.") or sum(kind in each for each in asked.values()) > 1, kind


def _reasons(folder: Path) -> Iterator[str]:
    """The reasons that are written out where something moves."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                place = MOVES.get(ast.unparse(node.func).rpartition(".")[2], len(node.args))
                for given in node.args[place : place + 1]:
                    either = (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,)
                    yield from (str(each.value) for each in either if isinstance(each, ast.Constant))


@pytest.mark.parametrize("title", TITLES)
def test_a_reason_of_one_title_begins_with_its_name(title: str, used: dict[str, Used]) -> None:
    """Why a title moves money, certificates, debts, prices, tokens or trains is a word that another title uses too, or begins
    with the title's name."""
    reasons = set(_reasons(TITLES[title]))
    assert reasons
    shared = {each for each in reasons if not each.startswith(f"{title}.")}
    assert not [each for each in shared if "." in each] and _lonely(shared, used) == {}


def test_reasons_of_kernel_and_parts_are_used_by_two_titles(used: dict[str, Used]) -> None:
    """No title's name is in them."""
    reasons = {*_reasons(RULES / "kernel"), *_reasons(RULES / "parts")}
    assert "certificate_bought" in reasons and _lonely(reasons, used) == {}
