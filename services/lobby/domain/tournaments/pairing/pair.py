"""The pairing of a round: a pure function of the problem."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from services.lobby.domain.tournaments.lots import lot, random_numbers
from services.lobby.domain.tournaments.pairing.costs import TableCosts
from services.lobby.domain.tournaments.pairing.exact import EXACT_PLAYERS_MAX, cheapest_tables
from services.lobby.domain.tournaments.pairing.outlook import Outlook
from services.lobby.domain.tournaments.pairing.problem import (
    Entrant,
    PairingProblem,
    SizePolicy,
    check_problem,
)
from services.lobby.domain.tournaments.pairing.proposal import Alternative, Proposal
from services.lobby.domain.tournaments.pairing.search import Search, Tables
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes, bye_choices, table_sizes
from services.lobby.domain.tournaments.pairing.writing import proposal_of
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

BYE_CHOICES_MAX = 8
"""How often a round without an allowed arrangement is paired again with others who sit out."""


def pair_round(problem: PairingProblem) -> Proposal:
    """The tables of a round. Equal problems give equal proposals, on every machine.

    Raises TournamentRejected if the problem contradicts itself, if nobody can be seated, and if no arrangement was found
    without a forbidden pair or a table whose players share too few hours, also where others sit out."""
    check_problem(problem)
    policy = allowed_sizes(problem)
    sizes = table_sizes(len(problem.entrants), policy)
    choices = bye_choices(problem, len(problem.entrants) - sum(sizes))
    refused: TournamentRejected | None = None
    for byes in islice(choices, BYE_CHOICES_MAX):
        try:
            return _paired(problem, policy, sizes, byes)
        except TournamentRejected as rejected:
            refused = refused or rejected
    assert refused is not None, "there is a first choice"
    raise refused


def _paired(
    problem: PairingProblem, policy: SizePolicy, sizes: Sequence[int], byes: Sequence[str]
) -> Proposal:
    """The tables of a round in which these players sit out. Raises TournamentRejected (NO_ARRANGEMENT)."""
    ranked = _ranked(problem, byes)
    costs = TableCosts(problem, ranked, sizes)
    search = Search(costs, _filled(costs, sizes, policy.preferred), problem.steps_max)
    numbers = random_numbers(problem.seed, f"pairing {problem.round}")
    if len(ranked) <= EXACT_PLAYERS_MAX:
        search.load(cheapest_tables(costs, sizes))
        search.settle()
    else:
        search.run(numbers)
    outlook = Outlook(problem, sizes, costs.meetings, costs.odd, numbers)
    plan_kept = _keep_plan(search, outlook) if outlook.is_crowded else True
    _refuse_forbidden(search, ranked)
    return proposal_of(problem, costs, search.tables, byes, plan_kept, _alternative(search, problem))


def _ranked(problem: PairingProblem, byes: Sequence[str]) -> list[Entrant]:
    """Those who play: most points first, then by lot."""
    playing = [entrant for entrant in problem.entrants if entrant.player not in byes]
    purpose = f"ranking {problem.round}"
    return sorted(playing, key=lambda entrant: (-entrant.points, lot(problem.seed, purpose, entrant.player)))


def _filled(costs: TableCosts, sizes: Sequence[int], preferred: int) -> Tables:
    """Tables filled from the top; those without the preferred size by the players who had the fewest of them, from the bottom."""
    odd_sizes = [size for size in sizes if size != preferred]
    players = range(len(costs.entrants))
    at_odd = sorted(players, key=lambda player: (costs.odd[player], -player))[: sum(odd_sizes)]
    tables = _cut(
        [player for player in players if player not in set(at_odd)], sizes.count(preferred) * [preferred]
    )
    return tables + _cut(sorted(at_odd), odd_sizes)


def _cut(players: Sequence[int], sizes: Sequence[int]) -> Tables:
    tables, start = [], 0
    for size in sizes:
        tables.append(list(players[start : start + size]))
        start += size
    return tables


def _keep_plan(search: Search, outlook: Outlook) -> bool:
    """Replace the tables by those of a plan for all rounds if only that avoids repeats; whether such a plan is known."""
    if search.has_no_repeats and search.is_fair and outlook.allows(search.tables):
        return True
    planned = outlook.first_planned()
    if planned is None:
        return False
    before = search.tables
    search.load(planned)
    if not search.is_allowed:
        search.load(before)
        return False
    return True


def _refuse_forbidden(search: Search, ranked: Sequence[Entrant]) -> None:
    if not search.is_allowed:
        table = max(search.tables, key=search.costs.of)
        names = ", ".join(ranked[player].player for player in table)
        raise TournamentRejected(
            Reason.NO_ARRANGEMENT,
            f"no arrangement was found without a forbidden pair or a table that shares too few hours; the best has {names}",
        )


def _alternative(search: Search, problem: PairingProblem) -> Alternative | None:
    found = search.next_best()
    if found is None:
        return None
    total, first, second = found
    entrants = search.costs.entrants
    return Alternative((entrants[first].player, entrants[second].player), search.costs.terms(total))
