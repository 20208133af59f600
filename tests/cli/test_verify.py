"""`signalbox verify`: what it does where nothing is chosen."""

from __future__ import annotations

import os

import pytest

from services.cli.verify import default_processes


@pytest.mark.parametrize(("cores", "processes"), [(None, 1), (2, 2), (8, 8), (96, 8)])
def test_a_large_machine_is_not_filled(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, processes: int
) -> None:
    """One process per core, and never more than eight."""
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert default_processes() == processes
