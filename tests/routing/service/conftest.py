"""Fixtures of the tests of the routing service."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """No test writes to the closed log of another."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
