"""What people at a terminal are told when they have to wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import typer

# The kernels are there within a second or two unless they have to be compiled.
TOLD_AFTER_SECONDS = 3.0
COMPILING = "compiling the route solver; this is done once and may take a minute"


@contextmanager
def told_if_compiling() -> Iterator[None]:
    """Say on a terminal, on standard error, that the solver is being compiled if what is done here takes long."""
    if not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(TOLD_AFTER_SECONDS, typer.echo, (COMPILING,), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
