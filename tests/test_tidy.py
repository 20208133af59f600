"""Style that a machine can check."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

FUNCTION_LINES_MAX = 70
MODULE_LINES_MAX = 400
LEFTOVER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")
WORKPLACE = re.compile(r"(?<![\w.])/(" + "|".join(("work", "home", "root", "Users")) + r")/[\w.-]+")
TEXT_SUFFIXES = {".py", ".toml", ".md", ".proto", ".sh", ".yaml", ".yml", ".txt", ".svg"}
UNTRACKED = {".kafka", ".tools", ".venv", ".venv-proto", ".git", "build", "dist", "node_modules"}


def python_files(repository: Path) -> Iterator[tuple[Path, str]]:
    """Our own Python files with their text."""
    for folder in ("services", "devtools", "tests", "scripts"):
        for path in sorted((repository / folder).rglob("*.py")):
            if not path.is_relative_to(repository / "services" / "gen"):
                yield path.relative_to(repository), path.read_text(encoding="utf-8")


class Function(NamedTuple):
    """What is checked of a function."""

    name: str
    line: int
    lines: int
    has_docstring: bool


class Outline(NamedTuple):
    """What is checked of a module."""

    has_docstring: bool
    functions: tuple[Function, ...]


@cache
def outline(text: str) -> Outline:
    """A module, parsed once for all tests."""
    module = ast.parse(text)
    functions = tuple(
        Function(
            node.name, node.lineno, (node.end_lineno or 0) - node.lineno + 1, bool(ast.get_docstring(node))
        )
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return Outline(bool(ast.get_docstring(module)), functions)


def test_functions_are_short(repository: Path) -> None:
    """No function is longer than 70 lines."""
    long = [
        f"{path}:{each.line} {each.name}: {each.lines} lines"
        for path, text in python_files(repository)
        for each in outline(text).functions
        if each.lines > FUNCTION_LINES_MAX
    ]
    assert long == []


def test_modules_are_short(repository: Path) -> None:
    """No module is longer than 400 lines."""
    long = [
        f"{path}: {len(text.splitlines())} lines"
        for path, text in python_files(repository)
        if len(text.splitlines()) > MODULE_LINES_MAX
    ]
    assert long == []


def test_every_test_says_what_it_proves(repository: Path) -> None:
    """Each test function has a docstring."""
    silent = [
        f"{path}:{each.line} {each.name}"
        for path, text in python_files(repository)
        if path.parts[0] == "tests"
        for each in outline(text).functions
        if each.name.startswith("test_") and not each.has_docstring
    ]
    assert silent == []


def test_every_module_outside_the_tests_says_what_it_is(repository: Path) -> None:
    """Each module with content has a docstring."""
    silent = [
        str(path)
        for path, text in python_files(repository)
        if path.parts[0] in {"services", "devtools"} and text.strip() and not outline(text).has_docstring
    ]
    assert silent == []


def test_no_leftovers_and_no_workplace(repository: Path) -> None:
    """No file holds a leftover marker or a path of somebody's machine."""
    found = []
    for path in sorted(repository.rglob("*")):
        inside = path.relative_to(repository)
        if inside.parts[0] in UNTRACKED or not path.is_file():
            continue
        if path.suffix in TEXT_SUFFIXES or path.name == "Makefile":
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if LEFTOVER.search(line) or WORKPLACE.search(line):
                    found.append(f"{inside}:{number}: {line.strip()[:80]}")
    assert found == []


def test_every_test_folder_is_collected(repository: Path) -> None:
    """Each folder with tests is a package, so that no two files of one name hide each other."""
    missing = {
        str(path.parent.relative_to(repository))
        for path in (repository / "tests").rglob("test_*.py")
        if not (path.parent / "__init__.py").is_file()
    }
    assert missing == set()
