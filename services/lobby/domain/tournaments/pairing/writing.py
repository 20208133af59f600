"""From tables of numbers to a proposal with names, titles and seats, and a director's changes to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from services.lobby.domain.tournaments.pairing.costs import Cost, TableCosts
from services.lobby.domain.tournaments.pairing.problem import PairingProblem, problem_digest
from services.lobby.domain.tournaments.pairing.proposal import (
    Alternative,
    Override,
    Proposal,
    ProposedTable,
    proposal_digest,
)
from services.lobby.domain.tournaments.pairing.seating import fairest_seats, seat_cost, seat_counts
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected


def proposal_of(
    problem: PairingProblem,
    costs: TableCosts,
    tables: Sequence[Sequence[int]],
    byes: Sequence[str],
    plan_kept: bool,
    alternative: Alternative | None,
) -> Proposal:
    """The proposal with these tables. Players are seated as fairly as possible; tables are numbered from the leaders down."""
    counts = seat_counts(problem.past)
    proposed = []
    for number, table in enumerate(sorted(sorted(table) for table in tables), start=1):
        seats = fairest_seats([costs.entrants[player].player for player in table], counts)
        cost = replace(costs.terms(costs.of(table)), seats=seat_cost(seats, counts))
        proposed.append(ProposedTable(number, seats, costs.title_for(table), cost))
    return Proposal(
        round=problem.round,
        tables=tuple(proposed),
        byes=tuple(byes),
        cost=_sum([table.cost for table in proposed]),
        seed=problem.seed,
        problem_digest=problem_digest(problem),
        plan_kept=plan_kept,
        alternative=alternative,
    )


def given_tables(
    problem: PairingProblem, tables: Sequence[Sequence[str]], byes: Sequence[str], others: str = ""
) -> Proposal:
    """A proposal with tables that the format of the stage gives, players in seat order; titles as they are preferred.

    Raises TournamentRejected (TITLE_NOT_OFFERED) for a table whose number of players no title offers, and (NO_ARRANGEMENT) for
    one with a forbidden pair or whose players share too few hours; `others`: what the sentence says about other tables."""
    index = {entrant.player: number for number, entrant in enumerate(problem.entrants)}
    costs = TableCosts(problem, problem.entrants, [len(table) for table in tables])
    proposed = []
    for number, table in enumerate(tables, start=1):
        members = [index[player] for player in table]
        title = costs.title_for(members)
        if problem.titles and not title:
            raise TournamentRejected(
                Reason.TITLE_NOT_OFFERED, f"no title is offered for {len(table)} players"
            )
        proposed.append(ProposedTable(number, tuple(table), title, costs.terms(costs.of(members))))
    _refuse_forbidden(proposed, others)
    return Proposal(
        round=problem.round,
        tables=tuple(proposed),
        byes=tuple(byes),
        cost=_sum([table.cost for table in proposed]),
        seed=problem.seed,
        problem_digest=problem_digest(problem),
    )


def override(
    problem: PairingProblem, proposal: Proposal, tables: Sequence[ProposedTable], author: str, reason: str
) -> Proposal:
    """The proposal `with_tables` of a director, which names who changed it and why. Raises TournamentRejected as well if the
    reason is missing."""
    if not reason.strip():
        raise TournamentRejected(Reason.OVERRIDE_WITHOUT_REASON, "a change of the pairing needs a reason")
    changed = with_tables(problem, proposal, tables)
    return replace(changed, override=Override(author, reason.strip(), proposal_digest(proposal)))


def with_tables(problem: PairingProblem, proposal: Proposal, tables: Sequence[ProposedTable]) -> Proposal:
    """The proposal with other tables, in the seat order given; what they cost is computed anew.

    A table's own `number` and `cost` are not read. Raises TournamentRejected if the tables do not hold every player of the
    proposal once, at a size and with a title that the problem offers, without forbidden pairs and with enough hours shared."""
    _check_players(proposal, tables)
    _check_tables(problem, tables)
    entrants = [entrant for entrant in problem.entrants if entrant.player not in proposal.byes]
    index = {entrant.player: number for number, entrant in enumerate(entrants)}
    costs = TableCosts(problem, entrants, [len(table.seats) for table in tables])
    counts = seat_counts(problem.past)
    changed = []
    for number, table in enumerate(tables, start=1):
        members = [index[player] for player in table.seats]
        cost = replace(
            costs.terms(costs.of(members)),
            preference=costs.preference(members, table.title),
            seats=seat_cost(table.seats, counts),
        )
        changed.append(ProposedTable(number, table.seats, table.title, cost))
    _refuse_forbidden(changed)
    total = _sum([table.cost for table in changed])
    return replace(proposal, tables=tuple(changed), cost=total, alternative=None)


def _check_players(proposal: Proposal, tables: Sequence[ProposedTable]) -> None:
    expected = {player for table in proposal.tables for player in table.seats}
    counts = Counter(player for table in tables for player in table.seats)
    for player, count in counts.items():
        if player not in expected:
            raise TournamentRejected(Reason.PLAYER_UNKNOWN, f"{player!r} does not play in this round")
        if count > 1:
            raise TournamentRejected(Reason.PLAYER_TWICE, f"{player!r} is seated {count} times")
    missing = sorted(expected - counts.keys())
    if missing:
        raise TournamentRejected(Reason.PLAYER_MISSING, f"{missing[0]!r} is not seated")


def _check_tables(problem: PairingProblem, tables: Sequence[ProposedTable]) -> None:
    sizes = allowed_sizes(problem).allowed
    offers = {offer.title: offer for offer in problem.titles}
    for table in tables:
        size = len(table.seats)
        if size not in sizes:
            raise TournamentRejected(
                Reason.TABLE_SIZE_NOT_ALLOWED, f"tables of {size} are not played, only of {sizes}"
            )
        offer = offers.get(table.title)
        if offers and (offer is None or not offer.players_min <= size <= offer.players_max):
            raise TournamentRejected(
                Reason.TITLE_NOT_OFFERED, f"{table.title!r} is not offered for {size} players"
            )


def _refuse_forbidden(tables: Sequence[ProposedTable], others: str = "") -> None:
    for table in tables:
        if table.cost.forbidden:
            fault = "has a forbidden pair or shares too few hours"
            sentence = f"table {table.number} {fault}: {', '.join(table.seats)}"
            raise TournamentRejected(Reason.NO_ARRANGEMENT, f"{sentence}; {others}" if others else sentence)


def _sum(costs: Sequence[Cost]) -> Cost:
    rows = [msgspec.structs.astuple(cost) for cost in costs]
    return Cost(*map(sum, zip(*rows, strict=True)))
