"""What is wrong with the files of the title is named by file and entry."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from services.rules.kernel.titlebuild import TitleDataError, build_title
from services.rules.titles.rotw import title
from services.rules.titles.rotw.figures import SCHEMA

FOLDER = Path(title.__file__).parent
DOCUMENTS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml")}


def problems(change: dict[str, Any]) -> tuple[str, ...]:
    """What the loader says of the files when parts of them are replaced: each by its file and the keys that lead to it."""
    documents: dict[str, Any] = deepcopy(DOCUMENTS)
    for path, value in change.items():
        *way, last = path.split("/")
        part: Any = documents
        for key in way:
            part = part[int(key) if key.isdigit() else key]
        part[int(last) if last.isdigit() else last] = value
    with pytest.raises(TitleDataError) as refused:
        build_title(SCHEMA, documents)
    return refused.value.problems


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"title/parts/rotw/layout": "western"}, "title.toml: parts.rotw: Invalid enum value 'western'"),
        ({"title/parts/rotw/scale": 2}, "title.toml: parts.rotw: Object contains unknown field `scale`"),
        ({"eastern/ridges": ["A16 4"]}, "eastern.toml: ridges A16 4: there are no two hexes"),
        ({"eastern/ridges": ["Z99 1"]}, "eastern.toml: ridges Z99 1: there are no two hexes"),
        ({"eastern/cities/0/at": "I44"}, "eastern.toml: I44: a city is either drawn and listed, or neither"),
        ({"eastern/cities/1/name": "New York"}, "eastern.toml: cities: a name or a hex stands twice"),
        (
            {"companies/companies/0/start_value": 8500},
            "companies.toml: companies RED: start_value is not on the track",
        ),
        ({"title/figures/cubes_fewer": {"2": 1}}, "title.toml: figures cubes_fewer: no figure for 3 players"),
        ({"title/figures/income/by_space": []}, "title.toml: figures income: by_space is empty"),
        ({"title/figures/track/sea": 1}, "title.toml: figures: Object contains unknown field `sea`"),
    ],
)
def test_a_fault_is_named(change: dict[str, Any], problem: str) -> None:
    """One of the problems begins so."""
    assert [each for each in problems(change) if each.startswith(problem)]


def test_cities_side_by_side_are_refused() -> None:
    """No link could join them."""
    rows = [*DOCUMENTS["small"]["rows"]]
    rows[4] = ".oo.o..o~.o."
    beside = {"at": "E4", "name": "Next", "colour": "grey", "cubes": 1, "exits": 2}
    change = {
        "title/parts/rotw/layout": "small",
        "small/rows": rows,
        "small/cities": [*DOCUMENTS["small"]["cities"], beside],
    }
    assert "small.toml: cities Next: another city is right beside it" in problems(change)
