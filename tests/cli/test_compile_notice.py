"""What a terminal shows while the solver is being compiled."""

from __future__ import annotations

import io
import sys
import time

import pytest

from services.cli import compile_notice


class Terminal(io.StringIO):
    """Says that people read it."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.mark.parametrize(
    ("stream", "seconds", "expected"),
    [
        (Terminal(), 0.0, f"{compile_notice.COMPILING}\n"),
        (Terminal(), 60.0, ""),
        (io.StringIO(), 0.0, ""),
    ],
    ids=["slow", "quick", "nobody reads"],
)
def test_people_are_told_when_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: float, expected: str
) -> None:
    """One line on a terminal if it takes long; none if it is quick or if nobody reads it."""
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(compile_notice, "NOTICE_AFTER_SECONDS", seconds)
    end = time.monotonic() + 60
    with compile_notice.notice_if_compiling():
        time.sleep(0.2)
        while expected and not stream.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
    assert stream.getvalue() == expected
