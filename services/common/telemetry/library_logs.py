"""The lines of the libraries of Kafka as this process's own log lines, the same one not again and again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from services.common.telemetry.logs import get_logger
from services.common.telemetry.repeated import RepeatedLines

LIBRARIES = ("faust", "mode", "aiokafka", "kafka", "librdkafka")
KIND_CHARACTERS = 40


class BridgeHandler(logging.Handler):
    """Hands a line of a library to structlog, its traceback shortened to the error.

    What a library repeats, for example while a broker is down, is logged every 30 s, with the number of lines held back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._repeated = RepeatedLines(clock)

    def emit(self, record: logging.LogRecord) -> None:
        """One line; warnings and worse only, as the logger is set."""
        held_back = self._repeated.held_back((record.name, str(record.msg)[:KIND_CHARACTERS]))
        if held_back is None:
            return
        error = record.exc_info[1] if record.exc_info else None
        fields: dict[str, Any] = {"library": record.name, "said": record.getMessage()}
        if error is not None:
            fields["error"] = repr(error)
        if held_back:
            fields["held_back"] = held_back
        log = get_logger("kafka")
        say = log.error if record.levelno >= logging.ERROR else log.warning
        say("library", **fields)


def bridge_logs() -> None:
    """Send warnings and errors of the libraries to structlog and nowhere else. May be called again."""
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.setLevel(logging.WARNING)
        if not any(isinstance(handler, BridgeHandler) for handler in logger.handlers):
            logger.addHandler(BridgeHandler())


def report_loop_errors(loop: asyncio.AbstractEventLoop) -> None:
    """What nobody awaits in `loop` becomes a log line too."""

    def report(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        get_logger("kafka").warning(
            "event loop", said=context.get("message"), error=repr(context.get("exception"))
        )

    loop.set_exception_handler(report)
