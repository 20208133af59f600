"""Comparing two traces."""

from __future__ import annotations

from typing import Any

import pytest

from tests.recorded.compare import Difference, compare, compare_line

Line = dict[str, Any]


def paths(ours: Line, theirs: Line) -> list[str]:
    """Where two lines differ."""
    return [each.path for each in compare_line(4, ours, theirs)]


def test_a_difference_names_line_place_and_both_values() -> None:
    """One wrong figure gives one difference."""
    ours, theirs = {"players": {"1": {"cash": 5}}}, {"players": {"1": {"cash": 6}}}
    assert compare([{}, ours], [{}, theirs]) == [Difference(1, "/players/1/cash", 5, 6)]


@pytest.mark.parametrize("key", ["routes", "legal", "bank"])
def test_a_field_only_one_side_holds_is_not_compared(key: str) -> None:
    """Fields are compared where both traces hold them."""
    assert paths({key: 1}, {}) == paths({}, {key: 1}) == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"tiles": {"B5": ["6", 3, 0]}}, {"tiles": {}}),
        ({"slots": {}}, {"slots": {"B5:0": ["EPP"]}}),
        ({"market": {}}, {"market": {"0,2": ["SD"]}}),
        ({"certificates": {"1": {}}}, {"certificates": {"1": {"BH": [1]}, "2": {"BH": [2]}}}),
        ({"minors": {"EPP": {}}}, {"minors": {}}),
        ({"players": {"1": {"shares": {}}}}, {"players": {"1": {"shares": {"BH": 10}}}}),
        ({"depot": {"upcoming": {"2": 1}}}, {"depot": {"upcoming": {}}}),
        ({"other": {"companies": {"B1": 1}}}, {"other": {"companies": {}}}),
    ],
)
def test_entries_missing_from_a_table_are_differences(ours: Line, theirs: Line) -> None:
    """Where the keys are facts, an entry that one side lacks differs."""
    assert len(paths(ours, theirs)) == 1


def test_certificates_of_a_holder_are_compared_company_by_company() -> None:
    """A certificate in another hand differs at both hands."""
    ours, theirs = {"1": {"BH": [1, 2]}, "2": {"BH": [3]}}, {"1": {"BH": [1]}, "2": {"BH": [2, 3]}}
    assert paths({"certificates": ours}, {"certificates": theirs}) == [
        "/certificates/1/BH",
        "/certificates/2/BH",
    ]


def test_empty_fields_of_other_may_be_left_out() -> None:
    """`other` drops what says nothing; what says something must stand on both sides."""
    assert paths({"other": {"upgraded": False}}, {"other": {}}) == []
    assert paths({"other": {"upgraded": True}}, {"other": {}}) == ["/other/upgraded"]
    assert paths({"other": {}}, {"other": {"forced_exchange": ["B1"]}}) == ["/other/forced_exchange"]
    assert paths({"other": {"options": []}}, {"other": {}}) == []
    assert paths({"other": {}}, {"other": {"emergency_buy": True}}) == ["/other/emergency_buy"]
    assert paths({"corporations": {"EUR": {}}}, {"corporations": {"EUR": {"skip": True}}}) == [
        "/corporations/EUR/skip"
    ]
    assert paths({"other": {}}, {"other": {"programs": {"1": ["program_share_pass"]}}}) == []


def test_log_and_time_are_not_compared() -> None:
    """The peer's messages and the time of an action carry no game meaning."""
    ours = {"log": ["a"], "action": {"id": 1, "created_at": 5}}
    assert paths(ours, {"log": ["b"], "action": {"id": 1, "created_at": 6}}) == []
    assert paths(ours, {"action": {"id": 2}}) == ["/action/id"]


def test_legal_is_a_set_and_order_a_list() -> None:
    """The order of legal action types means nothing, that of players everything."""
    assert paths({"legal": ["pass", "par"]}, {"legal": ["par", "pass"]}) == []
    assert paths({"legal": ["pass"]}, {"legal": ["par", "pass"]}) == ["/legal"]
    assert paths({"order": [1, 2]}, {"order": [2, 1]}) == ["/order"]


def test_truth_is_not_one() -> None:
    """A number and a truth value differ even when Python calls them equal."""
    assert paths({"finished": 1}, {"finished": True}) == ["/finished"]
