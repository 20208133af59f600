"""What only a game of 1865 knows: the Dragon table, traffic, sea companies, and the homes of companies launched anew."""

from __future__ import annotations

from typing import ClassVar

from services.rules.kernel.game import Game, PartState
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId

PART = "1865"


class State(PartState):
    """`rows`: the row of the Dragon table on which a company is, by phase. `traffic`: how much a company has. `maritime`: the
    player or company that has a sea company; one that is in nobody's hands is not listed. `ports`: the sea companies that
    have brought their traffic. `absorbed`: the companies that can be launched anew, `homes`: where those have theirs that
    were. `offered_price`: what was offered for the train about which somebody is asked."""

    PART: ClassVar[str] = PART

    rows: dict[str, str] = {}
    traffic: dict[str, int] = {}
    maritime: dict[str, str] = {}
    ports: tuple[str, ...] = ()
    absorbed: tuple[str, ...] = ()
    homes: dict[str, CityId] = {}
    offered_price: int = 0

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.rows.copy(),
            self.traffic.copy(),
            self.maritime.copy(),
            self.ports,
            self.absorbed,
            self.homes.copy(),
            self.offered_price,
        )

    def position(self, data: TitleData) -> object:
        """All but the price of an offer, which is answered at once."""
        return self.rows, self.traffic, self.maritime, self.ports, self.absorbed, self.homes


own = State.of


def traffic_of(game: Game, company: str) -> int:
    """How much traffic a company has."""
    return own(game).traffic.get(company, 0)


def maritime_of(game: Game, owner: str) -> tuple[str, ...]:
    """The sea companies of a player or company, in their order."""
    return tuple([name for name, holder in own(game).maritime.items() if holder == owner])
