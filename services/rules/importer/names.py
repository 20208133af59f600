"""How 18xx.games names players and the parts of a tile, in every title."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import face
from services.rules.parts.map.state import map_of

BLOCKER = "B"
# The place of a stop among the parts of its tile, from hex and stop.
PartOf = Callable[[TitleData, Game, str, int], int]


@dataclass(frozen=True, slots=True)
class Names:
    """The players of one recorded game: `recorded`: the file's id for ours."""

    recorded: Mapping[str, int | str] = field(default_factory=dict)

    def of(self, name: str) -> int | str:
        """The file's name of a player; anything else unchanged."""
        return self.recorded.get(name, name)

    def maybe(self, name: str) -> int | str | None:
        """As `of`; `None` for the empty name."""
        return self.of(name) if name else None


def names_of(players: tuple[int | str, ...], accounts: Mapping[str, str] | None = None) -> Names:
    """The names of these players in the file; `accounts`: ours, where they are others."""
    ours = accounts or {}
    return Names({ours.get(str(player), str(player)): player for player in players})


def city_count(data: TitleData, game: Game, hex_id: str) -> int:
    """How many cities (mines and red areas with a token space among them) the hex shows now."""
    return sum(stop.slots > 0 for stop in face(data, map_of(game).tiles, hex_id).stops)


def stop_number(data: TitleData, game: Game, hex_id: str, part: int, part_of: PartOf) -> int:
    """The stop meant by a part number; -1 when there is none."""
    stops = range(len(face(data, map_of(game).tiles, hex_id).stops))
    return next((stop for stop in stops if part_of(data, game, hex_id, stop) == part), -1)
