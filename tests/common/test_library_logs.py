"""Lines of libraries as log lines of the process."""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from typing import Any

from services.common.telemetry.library_logs import SAME_AGAIN_SECONDS, BridgeHandler


def test_repeated_lines_are_logged_now_and_then(logged: list[MutableMapping[str, Any]]) -> None:
    """The first line of a kind at once, later ones every 30 s with their number; other kinds are not held back."""
    now = [100.0]
    logger = logging.Logger("noisy")
    logger.addHandler(BridgeHandler(lambda: now[0]))
    for port in range(5):
        logger.error("no connection to %s", port)
    logger.warning("something else", exc_info=ValueError("deep"))
    now[0] += SAME_AGAIN_SECONDS
    logger.error("no connection to %s", 9)
    lines = [line for line in logged if "said" in line]
    assert [
        (line["log_level"], line["said"], line.get("held_back"), line.get("error")) for line in lines
    ] == [
        ("error", "no connection to 0", None, None),
        ("warning", "something else", None, "ValueError('deep')"),
        ("error", "no connection to 9", 4, None),
    ]
