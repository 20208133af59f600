"""Something to be done beside a block of code, only if the block takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def called_if_longer(seconds: float, act: Callable[[], object]) -> Iterator[None]:
    """Call `act` once, in a thread of its own, if the block takes longer than so many seconds."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
