"""The command `python -m devtools.clauses`, and what it finds here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from devtools.clauses import app, coverage, marked_clauses, title_folders
from services.rules.titles import BUILT_IN

WAIVED_PERCENT_MOST = 5


def test_every_clause_is_tested_or_waived(repository: Path) -> None:
    """No clause is open, no marker names a clause that does not exist, and no more than 5 % are waived."""
    named = marked_clauses(repository / "tests")
    for title, folder in title_folders(repository / "tests"):
        found = coverage(title, folder, named)
        assert (found.open, found.unknown) == ((), ())
        assert len(found.waived) * 100 <= WAIVED_PERCENT_MOST * found.clauses
        assert found.tested + len(found.waived) == found.clauses


def test_the_list_of_clauses_is_the_checklist(repository: Path, shared: Path) -> None:
    """The ids are those of the checklist."""
    entries = yaml.safe_load((shared / "clauses" / "1824.yaml").read_text(encoding="utf-8"))
    wanted = [each["id"] for each in entries]
    named = coverage("1824", repository / "tests" / "titles" / "g1824", frozenset(wanted))
    assert (named.clauses, named.tested, named.unknown) == (len(wanted), len(wanted), ())


def test_markers_are_read_without_running_anything(tmp_path: Path) -> None:
    """Decorators and parameters count, other calls of that name and text that no marker holds do not."""
    (tmp_path / "test_some.py").write_text(
        "import pytest\nraise SystemExit\n"
        '@pytest.mark.clause("9/I-a", "9/I-b")\ndef test_a(): ...\n'
        'CASES = [pytest.param(1, marks=pytest.mark.clause("9/I-c"))]\nother.clause("9/I-d")\nclause("9/I-e")\n'
    )
    assert marked_clauses(tmp_path) == {"9/I-a", "9/I-b", "9/I-c"}


def test_tested_waived_open_and_unknown_are_told_apart(tmp_path: Path) -> None:
    """A tested clause needs no waiver; what the rulebook does not have is unknown wherever it is named."""
    (tmp_path / "clauses.toml").write_text('clauses = ["9/I-a", "9/I-b", "9/I-c", "9/I-d"]\n')
    waived = ("9/I-a", "9/I-b", "9/I-x")
    (tmp_path / "waived.toml").write_text(
        "".join(f'[[waived]]\nid = "{each}"\nreason = "r"\n' for each in waived)
    )
    found = coverage("9", tmp_path, frozenset(("9/I-a", "9/I-c", "9/I-z", "8/I-a")))
    assert (found.clauses, found.tested, found.open) == (4, 2, ("9/I-d",))
    assert [each.id for each in found.waived] == ["9/I-b", "9/I-x"]
    assert found.unknown == ("9/I-x", "9/I-z")


def test_json_is_one_object_by_title(repository: Path) -> None:
    """Counts, waivers with their reasons, and open ids."""
    answer = CliRunner().invoke(app, ["--json"])
    found = json.loads(answer.stdout)
    assert answer.exit_code == 0 and list(found) == [title.name for title in BUILT_IN]
    for report in found.values():
        assert report["tested"] + report["waived"] + report["open"] == report["clauses"]
        assert all(report["waived_clauses"].values()) and report["open_clauses"] == []


@pytest.mark.parametrize(
    ("content", "code"),
    [('import pytest\n@pytest.mark.clause("1824/Q-a")\ndef test_a(): ...\n', 1), (None, 2)],
)
def test_exit_codes(tmp_path: Path, content: str | None, code: int) -> None:
    """1 for a marker of a clause that does not exist, 2 without tests."""
    folder = tmp_path / "tests"
    if content is not None:
        folder.mkdir()
        (folder / "test_a.py").write_text(content)
    assert CliRunner().invoke(app, ["--tests", str(folder)]).exit_code == code
