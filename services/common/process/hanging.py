"""The end of a process that does not come back from what it does: whoever keeps it starts another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from services.common.process.time_limit import called_if_longer
from services.common.telemetry.logs import get_logger
from services.common.telemetry.stack_dumps import dump_stacks

HUNG = 70
"""The exit code of such a process."""


@contextmanager
def ended_if_hung(doing: str, seconds: float) -> Iterator[None]:
    """The process ends with `HUNG` if the block takes longer: what does not come back cannot be asked to.

    The log names the block, and the stacks of all threads follow."""

    def end() -> None:
        get_logger("host").critical("hung: the process ends", doing=doing, seconds=seconds)
        dump_stacks()
        os._exit(HUNG)

    with called_if_longer(seconds, end):
        yield
