"""What people at a terminal are told when they have to wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from services.common.process.time_limit import called_if_longer

# The kernels are there within a second or two unless they have to be compiled.
TOLD_AFTER_SECONDS = 3.0
COMPILING = "compiling the route solver; this is done once and may take a minute"


@contextmanager
def told_if_compiling() -> Iterator[None]:
    """Say on a terminal, on standard error, that the solver is being compiled if what is done here takes long."""
    if not sys.stderr.isatty():
        yield
        return
    with called_if_longer(TOLD_AFTER_SECONDS, lambda: typer.echo(COMPILING, err=True)):
        yield
