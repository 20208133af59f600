"""The profile of 18xx.games as a checklist: what it does under each ruling, case by case, and the tests that hold it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct

from services.rules.importer.dialect import dialect_of
from services.rules.kernel.conversion import Converter
from services.rules.kernel.title import Title

PROFILE_FILE = "profile.toml"


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """What the peer `does` in one case of a ruling, and the `tests` that hold it, each `FILE::NAME` in the tests of its title."""

    does: str
    tests: tuple[str, ...]


class RulingCases(Struct, frozen=True, forbid_unknown_fields=True):
    """What the peer does under one ruling: in the plain case, among equals, where there is nothing or nobody, and at the first
    opportunity. A text alone says why there is no such case."""

    plain: Case
    tied: Case | str
    empty: Case | str
    first_turn: Case | str


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """The cases of a title by ruling, and what the peer does that is not played here under any ruling."""

    unplayed: tuple[str, ...]
    cases: dict[str, RulingCases]


_PROFILE: Final = Converter(Profile)
_NOTHING: Final = Profile((), {})


@cache
def profile_of(title: Title) -> Profile:
    """The checklist of a title; empty where recorded games of it cannot be read. Raises `msgspec.ValidationError` when the
    file is none."""
    dialect = dialect_of(title)
    if dialect is None or not dialect.profile:
        return _NOTHING
    content = files(dialect.profile).joinpath(PROFILE_FILE).read_bytes()
    return _PROFILE(msgspec.toml.decode(content))


def cases_of(title: Title) -> Mapping[str, RulingCases]:
    """The cases of a title by ruling."""
    return profile_of(title).cases


def profile_page(title: Title) -> str:
    """The checklist of a title as a Markdown page."""
    lines = [
        f"# Profile `18xx.games` of {title.name}, case by case",
        "",
        f"What 18xx.games does under each [ruling](rulings-{title.name}.md) of its profile: in the plain case, among equals,",
        "where there is nothing or nobody, and at the first opportunity, each with the tests that hold it. *None* is followed by",
        "why there is no such case. Recorded games that replay exactly hold all of it together.",
    ]
    for ruling in title.rulings:
        cases = cases_of(title)[ruling.name]
        lines += [
            "",
            f"## `{ruling.name}`: `{ruling.peer}`",
            "",
            ruling.question,
            "",
            f"- Plain: {_shown(cases.plain)}",
            f"- Tied: {_shown(cases.tied)}",
            f"- Empty: {_shown(cases.empty)}",
            f"- First turn: {_shown(cases.first_turn)}",
        ]
    lines += ["", "## What is not played", "", *(f"- {each}" for each in profile_of(title).unplayed)]
    return "\n".join(lines) + "\n"


def _shown(case: Case | str) -> str:
    if isinstance(case, str):
        return f"*None*. {case}"
    return f"{case.does} ({', '.join(f'`{test}`' for test in case.tests)})"
