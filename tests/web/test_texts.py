"""The catalogue of texts: every text that a page names is there, and none is there that nobody names."""

from __future__ import annotations

import re

import pytest

from services.web.pages.shown import counts
from services.web.pages.site import TEMPLATES
from services.web.pages.texts import FOLDER, LANGUAGE, ONE, Texts

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
