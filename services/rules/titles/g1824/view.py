"""What players see of a game of 1824 beside what every title shows."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.titles.g1824.state import Stack, State


class Reserved(Struct, frozen=True):
    """Certificates of one company that are kept for an exchange."""

    company: str
    numbers: tuple[int, ...]


class View(Struct, frozen=True):
    """Companies with certificates that are kept for an exchange; with two players the stacks, that of the construction
    companies first, and the regional without director, empty until it has begun."""

    reserved: tuple[Reserved, ...]
    stacks: tuple[Stack, ...] = ()
    bond: str = ""


def view(game: Game, data: TitleData) -> View:
    """The view of a game."""
    state = State.of(game)
    reserved = (Reserved(company, numbers) for company, numbers in state.reserved.items() if numbers)
    return View(tuple(reserved), state.stacks, state.bond)
