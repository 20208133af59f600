"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest

# Before anything reads the list of titles: tests play the sample titles beside those of the platform.
SAMPLES = "tests.samples.island.title:TITLE,tests.samples.fair.title:TITLE"
os.environ.setdefault("SIGNALBOX_TITLES", SAMPLES)

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED_VARIABLE = "SIGNALBOX_SHARED"

pytest_plugins = ["tests.brokers", "tests.clusters"]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests that share the processes of a cluster host run in one process of the session, so that there is one such host."""
    callspec = getattr(item, "callspec", None)
    if callspec is not None and "cluster" in callspec.params.values():
        item.add_marker(pytest.mark.xdist_group("cluster"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder with recorded games, facts and clauses; tests that need it skip without it, but fail where CI=true."""
    folder = Path(os.environ.get(SHARED_VARIABLE, REPOSITORY.parent / "shared"))
    if folder.is_dir():
        return folder
    message = f"no folder {folder} with recorded games; {SHARED_VARIABLE} may name another"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(message)
    pytest.skip(message)
