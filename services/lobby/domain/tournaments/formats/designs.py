"""Preset groups: each pair meets equally often, each player sits once in each seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import msgspec

from services.lobby.domain.tournaments.formats.evening import evened
from services.lobby.domain.tournaments.formats.seeding import serpentine
from services.lobby.domain.tournaments.lots import lot, random_numbers
from services.lobby.domain.tournaments.pairing.problem import PastTable, SizePolicy
from services.lobby.domain.tournaments.pairing.schedule import plan_rounds
from services.lobby.domain.tournaments.pairing.seating import fairest_seats, seat_counts
from services.lobby.domain.tournaments.pairing.sizes import table_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

SEARCH_STEPS = 600_000

PlayedTable = tuple[int, frozenset[str]]
"""Round and players of a table."""


class Design(msgspec.Struct, frozen=True):
    """A difference set: the numbers of the players of the first table, in seat order, and how often each pair meets."""

    players: int
    first: tuple[int, ...]
    meetings: int


class GroupTable(msgspec.Struct, frozen=True):
    """A table of a group, players in seat order. `round` is 0 where the tables of a group are played in any order."""

    round: int
    seats: tuple[str, ...]


def design_tables(design: Design, players: Sequence[str]) -> tuple[GroupTable, ...]:
    """The tables of a group, the players being numbered as given.

    Raises TournamentRejected (DESIGN_UNKNOWN) unless there are as many players as the design wants."""
    if len(players) != design.players:
        raise TournamentRejected(
            Reason.DESIGN_UNKNOWN, f"the design is for {design.players} players, not {len(players)}"
        )
    return tuple(
        GroupTable(0, tuple(players[(number + shift) % design.players] for number in design.first))
        for shift in range(design.players)
    )


def group_tables(
    players: Sequence[str],
    size: int,
    rounds: int,
    designs: Sequence[Design],
    seed: int,
    played: Collection[PlayedTable] = (),
) -> tuple[GroupTable, ...]:
    """The tables of a group: of the preset design for its number of players and the size, else of a search over all rounds.

    The numbers of the players are drawn from the seed. Only the search reads `rounds`, and `played`, the
    tables of rounds before: those of older versions were not evened out, and their plan is played to its end."""
    drawn = sorted(players, key=lambda player: lot(seed, "group", player))
    design = design_for(len(players), size, designs)
    return _searched(drawn, size, rounds, seed, played) if design is None else design_tables(design, drawn)


def design_for(players: int, size: int, designs: Sequence[Design]) -> Design | None:
    """The preset design for a group of so many players at tables of this size."""
    found = (each for each in designs if (each.players, len(each.first)) == (players, size))
    return next(found, None)


def meetings_of(tables: Sequence[GroupTable]) -> dict[frozenset[str], int]:
    """How often each pair meets that meets at all."""
    counts: dict[frozenset[str], int] = {}
    for table in tables:
        for pair in map(frozenset, combinations(table.seats, 2)):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def draw_groups(players: Sequence[str], size: int) -> tuple[tuple[str, ...], ...]:
    """Groups of `size`, filled in turn from the ranking given, forwards and backwards, so that all are equally strong.

    Who is left over when all groups are full, at the end of the ranking, is in none."""
    count = len(players) // size
    if count == 0:
        raise TournamentRejected(Reason.TOO_FEW_PLAYERS, f"{len(players)} players fill no group of {size}")
    return serpentine(players[: count * size], count)


def _searched(
    players: Sequence[str], size: int, rounds: int, seed: int, played: Collection[PlayedTable]
) -> tuple[GroupTable, ...]:
    sizes = table_sizes(len(players), SizePolicy(size))
    numbers = random_numbers(seed, "group search")
    found, _ = plan_rounds((), [sizes] * rounds, {}, [0] * len(players), size, numbers, SEARCH_STEPS)
    plans = [_seated(players, evened(found, size)), _seated(players, found)]
    return max(plans, key=lambda plan: sum((each.round, frozenset(each.seats)) in played for each in plan))


def _seated(players: Sequence[str], rounds: Sequence[Sequence[Sequence[int]]]) -> tuple[GroupTable, ...]:
    past: list[PastTable] = []
    tables = []
    for number, made in enumerate(rounds, start=1):
        counts = seat_counts(past)
        for table in made:
            seats = fairest_seats([players[index] for index in table], counts)
            tables.append(GroupTable(number, seats))
            past.append(PastTable(seats))
    return tuple(tables)
