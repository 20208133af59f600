"""Which games are played: every title, variant and way to end is in at least one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.values import Ruling
from services.rules.titles import TITLES
from tests.simulation.tables import NAMES

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
    Plan("1824-bank", "1824", 3, "bank", "sensible", 2),
    Plan("1824-goods-time", "1824", 4, "bank", "eager", 12, options=("goods_time",)),
    Plan("1824-other-rulings", "1824", 5, "bank", "eager", 14, profile="18xx.games"),
    Plan(
        "1824-goods-time-by-hand",
        "1824",
        6,
        "manually_ended",
        "sensible",
        1,
        options=("goods_time",),
        by_hand_after=300,
    ),
    Plan("1824-cisleithania-two", "1824", 2, "bank", "eager", 3, options=("cisleithania",)),
    Plan(
        "1824-cisleithania-three",
        "1824",
        3,
        "bank",
        "sensible",
        4,
        options=("cisleithania",),
        profile="18xx.games",
    ),
    Plan("1824-stalemate", "1824", 3, "stalemate", "eager", 6),
    Plan("1862-top-price", "1862", 2, "1862.stock_market", "sensible", 8),
    Plan("1862-stalemate", "1862", 2, "stalemate", "random", 1),
    Plan("1862-other-rulings", "1862", 3, "1862.lner", "eager", 14, profile="18xx.games"),
    Plan("1862-simple-express", "1862", 3, "1862.lner", "eager", 12, options=("simple_express",)),
    Plan("1862-advanced-freight", "1862", 6, "bank", "eager", 34, options=("advanced_freight",)),
    Plan(
        "1862-beginners-by-hand",
        "1862",
        8,
        "manually_ended",
        "sensible",
        1,
        options=("simple_freight", "beginners"),
        by_hand_after=350,
    ),
    Plan(
        "1862-advanced-express",
        "1862",
        2,
        "1862.lner",
        "eager",
        12,
        options=("long_game", "advanced_express"),
    ),
    Plan("1862-eight-stations", "1862", 4, "1862.lner", "eager", 11, options=("eight_stations",)),
    Plan("1862-shorter-game", "1862", 5, "1862.lner", "eager", 13, options=("shorter_game",)),
    Plan(
        "1862-shorter-short-game", "1862", 2, "1862.lner", "eager", 15, options=("short_game", "shorter_game")
    ),
    Plan(
        "1862-mixed-length", "1862", 7, "1862.lner", "eager", 33, options=("mixed_length", "extra_companies")
    ),
    Plan("1865-bank", "1865", 3, "bank", "sensible", 1),
    Plan("1865-short-game", "1865", 2, "bank", "eager", 2, options=("short_game",)),
    Plan(
        "1865-four-by-hand",
        "1865",
        4,
        "manually_ended",
        "sensible",
        1,
        profile="18xx.games",
        by_hand_after=300,
    ),
    Plan("rotw-small-map", "rotw", 2, "rotw.cities_emptied", "random", 1, options=("small_map",)),
    Plan(
        "rotw-more-empty-cities",
        "rotw",
        3,
        "rotw.cities_emptied",
        "random",
        2,
        options=("small_map", "more_empty_cities"),
    ),
    Plan("rotw-four", "rotw", 4, "rotw.cities_emptied", "sensible", 3),
    Plan(
        "rotw-passes-forbid",
        "rotw",
        5,
        "rotw.cities_emptied",
        "eager",
        4,
        options=("passes_forbid", "empty_cities_by_players", "private_money"),
        profile="18xx.games",
    ),
    Plan("rotw-by-hand", "rotw", 6, "manually_ended", "random", 5, by_hand_after=150),
)
PLANS_BY_NAME: Mapping[str, Plan] = {plan.name: plan for plan in PLANS}
