"""The end of a process at a given step, without a process."""

from __future__ import annotations

import pytest

from services.common.process import crashpoints


class Killed(BaseException):
    """Stands for the end of the process."""


def killing(monkeypatch: pytest.MonkeyPatch, point: str, count: int) -> None:
    """The next call that reaches `point` so often goes no further."""
    left = [count]

    def reach(name: str) -> None:
        left[0] -= name == point
        if name == point and left[0] == 0:
            raise Killed

    monkeypatch.setattr(crashpoints, "reach", reach)
