"""The catalogue of texts: every text that a page names is there, and none is there that nobody names. How values are written."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from services.web.pages.shown import counts, when
from services.web.pages.site import TEMPLATES
from services.web.pages.texts import FOLDER, LANGUAGE, ONE, Texts
from services.web.pages.times import shown_time

KEY = re.compile(r"""\bt(?:exts)?\(\s*["']([a-z_]+\.[a-z_]+)["'](?: if|[,)])""")
# Chosen by what the services send.
BY_NAME = (
    *("state", "undo_policy", "table_visibility", "choice", "sentence", "field", "http_problem"),
    *("entry_state", "result_ending", "ruling_kind", "cost_term", "scoring", "health"),
    *(
        "format",
        "format_name",
        "preset",
        "role",
        "role_change",
        "operator_done",
        "staff_act",
        "scope",
        "weekday",
        "timing",
        "timing_hint",
        "unit",
        "span",
        "days",
        "round_kind",
        "expiry_action",
        "penalty",
        "time_rule",
        "allowance",
    ),
)
BY_ACTION = {
    *("site.sign_in", "site.register", "table.join", "table.leave", "table.start"),
    *("own_time.hours", "own_time.vacation", "own_time.end-vacation"),
}


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [([2, 3, 4, 5], "2 to 5"), ([2, 3], "2, 3"), ([2, 4, 5], "2, 4, 5"), ([7], "7"), ([], "")],
)
def test_numbers_without_a_gap_are_shown_by_their_ends(numbers: list[int], shown: str) -> None:
    """Such as those of players."""
    assert counts(Texts(), numbers) == shown


@pytest.mark.parametrize("show", [shown_time, when])
@pytest.mark.parametrize(
    ("time_ms", "date"),
    [
        (0, "1970-01-01"),
        (10**13, "2286-11-20"),
        (9 * 10**17, "9999-12-31"),
        (10**22, "9999-12-31"),
        (-(10**18), "1970-01-01"),
    ],
)
def test_no_time_fails_a_page(show: Callable[[int], str], time_ms: int, date: str) -> None:
    """One in a log that cannot be written as a date is shown as the nearest that can."""
    assert f'datetime="{date}T' in show(time_ms)


def test_pages_and_catalogue_fit() -> None:
    """No page fails for a text, and no translator writes one for nothing."""
    files = [*TEMPLATES.glob("*.html"), *FOLDER.glob("*.py")]
    used = {key for path in files for key in KEY.findall(path.read_text("utf-8"))} | BY_ACTION
    used |= set(re.findall(r"_texts\(\s*\"([a-z_.]+)\"", "".join(path.read_text("utf-8") for path in files)))
    texts = Texts(LANGUAGE)
    written = (FOLDER / f"{LANGUAGE}.toml").read_text("utf-8")
    groups = re.findall(r"^\[(\w+)\]$", written, re.MULTILINE)
    named = {f"{group}.{name}" for group in groups if group not in BY_NAME for name in texts.group(group)}
    known = {each for each in named if each.removesuffix(ONE) == each or each.removesuffix(ONE) not in named}
    assert {each for each in used if each.partition(".")[0] not in BY_NAME} == known
