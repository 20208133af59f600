"""The stacks of all threads on standard error: when the process crashes, and when an operator asks for them."""

from __future__ import annotations

import faulthandler
import signal

STANDARD_ERROR = 2
DUMP_SIGNAL = signal.SIGUSR1


def enable_stack_dumps() -> None:
    """From now on a crash in native code (SIGSEGV, SIGABRT and the like) is preceded by the stacks, and `DUMP_SIGNAL` has
    them written while the process continues. A handler of crashes that is there already, such as a test runner's, stays.

    The signal is handled by the main thread as soon as it runs Python code. `faulthandler.register` would not wait for that,
    and reads the stacks of threads that run meanwhile: it ended a process now and then."""
    if not faulthandler.is_enabled():
        faulthandler.enable(STANDARD_ERROR)
    signal.signal(DUMP_SIGNAL, lambda *_: dump_stacks())


def dump_stacks() -> None:
    """Write the stacks now."""
    faulthandler.dump_traceback(STANDARD_ERROR)
