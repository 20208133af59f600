"""Fixtures that all tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with facts and recorded games; tests that read it are skipped where it is missing."""
    folder = Path(os.environ.get("SIGNALBOX_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "fixtures").is_dir():
        pytest.skip(f"no recorded games: {folder} is missing (set SIGNALBOX_SHARED)")
    return folder
