"""Whether a game can never come to anything any more: a whole game turn asked nobody and changed nothing."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData

# All that a decision could rest on: when none of it changes in a whole game turn, none ever will.
POSITION = (
    "cash",
    "holdings",
    "companies",
    "markers",
    "cells",
    "tiles",
    "tokens",
    "trains",
    "warranties",
    "depot_sold",
    "phase",
    "priority",
    "obligations",
    "failed",
    "monopoly",
    "ending",
)


def stands_still(before: Game, now: Game, data: TitleData) -> bool:
    """Whether nothing is different but the number of unlimited trains that were exported."""
    return all(getattr(before, name) == getattr(now, name) for name in POSITION) and all(
        gone == before.depot_gone.get(name)
        for name, gone in now.depot_gone.items()
        if data.trains[name].count
    )
