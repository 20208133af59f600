"""The least cost of a round by HiGHS, term after term, from costs computed as the documentation says and by no code of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

import highspy
import numpy as np

from services.lobby.domain.tournaments.pairing.problem import PairingProblem

TERMS = ("forbidden", "repeats", "size", "score", "preference", "hours", "rating")
WEEK = frozenset(range(168))


def table_terms(problem: PairingProblem, table: Sequence[str]) -> tuple[int, ...]:
    """The terms of a table's cost that the oracle knows."""
    entrants = {entrant.player: entrant for entrant in problem.entrants}
    levels = sorted({entrant.points for entrant in problem.entrants})
    pairs = list(combinations(table, 2))
    met = Counter(frozenset(pair) for past in problem.past for pair in combinations(past.seats, 2))
    banned = {frozenset(pair) for pair in problem.forbidden}
    odd = Counter(
        player for past in problem.past if len(past.seats) != problem.sizes.preferred for player in past.seats
    )
    gaps = [levels.index(entrants[a].points) - levels.index(entrants[b].points) for a, b in pairs]
    fitting = [
        [*entrants[player].preferences, title.title].index(title.title)
        for title in problem.titles
        if title.players_min <= len(table) <= title.players_max
        for player in table
    ]
    per_title = [sum(fitting[start : start + len(table)]) for start in range(0, len(fitting), len(table))]
    is_odd = len(table) != problem.sizes.preferred
    shared = WEEK.intersection(*(entrants[player].hours or WEEK for player in table))
    by_rating = sorted(entrants, key=lambda player: -entrants[player].rating)
    quarter = {player: 4 * rank // len(by_rating) for rank, player in enumerate(by_rating)}
    return (
        sum(frozenset(pair) in banned for pair in pairs) + (len(shared) < problem.hours_min),
        sum(met[frozenset(pair)] * (met[frozenset(pair)] + 1) for pair in pairs),
        sum(2 * odd[player] + 1 for player in table) if is_odd else 0,
        sum(gap * gap for gap in gaps),
        min(per_title, default=0),
        len(WEEK - shared),
        sum(quarter[a] == quarter[b] for a, b in pairs)
        if any(each.rating for each in problem.entrants)
        else 0,
    )


def least_seat_cost(problem: PairingProblem, table: Sequence[str]) -> int:
    """The least that the players of a table can cost by their seats: 2k+1 for who has sat k times in the seat."""
    sat = Counter((player, seat) for past in problem.past for seat, player in enumerate(past.seats))
    return min(
        sum(2 * sat[player, seat] + 1 for seat, player in enumerate(order)) for order in permutations(table)
    )


def least_cost(problem: PairingProblem, sizes: Sequence[int]) -> tuple[int, ...]:
    """The least terms of tables of these sizes that seat everybody, the first term first."""
    players = [entrant.player for entrant in problem.entrants]
    tables = [table for size in sorted(set(sizes)) for table in combinations(players, size)]
    costs = np.array([table_terms(problem, table) for table in tables], np.float64)
    rows: list[tuple[list[int], float]] = [
        ([index for index, table in enumerate(tables) if player in table], 1.0) for player in players
    ]
    for size, count in Counter(sizes).items():
        rows.append(([index for index, table in enumerate(tables) if len(table) == size], float(count)))
    found: list[int] = []
    for term in range(len(TERMS)):
        found.append(_solve(costs[:, term], rows, costs[:, :term], found))
    return tuple(found)


def _solve(
    objective: np.ndarray, rows: Sequence[tuple[list[int], float]], fixed: np.ndarray, values: Sequence[int]
) -> int:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    count = len(objective)
    every = np.arange(count, dtype=np.int32)
    highs.addVars(count, np.zeros(count), np.ones(count))
    highs.changeColsCost(count, every, objective)
    highs.changeColsIntegrality(count, every, np.full(count, highspy.HighsVarType.kInteger))
    for columns, seats in rows:
        highs.addRow(seats, seats, len(columns), np.array(columns, np.int32), np.ones(len(columns)))
    for term, value in enumerate(values):
        used = np.flatnonzero(fixed[:, term]).astype(np.int32)
        highs.addRow(value, value, len(used), used, fixed[used, term])
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(highs.getInfo().objective_function_value)
