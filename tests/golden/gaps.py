"""What no playthrough shows, and why."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.vocabulary import ENDED_BY_DIRECTOR
from services.rules.titles import BUILT_IN

ENDS_NOT_REACHED: Mapping[tuple[str, str], str] = {
    ("1865", "stalemate"): "sea companies that players keep pay until the bank is empty, and bots keep some",
    ("rotw", "stalemate"): "every turn brings the players money, so that no turn leaves everything as it was",
    ("rotw", "rotw.nothing_done"): "no bot leaves its companies idle for so long",
} | {(title.name, ENDED_BY_DIRECTOR): "directors decide it, not players" for title in BUILT_IN}
"""Ways to end a game, by title and reason."""

COMMANDS_NOT_TAKEN: Mapping[str, str] = {}
"""Kinds of command, by their words."""
