"""Fixtures of the tests of the routing service."""

from collections.abc import Iterator

import pytest
import structlog

from services.routing.domain.solver import warm_up


@pytest.fixture(scope="package", autouse=True)
def compiled() -> None:
    """Compile the kernels first: on a new machine that takes longer than the timeout of any test."""
    warm_up()


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """No test writes to the closed log of another."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
