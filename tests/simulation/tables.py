"""Random tables: title, seats, options, rulings and undo policy, all drawn from one seed."""

from __future__ import annotations

from random import Random
from typing import get_args

from msgspec.structs import replace

from services.rules.domain.commands import CreateGame
from services.rules.domain.decide import Accepted, create
from services.rules.domain.events import Ruling, UndoPolicy
from services.rules.domain.title import Title
from services.rules.titles import TITLES

NAMES = ("ann", "bob", "cem", "dora", "eve", "finn", "gil", "hana")
OPTION_CHANCE = 0.3


def table_of(seed: int, title_name: str) -> CreateGame:
    """The table of a seed; seeds that follow each other go through all player counts."""
    draw, title = Random(seed), TITLES[title_name]
    player_count = title.player_counts[seed % len(title.player_counts)]
    wanted = [option for option in title.options if draw.random() < OPTION_CHANCE]
    table = CreateGame(
        title=title_name,
        players=NAMES[:player_count],
        rulings=_rulings(draw, title),
        undo_policy=draw.choice(get_args(UndoPolicy)),
        seed=seed,
    )
    draw.shuffle(wanted)
    return _with_options(title, table, wanted)


def _with_options(title: Title, table: CreateGame, wanted: list[str]) -> CreateGame:
    """The table with as many of these options as go together, in the title's order."""
    for option in wanted:
        options = tuple(each for each in title.options if each in (*table.options, option))
        more = replace(table, options=options)
        if isinstance(create(title, more), Accepted):
            table = more
    return table


def _rulings(draw: Random, title: Title) -> tuple[Ruling, ...]:
    """The rulebook's, those of the platform whose games are replayed, or any mixture of all."""
    profile = draw.choice(("rulebook", "peer", "mixed"))
    if profile == "rulebook":
        return ()
    if profile == "peer":
        return tuple(Ruling(each.name, each.peer) for each in title.rulings)
    return tuple(Ruling(each.name, draw.choice(each.values)) for each in title.rulings)
