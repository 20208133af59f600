"""The processes of a session import all modules of tests, each beginning with another part."""

from __future__ import annotations

import gc
from pathlib import Path

from tests.collection import in_turn, loaded_modules, modules_in
from tests.conftest import REPOSITORY


def test_each_process_begins_elsewhere() -> None:
    """All modules for each, and the parts with which they begin are all modules together."""
    modules = [f"tests.test_{number}" for number in range(12)]
    turns = [in_turn(modules, process, 5) for process in range(5)]
    assert all(sorted(turn) == sorted(modules) for turn in turns)
    assert [turn[0] for turn in turns] == [modules[place] for place in (0, 2, 4, 7, 9)]


def test_modules_are_named_as_pytest_names_them() -> None:
    """So that what was imported is not imported again; the test of a single file is left to pytest."""
    names = modules_in([REPOSITORY / "tests", Path(__file__)], REPOSITORY)
    assert __name__ in names and len(names) == len(set(names))


def test_loaded_modules_are_those_of_our_packages() -> None:
    """Of the packages asked for, and no others."""
    names = loaded_modules([REPOSITORY / "tests"], REPOSITORY)
    assert {__name__, "tests.conftest"} <= {*names}
    assert all(name.startswith("tests.") for name in names)


def test_what_was_collected_is_not_searched_for_garbage() -> None:
    """The objects of all modules and tests are out of the way of the collector, which looks for others."""
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
