"""Style that a machine can check."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_functions_are_short(repository: Path) -> None:
    """No function is longer than 70 lines."""
    long = [
        f"{path}:{node.lineno} {node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for path, text in python_files(repository)
        for node in functions(text)
        if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES_MAX
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
        f"{path}:{node.lineno} {node.name}"
        for path, text in python_files(repository)
        if path.parts[0] == "tests"
        for node in functions(text)
        if node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_every_module_outside_the_tests_says_what_it_is(repository: Path) -> None:
    """Each module with content has a docstring."""
    silent = [
        str(path)
        for path, text in python_files(repository)
        if path.parts[0] in {"services", "devtools"}
        and text.strip()
        and not ast.get_docstring(ast.parse(text))
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
