"""The reference pages say what the code does."""

from pathlib import Path

import pytest

from services.rules.describe import rejections_table, rulings_table
from services.rules.domain.title import Title
from services.rules.titles import TITLES


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_the_page_of_rulings_is_current(title: Title, repository: Path) -> None:
    """The page of a title's rulings is what `signalbox reference` writes."""
    page = repository / f"docs/reference/rulings-{title.name}.md"
    assert page.read_text(encoding="utf-8") == rulings_table(title)


def test_the_page_of_rejections_is_current(repository: Path) -> None:
    """The page of rejection reasons is what `signalbox reference` writes."""
    assert (repository / "docs/reference/rejections.md").read_text(encoding="utf-8") == rejections_table()


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_every_ruling_names_its_values_and_clauses(title: Title) -> None:
    """A ruling has at least two values, the peer's among them, and rests on a clause."""
    for ruling in title.rulings:
        assert len(set(ruling.values)) >= 2
        assert ruling.peer in ruling.values
        assert ruling.clauses
        assert ruling.question.endswith("?")
