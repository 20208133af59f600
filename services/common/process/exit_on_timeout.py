"""Ends a process that hangs, so that its orchestrator starts another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from services.common.process.time_limit import called_if_longer
from services.common.telemetry.logs import get_logger
from services.common.telemetry.stack_dumps import dump_stacks

EXIT_HUNG = 70
"""The exit code of a process that hung."""


@contextmanager
def exit_on_timeout(doing: str, seconds: float) -> Iterator[None]:
    """The process exits with `EXIT_HUNG` if the block takes longer: a blocked call cannot be cancelled.

    The log names the block, and the stacks of all threads follow."""

    def end() -> None:
        get_logger("host").critical("hung: the process ends", doing=doing, seconds=seconds)
        dump_stacks()
        os._exit(EXIT_HUNG)

    with called_if_longer(seconds, end):
        yield
