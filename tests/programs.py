"""Programs that tests need beside Python; `scripts/test-tools.sh` installs them."""

from __future__ import annotations

import os
import shutil

import pytest

MUST_BE_THERE = ("CI", "SIGNALBOX_NEED_BROKERS")
TEST_TOOLS = "scripts/test-tools.sh installs it"


def need(programs: tuple[str, ...], remedy: str) -> str:
    """The first of `programs` on the path; without one tests skip with one line, but fail where nothing may be skipped."""
    for program in programs:
        found = shutil.which(program)
        if found is not None:
            return found
    message = f"none of {', '.join(programs)} on the path: {remedy}"
    if any(os.environ.get(name, "").lower() == "true" for name in MUST_BE_THERE):
        pytest.fail(message)
    pytest.skip(message)
