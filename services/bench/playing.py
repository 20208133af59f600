"""Has a plan carried out by a process of players, and hears from it meanwhile."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import msgspec

from services.bench.load import Line, Outcome, Plan, Progress
from services.common.errors import SignalboxError


class LoadFailed(SignalboxError):
    """The process of players ended without an outcome."""


_line = msgspec.json.Decoder(Line).decode


def generate(plan: Plan, tell: Callable[[Progress], None] = lambda _progress: None) -> Outcome:
    """What came of `plan`; after an interrupt what came of it until then, marked as cut short. Raises `LoadFailed`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "services.bench.load"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for this process, which asks the other one to end.
        start_new_session=True,
    )
    with process:
        try:
            return _heard(process, plan, tell)
        except KeyboardInterrupt:
            process.terminate()
            try:
                return _heard(process, None, tell)
            except LoadFailed:
                # It had not begun.
                raise KeyboardInterrupt from None
        finally:
            process.terminate()


def _heard(process: subprocess.Popen[bytes], plan: Plan | None, tell: Callable[[Progress], None]) -> Outcome:
    assert process.stdin is not None and process.stdout is not None
    if plan is not None:
        process.stdin.write(msgspec.json.encode(plan))
        process.stdin.close()
    for text in process.stdout:
        line: Progress | Outcome = _line(text)
        if isinstance(line, Outcome):
            return line
        tell(line)
    raise LoadFailed(f"the process of players ended with exit code {process.wait()}; see its messages above")
