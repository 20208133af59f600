"""How 18xx.games spells players and the parts of a tile, in every title."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.rules.domain.board import face
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData

BLOCKER = "B"
# The place of a stop among the parts of its tile, from hex and stop.
PartOf = Callable[[TitleData, Game, str, int], int]


@dataclass(frozen=True, slots=True)
class Names:
    """The players of one recorded game: `spelled` gives the file's id for ours."""

    spelled: Mapping[str, int | str] = field(default_factory=dict)

    def of(self, name: str) -> int | str:
        """A player as the file spells him; anything else as it is."""
        return self.spelled.get(name, name)

    def maybe(self, name: str) -> int | str | None:
        """As `of`, and nothing for nobody."""
        return self.of(name) if name else None


def names_of(players: tuple[int | str, ...]) -> Names:
    """The spelling of these players."""
    return Names({str(player): player for player in players})


def city_count(data: TitleData, game: Game, hex_id: str) -> int:
    """How many cities (mines and red areas with a token space among them) the hex shows now."""
    return sum(stop.slots > 0 for stop in face(data, game.tiles, hex_id).stops)


def stop_number(data: TitleData, game: Game, hex_id: str, part: int, part_of: PartOf) -> int:
    """The stop meant by a part number; -1 when there is none."""
    stops = range(len(face(data, game.tiles, hex_id).stops))
    return next((stop for stop in stops if part_of(data, game, hex_id, stop) == part), -1)
