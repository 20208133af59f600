"""Random tables: title, seats, options, rulings, undo policy and the sort of players, all from one seed.

Seeds that follow each other go through all player counts; those of one count through all sets of options that go
together there, so that every option and every length comes up as often as any other set.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import gcd
from random import Random
from typing import get_args

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import check_choices
from services.rules.kernel.title import Title
from services.rules.kernel.values import Ruling, UndoPolicy
from services.rules.titles import TITLES

NAMES = ("ann", "bob", "cem", "dora", "eve", "finn", "gil", "hana")
BOTS = ("sensible", "random", "eager", "eager")
# Sets that follow each other in order differ little, so steps of about this part of all are taken.
STEP = 0.618


def table_of(seed: int, title_name: str) -> CreateGame:
    """The table of a seed."""
    title = TITLES[title_name]
    number, place = divmod(seed, len(title.all_player_counts))
    player_count = title.all_player_counts[place]
    sets = option_sets(title_name, player_count)
    options = sets[(number + place) * _step(len(sets)) % len(sets)]
    return table_with(seed, title_name, player_count, options)


def table_with(seed: int, title_name: str, player_count: int, options: tuple[str, ...]) -> CreateGame:
    """A table with these options, the rest from the seed."""
    draw, title = Random(seed), TITLES[title_name]
    return CreateGame(
        title=title_name,
        players=NAMES[:player_count],
        options=options,
        rulings=_rulings(draw, title),
        undo_policy=draw.choice(get_args(UndoPolicy)),
        seed=seed,
    )


def bot_of(seed: int, title_name: str) -> str:
    """Who plays at the table of a seed: the next sort each time all sets of options have come up."""
    title = TITLES[title_name]
    number, place = divmod(seed, len(title.all_player_counts))
    rounds = number // len(option_sets(title_name, title.all_player_counts[place]))
    return BOTS[(number + place + rounds) % len(BOTS)]


@lru_cache(maxsize=64)
def option_sets(title_name: str, player_count: int) -> tuple[tuple[str, ...], ...]:
    """All sets of options that go together with so many players, each in the title's order."""
    title = TITLES[title_name]
    sizes = range(len(title.options) + 1)
    names = [option.name for option in title.options]
    every = (options for size in sizes for options in combinations(names, size))
    return tuple(options for options in every if check_choices(title, options, (), player_count) is None)


def _step(count: int) -> int:
    """A step that comes to each of so many places before it comes to one again."""
    return next(step for step in range(max(1, round(STEP * count)), 2 * count + 1) if gcd(step, count) == 1)


def _rulings(draw: Random, title: Title) -> tuple[Ruling, ...]:
    """The rulebook's, those of the platform whose games are replayed, or any mixture of all."""
    profile = draw.choice(("rulebook", "peer", "mixed"))
    if profile == "rulebook":
        return ()
    if profile == "peer":
        return tuple(Ruling(each.name, each.peer) for each in title.rulings)
    return tuple(Ruling(each.name, draw.choice(each.values)) for each in title.rulings)
