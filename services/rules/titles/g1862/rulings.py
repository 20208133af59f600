"""The rulings of 1862: where the rulebook leaves a question open or another platform plays otherwise.

The first value of each is what the rulebook says, or the reading chosen for it; `peer` is what profile `18xx.games` plays.
"""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import RulingChoice

RULINGS: tuple[RulingChoice, ...] = (
    RulingChoice(
        "unswapped_option",
        ("rounded_up", "rounded_down"),
        "rounded_down",
        ("1862/5.2.4-k",),
        "How is half the price rounded for an option on an absorbed share that cannot be swapped and has to be sold?",
    ),
    RulingChoice(
        "merger_between_directors",
        ("asked", "not_asked"),
        "not_asked",
        ("1862/5.1.1-a", "1862/5.1.2-a", "1862/7.5.1-a"),
        "Is the director of the other company asked before a merger, or have the players agreed at the table?",
    ),
    RulingChoice(
        "survivor_home_token",
        ("removable", "stays"),
        "stays",
        ("1862/7.5.6-e",),
        "May the survivor's home token be taken off the map when a merger leaves it with too many tokens?",
    ),
    RulingChoice(
        "charter_after_merger",
        ("non_chartered", "chartered_if_both"),
        "chartered_if_both",
        ("1862/3.1-b", "1862/7.5.6-g"),
        "Does the charter stay on its chartered side when both merging companies were chartered?",
    ),
)


def plays(game: Game, ruling: str, value: str) -> bool:
    """Whether this table plays `ruling` by `value`; a game that does not name it plays the rulebook's."""
    return game.rulings.get(ruling, _DEFAULTS[ruling]) == value


_DEFAULTS = {ruling.name: ruling.values[0] for ruling in RULINGS}
