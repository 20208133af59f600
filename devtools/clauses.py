"""`python -m devtools.clauses`: which clauses of each rulebook are proven by a test, which are waived and why, which are
open. The list of a title's clauses and its waivers are beside its tests: clauses.toml and waived.toml."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from services.rules.kernel.conversion import Converter
from services.rules.titles import BUILT_IN

TESTS_FOLDER = Path(__file__).parents[1] / "tests"
MARKER = "clause"
UNKNOWN_CLAUSES = 1
NO_TESTS = 2


class Waived(Struct, frozen=True):
    """A clause that no test can prove."""

    id: str
    reason: str


class Coverage(Struct, frozen=True):
    """Coverage of one title's clauses. `unknown`: ids that tests or waivers name and the rulebook does not have."""

    title: str
    clauses: int
    tested: int
    waived: tuple[Waived, ...]
    open: tuple[str, ...]
    unknown: tuple[str, ...]


class TitleClauses(Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of all clauses that a title plays."""

    clauses: tuple[str, ...]


class Waivers(Struct, frozen=True, forbid_unknown_fields=True):
    """The waived clauses of a title."""

    waived: tuple[Waived, ...] = ()


_title_clauses = Converter(TitleClauses)
_waivers = Converter(Waivers)


app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
def clauses(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object by title.")] = False,
    tests: Annotated[Path, typer.Option(help="Folder of the tests.")] = TESTS_FOLDER,
) -> None:
    """Show per title which clauses are tested, waived and open.

    Exit 1 when a test or waiver names a clause that does not exist; 2 when there are no tests to look at."""
    if not tests.is_dir():
        typer.echo(f"{tests}: no folder of tests; --tests names another", err=True)
        raise typer.Exit(NO_TESTS)
    named = marked_clauses(tests)
    found = [coverage(title, folder, named) for title, folder in title_folders(tests)]
    if as_json:
        typer.echo(msgspec.json.encode({each.title: _report(each) for each in found}))
    else:
        for each in found:
            _show(each)
    if any(each.unknown for each in found):
        raise typer.Exit(UNKNOWN_CLAUSES)


def title_folders(tests: Path) -> Iterator[tuple[str, Path]]:
    """Every title of this repository with the folder of its list of clauses."""
    for title in BUILT_IN:
        yield title.name, tests / "titles" / package_of(title.name)


def package_of(title: str) -> str:
    """The package of a title is named after it, with a `g` before a number."""
    return title if title.isidentifier() else f"g{title}"


def marked_clauses(tests: Path) -> frozenset[str]:
    """All ids that `pytest.mark.clause` names in the modules of a folder. Nothing is imported or run."""
    found: set[str] = set()
    for path in sorted(tests.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if f".{MARKER}(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and _is_marker(node.func):
                found |= {
                    arg.value
                    for arg in node.args
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                }
    return frozenset(found)


def _is_marker(function: ast.expr) -> bool:
    """Whether this is `pytest.mark.clause`."""
    marker = isinstance(function, ast.Attribute) and function.attr == MARKER
    return marker and isinstance(function, ast.Attribute) and ast.unparse(function.value) == "pytest.mark"


def coverage(title: str, folder: Path, named: frozenset[str]) -> Coverage:
    """Coverage of a title when tests name these ids. A clause both tested and waived counts as tested."""
    clauses = _title_clauses(_read(folder / "clauses.toml")).clauses
    waived = _waivers(_read(folder / "waived.toml")).waived
    excused = {each.id for each in waived}
    own = {each for each in named if each.startswith(f"{title}/")}
    return Coverage(
        title=title,
        clauses=len(clauses),
        tested=sum(each in own for each in clauses),
        waived=tuple(each for each in waived if each.id not in own),
        open=tuple(each for each in clauses if each not in own and each not in excused),
        unknown=tuple(sorted((own | excused) - set(clauses))),
    )


def _read(path: Path) -> object:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _report(found: Coverage) -> dict[str, object]:
    return {
        "clauses": found.clauses,
        "tested": found.tested,
        "waived": len(found.waived),
        "open": len(found.open),
        "waived_clauses": {each.id: each.reason for each in found.waived},
        "open_clauses": found.open,
        "unknown_clauses": found.unknown,
    }


def _show(found: Coverage) -> None:
    console = Console()
    table = Table(title=f"{found.title}: {found.clauses} clauses")
    for column in ("tested", "waived", "open"):
        table.add_column(column, justify="right")
    table.add_row(str(found.tested), str(len(found.waived)), str(len(found.open)))
    console.print(table)
    for each in found.waived:
        console.print(f"waived {each.id}: {each.reason}", highlight=False)
    for title, ids in (("open", found.open), ("unknown", found.unknown)):
        if ids:
            console.print(f"{title}: {', '.join(ids)}", highlight=False)


if __name__ == "__main__":
    app()
