"""A notice on the terminal while the route solver is compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from services.common.process.time_limit import called_if_longer

# Cached kernels load within a second or two.
NOTICE_AFTER_SECONDS = 3.0
COMPILING = "compiling the route solver; this is done once and may take a minute"


@contextmanager
def notice_if_compiling() -> Iterator[None]:
    """On a terminal, print to standard error that the solver is being compiled if the block takes long."""
    if not sys.stderr.isatty():
        yield
        return
    with called_if_longer(NOTICE_AFTER_SECONDS, lambda: typer.echo(COMPILING, err=True)):
        yield
