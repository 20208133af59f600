"""Which games are played: every title, variant and way to end is in at least one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.rules.domain.commands import CreateGame
from services.rules.domain.events import Ruling
from services.rules.titles import TITLES

NAMES = ("ann", "bob", "cem", "dora", "eve", "finn", "gil", "hana")
BY_HAND = "manually_ended"

Profile = Literal["rulebook", "18xx.games"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One game: its table, the bot in all seats, and the reason for which it ends.

    `by_hand_after`: so many commands until the players end it by hand; 0 for a game that is played to its end."""

    name: str
    title: str
    players: int
    ends: str
    bot: str
    seed: int
    options: tuple[str, ...] = ()
    profile: Profile = "rulebook"
    by_hand_after: int = 0

    def table(self, seed: int | None = None) -> CreateGame:
        """What the lobby would ask for; with another seed if one is given."""
        peer = TITLES[self.title].rulings if self.profile == "18xx.games" else ()
        return CreateGame(
            title=self.title,
            players=NAMES[: self.players],
            options=self.options,
            rulings=tuple(Ruling(each.name, each.peer) for each in peer),
            seed=self.seed if seed is None else seed,
        )


PLANS: tuple[Plan, ...] = (
    Plan("1824-bank", "1824", 3, "bank", "sensible", 1),
    Plan("1862-stalemate", "1862", 2, "stalemate", "random", 1),
)
PLANS_BY_NAME: Mapping[str, Plan] = {plan.name: plan for plan in PLANS}
