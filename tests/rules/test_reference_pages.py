"""The reference pages say what the code does."""

from pathlib import Path

import pytest

from services.rules.describe import rejections_table, rulings_table
from services.rules.importer.dialect import dialect_of
from services.rules.importer.profile import cases_of, profile_page
from services.rules.kernel.rejections import REASONS
from services.rules.kernel.title import Title
from services.rules.titles import BUILT_IN, TITLES

RECORDED_ELSEWHERE = [
    title for title in BUILT_IN if (dialect := dialect_of(title)) is not None and dialect.profile
]
"""The titles of which games recorded on 18xx.games can be read."""


@pytest.mark.parametrize("title", BUILT_IN, ids=lambda title: title.name)
def test_the_page_of_rulings_is_current(title: Title, repository: Path) -> None:
    """The page of a title's rulings is what `signalbox reference` writes."""
    page = repository / f"docs/reference/rulings-{title.name}.md"
    assert page.read_text(encoding="utf-8") == rulings_table(title)


@pytest.mark.parametrize("title", RECORDED_ELSEWHERE, ids=lambda title: title.name)
def test_the_page_of_the_profile_is_current(title: Title, repository: Path) -> None:
    """The checklist of the profile is what `signalbox reference` writes."""
    page = repository / f"docs/reference/profile-{title.name}.md"
    assert page.read_text(encoding="utf-8") == profile_page(title)


@pytest.mark.parametrize("title", RECORDED_ELSEWHERE, ids=lambda title: title.name)
def test_every_ruling_has_its_cases_and_tests_that_hold_them(title: Title, repository: Path) -> None:
    """Each ruling of the profile says what the peer does in every case, and names tests that exist."""
    cases, folder = cases_of(title), repository / "tests" / "titles" / f"g{title.name}"
    assert set(cases) == {ruling.name for ruling in title.rulings}
    for each in cases.values():
        assert each.plain != "-" and all((each.tied, each.empty, each.first_turn))
        assert each.tests
        for test in each.tests:
            module, _, name = test.partition("::")
            assert f"def {name}(" in (folder / module).read_text(encoding="utf-8"), test


def test_the_page_of_rejections_is_current(repository: Path) -> None:
    """The page of rejection reasons is what `signalbox reference` writes."""
    page = repository / "docs/reference/rejections.md"
    assert page.read_text(encoding="utf-8") == rejections_table(BUILT_IN)


def test_every_reason_code_has_one_owner() -> None:
    """No code stands in two lists: a code has one meaning, and those of a title begin with its name."""
    parts = {part.name: part for title in TITLES.values() for part in title.parts}
    shared = [*REASONS, *(code for part in parts.values() for code in part.reasons)]
    assert len(set(shared)) == len(shared)
    assert not [code for code in shared if "." in code]
    for title in TITLES.values():
        assert all(code.startswith(f"{title.name}.") for code in title.own.reasons)


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_every_ruling_names_its_values_and_clauses(title: Title) -> None:
    """A ruling has at least two values, the peer's among them, and rests on a clause."""
    for ruling in title.rulings:
        assert len(set(ruling.values)) >= 2
        assert ruling.peer in ruling.values
        assert ruling.clauses
        assert ruling.question.endswith("?")
