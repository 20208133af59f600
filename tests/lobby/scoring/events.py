"""Events at random: results of every kind, and policies of every kind."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from services.lobby.domain.tournaments.scoring.policy import Criterion, ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import (
    ByeGiven,
    Entered,
    Fact,
    PenaltyGiven,
    ResultRecorded,
    ResultVoided,
    Withdrawn,
)
from services.lobby.domain.tournaments.scoring.results import SeatResult, SubstituteTurns, TableResult
from services.lobby.domain.tournaments.scoring.systems import Modifiers
from services.lobby.presets.loading import SYSTEMS

TITLES = ("1824", "1862", "rotw")


def random_facts(seed: int) -> list[Fact]:
    """The facts of a small event, with ties, bankruptcies, absences, substitutes, rulings, corrections and penalties."""
    random = Random(seed)
    players = [f"p{number}" for number in range(random.randrange(6, 14))]
    facts: list[Fact] = [Entered(player) for player in players]
    for number in range(1, random.randrange(2, 5)):
        waiting = random.sample(players, len(players))
        while len(waiting) >= 3:
            size = min(len(waiting), random.choice((3, 4, 4, 5, 6)))
            seats, waiting = waiting[:size], waiting[size:]
            facts.append(ResultRecorded(_result(random, number, f"t{number}.{len(facts)}", seats)))
        facts += [ByeGiven(player, number) for player in waiting]
    recorded = [fact.result for fact in facts if isinstance(fact, ResultRecorded)]
    if random.random() < 0.3:
        facts.append(ResultVoided(random.choice(recorded).table, "wrong title"))
    if random.random() < 0.3:
        table = random.choice(recorded)
        names = [seat.player for seat in table.seats]
        facts.append(ResultRecorded(_result(random, table.round, table.table, names)))
    if random.random() < 0.3:
        facts.append(Withdrawn(random.choice(players), "ill"))
        facts.append(PenaltyGiven(random.choice(players), random.randrange(2_000_000), "late"))
    return facts


def _result(random: Random, number: int, table: str, players: list[str]) -> TableResult:
    ending = random.choices(("played", "external", "awarded"), (8, 1, 1))[0]
    orders = random.sample(range(1, 10), len(players))
    several = (SubstituteTurns("sub1", random.randrange(9)), SubstituteTurns("sub2", random.randrange(9)))
    seats = tuple(
        SeatResult(
            player=player,
            worth=random.choice((0, 2000, random.randrange(-100, 9000))),
            bankrupt_order=order if random.random() < 0.1 else 0,
            clock_ms=random.randrange(5) * 60_000,
            is_no_show=random.random() < 0.05,
            substitute=random.choice(("sub1", "sub2")) if random.random() < 0.1 else "",
            substitute_turns=random.randrange(20),
            turns=20,
            awarded=random.randrange(5) * 1_000_000 if ending == "awarded" else 0,
            overdue_money=random.randrange(300) if random.random() < 0.2 else 0,
            overdue_points=random.randrange(3) * 250_000 if random.random() < 0.2 else 0,
        )
        for player, order in zip(players, orders, strict=True)
    )
    seats = tuple(
        replace(seat, substitute="sub2", substitute_turns=several[1].turns, all_substitutes=several)
        if random.random() < 0.05
        else seat
        for seat in seats
    )
    return TableResult(table, number, random.choice(TITLES), seats, ending)  # type: ignore[arg-type]


def random_policy(seed: int) -> ScoringPolicy:
    """A policy of any kind."""
    random = Random(seed)
    criteria = random.sample(list(Criterion), random.randrange(1, len(Criterion)))
    return ScoringPolicy(
        system=random.choice(list(SYSTEMS.values())),
        modifiers=Modifiers(random.random() < 0.7, random.random() < 0.4),
        best_of=random.randrange(4),
        per_title_max=random.randrange(3),
        title_weights={"1862": 1_250_000} if random.random() < 0.5 else {},
        bye_points=random.randrange(3) * 1_500_000,
        credit=random.choice(("original", "substitute", "split", "average")),
        criteria=tuple(criteria),
        seed=seed,
    )
