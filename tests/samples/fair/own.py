"""What Spring Fair alone knows: its figures, the printed stalls, and the bag from which stalls are drawn."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game, PartState
from services.rules.kernel.part import Part
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.data import CompanyCard


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The length of the fair, and by how much a bid is raised."""

    rounds: int
    stalls_per_round: int
    bid_step: int


class Stall(CompanyCard, frozen=True, forbid_unknown_fields=True):
    """A printed stall: what its builder charges, and what it takes in every round."""

    price: int = 0
    takings: int = 0


class State(PartState):
    """`drawn`: the stalls drawn so far, in order."""

    PART: ClassVar[str] = "fair"

    drawn: tuple[str, ...] = ()

    def copy(self) -> State:
        """An independent copy."""
        return State(self.drawn)

    def position(self, data: TitleData) -> object:
        """All of it."""
        return self.drawn


class StallDrawn(Event, frozen=True):
    """`stall` was drawn from the bag and is auctioned next."""

    stall: str

    def write(self, game: Game) -> None:
        """It is out of the bag."""
        state = State.to_write(game)
        state.drawn = (*state.drawn, self.stall)


class View(Struct, frozen=True):
    """The stalls drawn so far."""

    drawn: tuple[str, ...]


OWN = Part(
    "fair",
    events=(StallDrawn,),
    state=State,
    reasons={"fair.keep_for_builder": "the builder of the stall has to be paid as well"},
    wire="tests.samples.gen.samples.fair.v1.fair_pb2",
    view=lambda game, data: View(State.of(game).drawn),
    view_type=View,
)
