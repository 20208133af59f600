"""What Island Railways alone knows: its figures, and the ferry that one company may hire."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.commands import Command
from services.rules.kernel.events import Event
from services.rules.kernel.game import Game, PartState
from services.rules.kernel.part import Part
from services.rules.kernel.titledata import TitleData


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """How many game turns are played, what the ferry costs, and what it brings in every operating round."""

    game_turns: int
    ferry_price: int
    ferry_income: int


class State(PartState):
    """`ferry`: the company that runs the ferry."""

    PART: ClassVar[str] = "island"

    ferry: str = ""

    def copy(self) -> State:
        """An independent copy."""
        return State(self.ferry)

    def position(self, data: TitleData) -> object:
        """All of it."""
        return self.ferry


class FerryHired(Event, frozen=True):
    """`company` runs the ferry from now on."""

    company: str

    def write(self, game: Game) -> None:
        """There is one ferry."""
        State.to_write(game).ferry = self.company


class HireFerry(Command, frozen=True):
    """Hire the ferry for `company`."""

    company: str


class View(Struct, frozen=True):
    """The company that runs the ferry."""

    ferry: str


OWN = Part(
    "island",
    events=(FerryHired,),
    commands=(HireFerry,),
    state=State,
    reasons={"island.ferry_hired": "the ferry is hired for the whole game"},
    wire="tests.samples.gen.samples.island.v1.island_pb2",
    view=lambda game, data: View(State.of(game).ferry),
    view_type=View,
)
