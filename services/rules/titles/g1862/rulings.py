"""The rulings of 1862: where the rulebook leaves a question open or another platform plays otherwise.

The first value of each is what the rulebook says, or the reading chosen for it; `peer` is what profile `18xx.games` plays.
"""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import RulingChoice

RULINGS: tuple[RulingChoice, ...] = ()


def plays(game: Game, ruling: str, value: str) -> bool:
    """Whether this table plays `ruling` by `value`; a game that does not name it plays the rulebook's."""
    return game.rulings.get(ruling, _DEFAULTS[ruling]) == value


_DEFAULTS = {ruling.name: ruling.values[0] for ruling in RULINGS}
