"""What all tests of tournaments share."""

from __future__ import annotations

import pytest

from services.lobby.domain.tournaments.pairing import outlook

FEW_STEPS = 200


@pytest.fixture(autouse=True)
def plan_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planning rounds ahead is tested with the pairing; here it would only cost time."""
    monkeypatch.setattr(outlook, "PLAN_STEPS", FEW_STEPS)
