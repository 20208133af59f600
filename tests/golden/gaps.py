"""What no playthrough shows, and why."""

from __future__ import annotations

from collections.abc import Mapping

ENDS_NOT_REACHED: Mapping[tuple[str, str], str] = {
    ("1865", "stalemate"): "sea companies that players keep pay until the bank is empty, and bots keep some",
}
"""Ways to end a game, by title and reason."""

COMMANDS_NOT_TAKEN: Mapping[str, str] = {}
"""Kinds of command, by their words."""
