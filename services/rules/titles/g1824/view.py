"""What players see of a game of 1824 beside what every title shows."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.titles.g1824.state import State


class Reserved(Struct, frozen=True):
    """Certificates of one company that are kept for an exchange."""

    company: str
    numbers: tuple[int, ...]


class View(Struct, frozen=True):
    """Companies with certificates that are kept for an exchange."""

    reserved: tuple[Reserved, ...]


def view(game: Game, data: TitleData) -> View:
    """The view of a game."""
    reserved = State.of(game).reserved.items()
    return View(tuple(Reserved(company, numbers) for company, numbers in reserved if numbers))
