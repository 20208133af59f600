"""Fixtures for all tests."""

import os
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from structlog.testing import capture_logs

# Before anything reads the list of titles: tests play the sample titles beside those of the platform.
SAMPLES = "tests.samples.island.title:TITLE,tests.samples.fair.title:TITLE"
os.environ.setdefault("SIGNALBOX_TITLES", SAMPLES)

# Passwords of players that end with their test protect nothing, and are many.
os.environ.setdefault("SIGNALBOX_SIGN_IN_HASH_MEBIBYTES", "1")
os.environ.setdefault("SIGNALBOX_SIGN_IN_HASH_PASSES", "1")

# How long an example takes says nothing on a machine that does other things as well.
UNTIMED = "untimed"
settings.register_profile(
    UNTIMED, parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(UNTIMED)

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED_VARIABLE = "SIGNALBOX_SHARED"


def shared_folder() -> Path:
    """Where recorded games, facts and clauses are, if they are there."""
    return Path(os.environ.get(SHARED_VARIABLE, REPOSITORY.parent / "shared"))


pytest_plugins = ["tests.brokers", "tests.clusters", "tests.collection", "tests.distribution"]


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder with recorded games, facts and clauses; tests that need it skip without it, but fail where CI=true."""
    folder = shared_folder()
    if folder.is_dir():
        return folder
    message = f"no folder {folder} with recorded games; {SHARED_VARIABLE} may name another"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(autouse=True)
def unconfigured_logs_on_standard_error() -> None:
    """Where no test configures logs: a thread of another test may log at any time, and what commands print on standard output
    is compared."""
    if not structlog.is_configured():
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(file=sys.__stderr__))


@pytest.fixture
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    """Every line logged during the test, of every level: an earlier test may have configured another."""
    before = structlog.get_config()
    structlog.reset_defaults()
    with capture_logs() as lines:
        yield lines
    structlog.configure(**before)
