"""Rounds to be paired, at random."""

from __future__ import annotations

from random import Random

from services.lobby.domain.tournaments.pairing.problem import (
    Entrant,
    OfferedTitle,
    PairingProblem,
    PastTable,
)
from services.lobby.domain.tournaments.pairing.sizes import table_sizes

TITLES = (OfferedTitle("1824", 3, 6), OfferedTitle("1862", 2, 5), OfferedTitle("rotw", 3, 4))


def random_problem(count: int, seed: int, rounds_before: int = 3, steps_max: int = 5000) -> PairingProblem:
    """A round after some rounds by lot, with points, preferences and two forbidden pairs."""
    random = Random(seed)
    names = [f"player {number}" for number in range(count)]
    past = []
    for _ in range(rounds_before):
        shuffled = random.sample(names, count)
        for size in table_sizes(count, PairingProblem((), 0).sizes):
            past.append(PastTable(tuple(shuffled[:size])))
            shuffled = shuffled[size:]
    entrants = tuple(
        Entrant(
            name,
            points=random.randrange(4) * 1_000_000,
            rating=random.randrange(1000),
            preferences=tuple(random.sample([title.title for title in TITLES], random.randrange(4))),
        )
        for name in names
    )
    forbidden = ((names[0], names[2]), (names[1], names[5]))
    return PairingProblem(
        entrants,
        seed,
        rounds_before + 1,
        tuple(past),
        titles=TITLES,
        forbidden=forbidden,
        steps_max=steps_max,
    )
