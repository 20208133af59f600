"""The rulings of 1862: where the rulebook leaves a question open or another platform plays otherwise.

The first value of each is what the rulebook says, or the reading chosen for it; `peer` is what profile `18xx.games` plays.
"""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import RulingChoice

# 7.2, 7.6: a company's first turn, and laying track.
_TRACK: tuple[RulingChoice, ...] = (
    RulingChoice(
        "home_upgrade",
        ("in_building", "before_merging"),
        "before_merging",
        ("1862/7.2-c", "1862/7.2-h"),
        "When a full home hex has to be upgraded: as the company's building action, or before it may merge?",
    ),
    RulingChoice(
        "displaced_token",
        ("last_placed", "last_slot"),
        "last_slot",
        ("1862/7.2-e",),
        "Which token makes room for the home token: the one placed last in the hex, or the one in the last slot?",
    ),
    RulingChoice(
        "first_building",
        ("at_home", "anywhere"),
        "anywhere",
        ("1862/7.2-i", "1862/13.0-a"),
        "Must a company whose home hex is empty build there before it builds anything else?",
    ),
    RulingChoice(
        "upgrade_connection",
        ("new_track_or_station", "new_track_or_value"),
        "new_track_or_value",
        ("1862/7.6.3-e",),
        "What of an upgraded tile must the company reach: new track or any station, or new track or a higher value?",
    ),
    RulingChoice(
        "small_station_keeps",
        ("track", "sides"),
        "sides",
        ("1862/7.6.4-a",),
        "When a small station is added, does all track stay, or may track without one be joined otherwise?",
    ),
)

RULINGS: tuple[RulingChoice, ...] = _TRACK


def plays(game: Game, ruling: str, value: str) -> bool:
    """Whether this table plays `ruling` by `value`; a game that does not name it plays the rulebook's."""
    return game.rulings.get(ruling, _DEFAULTS[ruling]) == value


_DEFAULTS = {ruling.name: ruling.values[0] for ruling in RULINGS}
