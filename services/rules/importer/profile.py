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

CASES_FILE = "profile.toml"


class RulingCases(Struct, frozen=True, forbid_unknown_fields=True):
    """What the peer does under one ruling: in the plain case, among equals, where there is nothing or nobody, and at the first
    opportunity; `-` where a case cannot arise. `tests`: the tests that hold it, each `FILE::NAME` in the tests of its title."""

    plain: str
    tied: str
    empty: str
    first_turn: str
    tests: tuple[str, ...]


_CASES: Final = Converter(dict[str, RulingCases])


@cache
def cases_of(title: Title) -> Mapping[str, RulingCases]:
    """The cases of a title by ruling; none where recorded games of it cannot be read. Raises `msgspec.ValidationError` when
    the file is no such table."""
    dialect = dialect_of(title)
    if dialect is None or not dialect.profile:
        return {}
    content = files(dialect.profile).joinpath(CASES_FILE).read_bytes()
    return _CASES(msgspec.toml.decode(content))


def profile_page(title: Title) -> str:
    """The checklist of a title as a Markdown page."""
    lines = [
        f"# Profile `18xx.games` of {title.name}, case by case",
        "",
        f"What 18xx.games does under each [ruling](rulings-{title.name}.md) of its profile: in the plain case, among equals,",
        "where there is nothing or nobody, and at the first opportunity. `-`: the case cannot arise, or is no other than the",
        "plain one. The tests named hold it; recorded games that replay exactly hold all of it together.",
    ]
    for ruling in title.rulings:
        cases = cases_of(title)[ruling.name]
        lines += [
            "",
            f"## `{ruling.name}`: `{ruling.peer}`",
            "",
            ruling.question,
            "",
            f"- Plain: {cases.plain}",
            f"- Tied: {cases.tied}",
            f"- Empty: {cases.empty}",
            f"- First turn: {cases.first_turn}",
            f"- Tests: {', '.join(f'`{test}`' for test in cases.tests)}",
        ]
    return "\n".join(lines) + "\n"
