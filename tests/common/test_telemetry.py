"""Logs."""

from __future__ import annotations

import errno
import io
import os

import structlog

from services.common.telemetry.logs import configure_logging, get_logger


class FullDisk(io.StringIO):
    """Takes nothing."""

    def write(self, text: str) -> int:
        """As a file on a full disk."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def flush(self) -> None:
        """As a file on a full disk."""
        self.write("")


def test_a_line_that_cannot_be_written_is_lost_and_nothing_else() -> None:
    """Work goes on where the disk of the log is full."""
    before = structlog.get_config()
    try:
        configure_logging("info", FullDisk())
        get_logger("test").error("lost")
        lines = io.StringIO()
        configure_logging("info", lines)
        get_logger("test").error("kept")
        assert '"event": "kept"' in lines.getvalue()
    finally:
        structlog.configure(**before)
