"""The reference pages say what the code does."""

from pathlib import Path

import pytest

from services.rules.describe import rejections_table, rulings_table
from services.rules.importer.dialect import dialect_of
from services.rules.importer.profile import Case, RulingCases, cases_of, profile_page
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


def unheld(cases: RulingCases, folder: Path) -> list[str]:
    """What is wrong with the cases of a ruling: words without a test, a test that there is not, no words at all."""
    found = []
    for case in (cases.plain, cases.tied, cases.empty, cases.first_turn):
        tests = () if isinstance(case, str) else case.tests
        words = case if isinstance(case, str) else case.does
        if len(words) < len("A word.") or not (tests or isinstance(case, str)):
            found.append(words)
        for test in tests:
            module, _, name = test.partition("::")
            if f"def {name}(" not in (folder / module).read_text(encoding="utf-8"):
                found.append(test)
    return found


@pytest.mark.parametrize("title", RECORDED_ELSEWHERE, ids=lambda title: title.name)
def test_every_ruling_has_its_cases_and_tests_that_hold_them(title: Title, repository: Path) -> None:
    """Each ruling of the profile says what the peer does in every case, and names a test of each, or why there is none."""
    cases, folder = cases_of(title), repository / "tests" / "titles" / f"g{title.name}"
    assert set(cases) == {ruling.name for ruling in title.rulings}
    assert {name: wrong for name, each in cases.items() if (wrong := unheld(each, folder))} == {}


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        (Case("It pays.", ()), ["It pays."]),
        (Case("It pays.", ("test_setup.py::test_nothing",)), ["test_setup.py::test_nothing"]),
        (Case("", ("test_setup.py::test_bank",)), [""]),
        ("-", ["-"]),
        ("There is one bank.", []),
    ],
)
def test_a_case_without_words_or_test_is_found(case: Case | str, wrong: list[str], repository: Path) -> None:
    """Words without a test, a test that there is not, and a case of which nothing is said."""
    held = Case("It pays.", ("test_setup.py::test_bank",))
    folder = repository / "tests" / "titles" / "g1824"
    assert unheld(RulingCases(held, case, "There is none.", held), folder) == wrong


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
