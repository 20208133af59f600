"""Rounds to be paired, at random."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

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
    ratings = random.sample(range(1, 1000), count)
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
            rating=rating,
            preferences=tuple(random.sample([title.title for title in TITLES], random.randrange(4))),
        )
        for name, rating in zip(names, ratings, strict=True)
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


def small_problem(seed: int) -> PairingProblem:
    """A round of up to nine players that differs in what it has: earlier rounds, points, wishes, hours, ratings, titles."""
    random = Random(seed)
    drawn = random_problem(random.randrange(6, 10), seed, rounds_before=random.randrange(4))
    has_points, has_wishes, has_hours, has_ratings = (random.random() < 0.6 for _ in range(4))
    entrants = tuple(
        replace(
            each,
            points=each.points * has_points,
            preferences=each.preferences if has_wishes else (),
            hours=_evenings(random) if has_hours else (),
            rating=each.rating if has_ratings else 0,
        )
        for each in drawn.entrants
    )
    forbidden = drawn.forbidden if random.random() < 0.5 else ()
    hours_min = random.randrange(3) if has_hours else 0
    titles = TITLES if has_wishes or random.random() < 0.5 else ()
    return replace(drawn, entrants=entrants, forbidden=forbidden, hours_min=hours_min, titles=titles)


def _evenings(random: Random) -> tuple[int, ...]:
    """Some evenings of four hours, at times of their own; none, which are all hours, now and then."""
    days = random.sample(range(7), random.choice((0, 3, 5, 7)))
    return tuple(sorted(24 * day + hour for day in days for hour in range(17 + day % 2, 21 + day % 2)))
