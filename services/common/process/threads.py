"""Threads that a process cannot do without: when one fails, the process must not look healthy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from services.common.telemetry.logs import get_logger

_failed: list[str] = []


class ServiceThread(threading.Thread):
    """A daemon thread that does its work until it is asked to end. An error that ends it before is logged and kept in
    `failed_threads`."""

    def __init__(self, name: str, work: Callable[..., object], *arguments: Any) -> None:
        """Starts nothing. The thread calls `work` with `arguments`."""
        super().__init__(target=work, args=arguments, name=name, daemon=True)

    def run(self) -> None:
        """See `threading.Thread.run`."""
        try:
            super().run()
        except BaseException as problem:
            get_logger("threads").critical(
                "thread failed", thread=self.name, problem=repr(problem), exc_info=True
            )
            _failed.append(self.name)


def failed_threads() -> tuple[str, ...]:
    """Names of the threads of this process that an error has ended."""
    return tuple(_failed)
