"""The command on a small repository of its own: who is killed, who survives, and what is printed; and the sample of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import REPOSITORY

SAMPLE, SEED = 6, 1

RULES = """\
from functools import lru_cache

FINE = 5

@lru_cache
def price(count):
    return count * 10

def fine(count):
    return count * FINE

def may_buy(money, limit):
    if money < limit:
        return False
    while money > 1000:
        money -= 1000
    return True

def unseen(count):
    return count + 1

UNSEEN_FINE = 7
"""

TESTS = '''\
import pytest

from services.rules.titles.sample import rules

@pytest.mark.clause("sample/1-a")
def test_price():
    assert rules.price(3) == 30

def test_price_again():
    assert rules.price(3) == 30

@pytest.mark.clause("sample/2-b")
def test_may_buy():
    assert rules.may_buy(5, 3)
    assert not rules.may_buy(2, 3)
    assert rules.may_buy(2500, 3)

def test_fine():
    assert rules.fine(2) == 10
'''  # fmt: skip


# As our own tests do: what was collected is out of the collector's sight.
FREEZES = """\
import gc

def pytest_collection_finish():
    gc.freeze()
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository with one title of one file, in which one limit, one function and one number are not tested."""
    code, tests, tool = (
        tmp_path / name for name in ("services/rules/titles/sample", "tests/titles/sample", "tests/mutation")
    )
    for folder in (code, tests):
        folder.mkdir(parents=True)
        for package in (folder, *(tmp_path / each for each in folder.relative_to(tmp_path).parents[:-1])):
            (package / "__init__.py").touch()
    tool.mkdir()
    for file in (REPOSITORY / "tests" / "mutation").glob("*.py"):
        (tool / file.name).symlink_to(file)
    (tool / "equivalent.toml").touch()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["clause(id)", "soak", "integration"]\n'
    )
    (code / "rules.py").write_text(RULES)
    (tests / "test_rules.py").write_text(TESTS)
    (tests / "conftest.py").write_text(FREEZES)
    return tmp_path


def mutate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command on this repository; it must not see the processes of the tests around it."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "tests.mutation", f"--root={root}", *arguments],
        cwd=root,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_no_test_kills_is_printed(small: Path) -> None:
    """Span, diff and clauses of each survivor, the score of each file, and code 1; a remembered answer hides nothing, an
    endless loop ends by the time limit, and numbers of the module are broken too, whether a test sees them or not."""
    done = mutate(small)
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stdout + done.stderr
    survivors = {line.partition(" ")[0] for line in lines if line.endswith(", survived")}
    path = "services/rules/titles/sample/rules.py"
    assert survivors == {f"{path}:{line}" for line in (13, 15, 16, 20, 22)}
    at = lines.index(f"{path}:13 may_buy: comparison, survived")
    assert lines[at + 1 : at + 4] == [
        "    -     if money < limit:",
        "    +     if money <= limit:",
        "    run by tests of sample/2-b",
    ]
    assert "    no test runs this" in lines
    tried, killed, stopped = 0, 0, 0
    for line in lines:
        if line.startswith("all "):
            killed, tried, stopped = (int(word) for word in line.split() if word.isdigit())
    assert tried == killed + sum(line.endswith(", survived") for line in lines)
    assert stopped >= 1


def test_shared_code_is_tried_when_named_with_the_tests_of_all_titles(small: Path) -> None:
    """Without its name it is left out, but an entry of the list may stand for it."""
    code = small / "services/rules/parts"
    code.mkdir()
    (code / "__init__.py").touch()
    (code / "money.py").write_text("def half(money):\n    return money // 2\n")
    other = small / "tests/titles/other"
    other.mkdir()
    (other / "__init__.py").touch()
    (other / "test_money.py").write_text(
        "from services.rules.parts.money import half\n\n\ndef test_half():\n    assert half(8) == 4\n"
    )
    named, others = mutate(small, "--title=parts"), mutate(small)
    assert named.returncode == 0, named.stdout + named.stderr
    assert "services/rules/parts/money.py" in named.stdout and "sample/rules.py" not in named.stdout
    assert "sample/rules.py" in others.stdout and "parts/money.py" not in others.stdout
    (small / "tests/mutation/equivalent.toml").write_text(
        '[[equivalent]]\npath = "services/rules/parts/money.py"\nfunction = "half"\noriginal = "2"\nreason = "It is."\n'
    )
    assert mutate(small, "--title=parts").returncode == 0


def test_nothing_is_said_of_code_whose_tests_fail(small: Path) -> None:
    """A test that fails with nothing broken is named, and the code is 2."""
    file = small / "tests/titles/sample/test_rules.py"
    file.write_text(TESTS + "\ndef test_wrong():\n    assert rules.price(1) == 11\n")
    done = mutate(small)
    assert done.returncode == 2
    assert "test_wrong" in done.stderr


def test_a_listed_mutant_that_is_gone_is_reported(small: Path) -> None:
    """An entry of the list of equivalent mutants that names no code is an error: code 2."""
    listed = small / "tests/mutation/equivalent.toml"
    listed.write_text(
        '[[equivalent]]\npath = "a.py"\nfunction = "gone"\noriginal = "a < b"\nreason = "It was."\n'
    )
    done = mutate(small)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no mutant of gone reads a < b" in done.stderr


def test_a_sample_of_broken_rules_is_noticed() -> None:
    """Of all mutants of all titles those that the seed draws are killed by the tests of their title."""
    done = mutate(REPOSITORY, f"--number={SAMPLE}", f"--seed={SEED}", "--jobs=1")
    assert done.returncode == 0, done.stdout + done.stderr
