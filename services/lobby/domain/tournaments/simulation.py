"""Simulated events: players of random strength play a format; all comes from the seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from services.lobby.domain.tournaments.formats.designs import Design, draw_groups, group_tables
from services.lobby.domain.tournaments.formats.knock_out import first_round, next_round
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Groups,
    Heats,
    KnockOut,
    Stage,
    Swiss,
    round_problem,
)
from services.lobby.domain.tournaments.lots import lot
from services.lobby.domain.tournaments.pairing.costs import Cost
from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import Entrant, PastTable
from services.lobby.domain.tournaments.pairing.proposal import proposal_digest
from services.lobby.domain.tournaments.pairing.seating import seat_counts
from services.lobby.domain.tournaments.pairing.sizes import odd_counts
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import (
    ByeGiven,
    Entered,
    EventRecord,
    Fact,
    ResultRecorded,
    record_after,
)
from services.lobby.domain.tournaments.scoring.results import SeatResult, TableResult
from services.lobby.domain.tournaments.scoring.standings import standings_of

WORTH_LEAST = 2000
WORTH_SPREAD = 3000
TITLE = "1824"


class SimulatedRound(msgspec.Struct, frozen=True):
    """The tables of a round in seat order, its byes, and what the pairing cost where the round was paired."""

    number: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    cost: Cost | None = None
    digest: str = ""


class Balance(msgspec.Struct, frozen=True):
    """What a number of tables did to the players.

    `sizes` counts the tables of each size, `odd` the players by how often they sat at a table without the preferred size, `seats`
    the players by the difference between their most and least frequent seat, of those seats that all tables have."""

    repeats: int
    sizes: dict[int, int]
    odd: dict[int, int]
    seats: dict[int, int]


class Simulation:
    """An event in progress: the facts so far, and the rounds that made them."""

    def __init__(
        self, stage: Stage, players: int, seed: int, policy: ScoringPolicy, designs: Sequence[Design]
    ) -> None:
        """Players are named `p1`, `p2`, ..."""
        self.players = [f"p{number}" for number in range(1, players + 1)]
        self.facts: list[Fact] = []
        self.record = EventRecord()
        self.past: list[PastTable] = []
        self._stage, self._seed, self._policy, self._designs = stage, seed, policy, designs
        for player in self.players:
            self._add(Entered(player))

    def rounds(self) -> Iterator[SimulatedRound]:
        """Each round, once it is paired; its results are drawn when the next is asked for."""
        match self._stage.format:
            case Swiss(rounds) | Heats(rounds) | DuplicateRounds(rounds):
                made: Iterator[SimulatedRound] = self._paired(rounds)
            case Groups():
                made = self._grouped(self._stage.format)
            case KnockOut():
                made = self._knocked_out(self._stage.format)
        for each in made:
            yield each
            self._play(each)

    def balance(self) -> Balance:
        """What all rounds so far did to the players."""
        met = Counter(frozenset(pair) for table in self.past for pair in combinations(table.seats, 2))
        sizes = Counter(len(table.seats) for table in self.past)
        odd = odd_counts(tuple(self.past), self._stage.sizes.preferred)
        counts = seat_counts(self.past)
        seats = range(min(sizes, default=0))
        spreads = Counter(
            max(row[seat] for seat in seats) - min(row[seat] for seat in seats) for row in counts.values()
        )
        return Balance(
            repeats=sum(times - 1 for times in met.values()),
            sizes=dict(sorted(sizes.items())),
            odd=dict(sorted(Counter(odd[player] for player in self.players).items())),
            seats=dict(sorted(spreads.items())),
        )

    def _paired(self, rounds: int) -> Iterator[SimulatedRound]:
        byes: list[str] = []
        for number in range(1, rounds + 1):
            points = {line.player: line.points for line in standings_of(self.record, self._policy)}
            entrants = [Entrant(player, points[player]) for player in self.players]
            problem = round_problem(self._stage, number, entrants, self.past, self._seed, past_byes=byes)
            proposal = pair_round(problem)
            byes += proposal.byes
            tables = tuple(table.seats for table in proposal.tables)
            yield SimulatedRound(number, tables, proposal.byes, proposal.cost, proposal_digest(proposal))

    def _grouped(self, groups: Groups) -> Iterator[SimulatedRound]:
        tables = [
            table
            for number, group in enumerate(draw_groups(self.players, groups.group_size))
            for table in group_tables(
                group, groups.table_size, groups.rounds, self._designs, self._seed + number
            )
        ]
        yield SimulatedRound(1, tuple(table.seats for table in tables))

    def _knocked_out(self, knock_out: KnockOut) -> Iterator[SimulatedRound]:
        current = first_round(self.players, self._stage.sizes)
        number = 1
        while True:
            yield SimulatedRound(number, (*current.tables, *current.consolation))
            if len(current.tables) == 1:
                return
            results = [self._ordered(number, table) for table in current.tables]
            current = next_round(
                results, knock_out.advancing, self.players, self._stage.sizes, knock_out.has_consolation
            )
            number += 1

    def _play(self, made: SimulatedRound) -> None:
        for index, seats in enumerate(made.tables, start=1):
            results = tuple(SeatResult(player, self._worth(made.number, player)) for player in seats)
            self._add(ResultRecorded(TableResult(f"{made.number}.{index}", made.number, TITLE, results)))
            self.past.append(PastTable(seats))
        for player in made.byes:
            self._add(ByeGiven(player, made.number))

    def _add(self, fact: Fact) -> None:
        self.facts.append(fact)
        self.record = record_after(self.record, fact)

    def _ordered(self, number: int, table: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(table, key=lambda player: -self._worth(number, player)))

    def _worth(self, number: int, player: str) -> int:
        """Half strength, half luck."""
        strength = lot(self._seed, "strength", player) % WORTH_SPREAD
        luck = lot(self._seed, f"luck {number}", player) % WORTH_SPREAD
        return WORTH_LEAST + strength + luck
