"""A title is added from outside, and no word of one title alone is in kernel and parts. The sample titles count."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.rules.adapters.registry import PARTS
from services.rules.kernel import commands, events, rejections, vocabulary
from tests.architecture.shared_words import PLATFORM, ROOT, Used, used_by

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
    yield from vocabulary.MONEY_REASONS
    yield from vocabulary.CERTIFICATE_REASONS
    yield from vocabulary.DEBT_REASONS


def test_each_shared_word_is_used_by_two_titles(used: dict[str, Used]) -> None:
    """Events, commands, reasons of rejections, of money, of certificates and of debts: two titles use each, or the platform
    does for all titles."""
    lonely = {}
    for word in _shared_words():
        titles = [title for title in TITLES if used[title].uses(word)]
        if len(titles) < 2 and not used[""].uses(word):
            lonely[word] = titles
    assert lonely == ONE_TITLE_ALONE


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


def _money_reasons(path: Path) -> Iterator[str]:
    """The reasons that are written out where money is paid."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "pay":
            for reason in node.args[3:4]:
                if isinstance(reason, ast.Constant):
                    yield str(reason.value)


@pytest.mark.parametrize("title", TITLES)
def test_reasons_for_moving_money_are_shared_or_named_for_their_title(title: str) -> None:
    """What a title pays for is a word of the vocabulary, or begins with the title's name."""
    reasons = {reason for path in TITLES[title].rglob("*.py") for reason in _money_reasons(path)}
    assert reasons
    assert {each for each in reasons if not each.startswith(f"{title}.")} <= {*vocabulary.MONEY_REASONS}
