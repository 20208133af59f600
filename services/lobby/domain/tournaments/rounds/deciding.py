"""What is decided about a round: its tables, when they are published, and the results of external tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tables import Table, TableState as LobbyTableState
from services.lobby.domain.time_control.policy import MoneyPenalty
from services.lobby.domain.tournaments.pairing.problem import PairingProblem
from services.lobby.domain.tournaments.pairing.proposal import Proposal, ProposedTable
from services.lobby.domain.tournaments.pairing.writing import override, with_tables
from services.lobby.domain.tournaments.refusing import (
    of_pairing,
    reject_finished,
    reject_no_director,
    reject_text,
    rejected,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.rounds.proposing import Proposed
from services.lobby.domain.tournaments.rounds.round import (
    ResultConfirmed,
    ResultRecorded,
    ResultReported,
    ResultUndone,
    Round,
    RoundEvent,
    RoundOverridden,
    RoundProposed,
    SubstitutesPlayed,
)
from services.lobby.domain.tournaments.rounds.settling import is_settled, table_name
from services.lobby.domain.tournaments.rounds.turns import SeatTurns
from services.lobby.domain.tournaments.scoring.results import Ending, SeatResult, TableResult
from services.lobby.domain.tournaments.tournament import Tournament

RULED_END = "ended_by_director"
"""How rules calls the end of a game by a ruling."""
PROPOSALS_MAX = 200
"""Of one round, with overrides: each holds the whole problem."""
REPORTS_PER_PLAYER = 20
"""Of one table: who reports on and on would take the changes that all others may make in the round."""
WORTH_MAX = 1_000_000_000

Decided = tuple[RoundEvent, ...] | Rejection


def reject_stage(tournament: Tournament, current: Round | None) -> Rejection | None:
    """Why a round cannot be changed: its stage is over. None if it can."""
    if not tournament.stages or tournament.stages[-1].is_finished:
        return rejected(RejectionReason.STAGE_NOT_RUNNING, "No stage is running.")
    if current is not None and current.stage != tournament.stage:
        return rejected(RejectionReason.STAGE_NOT_RUNNING, "The stage of this round is over.")
    return None


def reject_next_round(tournament: Tournament, caller: str, before: Sequence[Round]) -> Rejection | None:
    """Why the next round cannot be proposed, None if it can. `before`: the earlier rounds of the stage."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is None:
        rejection = reject_stage(tournament, None)
    if rejection is not None:
        return rejection
    return reject_open_tables(before)


def reject_open_tables(rounds: Sequence[Round]) -> Rejection | None:
    """Why these rounds are not over: some of the tables without a result, as ROUND.TABLE. None if all have one."""
    open_tables = [
        table_name(each.number, number)
        for each in rounds
        for number, state in each.tables.items()
        if not is_settled(state)
    ]
    if not open_tables:
        return None
    return rejected(
        RejectionReason.ROUND_UNFINISHED, f"Tables without a result: {', '.join(open_tables[:10])}."
    )


def decide_propose(
    tournament: Tournament, caller: str, number: int, current: Round | None, made: Proposed, now_ms: int
) -> Decided:
    """Records a proposal, in the place of one that is not published."""
    if current is not None and current.is_published:
        return rejected(RejectionReason.ROUND_PUBLISHED, "The round is published.")
    if current is not None and current.version >= PROPOSALS_MAX:
        return _too_many_proposals()
    return (
        RoundProposed(
            tournament.tournament_id,
            tournament.stage,
            number,
            made.problem,
            made.proposal,
            made.main_tables,
            caller,
            now_ms,
        ),
    )


def decide_override(
    tournament: Tournament,
    caller: str,
    current: Round,
    tables: Sequence[ProposedTable],
    reason: str,
    now_ms: int,
) -> Decided:
    """Sets other tables than those proposed."""
    rejection = _reject_other_tables(tournament, caller, current)
    if rejection is not None:
        return rejection
    if not reason.strip():
        return rejected(RejectionReason.OVERRIDE_WITHOUT_REASON, "A change of the pairing needs a reason.")
    try:
        changed = override(_problem_now(tournament, current), current.proposal, tables, caller, reason)
    except TournamentRejected as problem:
        return of_pairing(problem, tournament)
    return reject_text(reason, "A change of the pairing") or (RoundOverridden(changed, now_ms),)


def preview_override(
    tournament: Tournament, caller: str, current: Round, tables: Sequence[ProposedTable]
) -> Proposal | Rejection:
    """What other tables than those proposed would cost, or why they cannot be set."""
    rejection = _reject_other_tables(tournament, caller, current)
    if rejection is not None:
        return rejection
    try:
        return with_tables(_problem_now(tournament, current), current.proposal, tables)
    except TournamentRejected as problem:
        return of_pairing(problem, tournament)


def decide_result(
    current: Round,
    number: int,
    table: Table,
    clocks_ms: Mapping[str, int],
    overdue: Mapping[str, int],
    turns: Mapping[str, SeatTurns],
    now_ms: int,
) -> tuple[RoundEvent, ...]:
    """What the table in the lobby says about its game; nothing where that is known. A repeat changes nothing.

    `overdue`: what the overdue turns of each seat cost by the table's clock policy. `turns`: see `turns_of_seats`."""
    state = current.tables[number]
    if table.result_sequence <= state.sequence:
        return ()
    if table.state is not LobbyTableState.FINISHED:
        return (ResultUndone(number, table.result_sequence, now_ms),)
    worths = {each.player_id: each.value for each in table.results}
    is_money = table.clock is not None and isinstance(table.clock.penalty, MoneyPenalty)
    seats = tuple(
        SeatResult(
            player,
            worths.get(player, 0),
            clock_ms=clocks_ms.get(player, 0),
            substitute_turns=turns.get(player, SeatTurns()).of_substitutes,
            turns=turns.get(player, SeatTurns()).turns,
            overdue_money=overdue.get(player, 0) if is_money else 0,
            overdue_points=0 if is_money else overdue.get(player, 0),
        )
        for player in table.seats
    )
    name = table_name(current.number, number)
    ending: Ending = "ruled" if table.ending == RULED_END else "played"
    result = TableResult(name, current.number, table.title, seats, ending)
    several = (
        SubstitutesPlayed(number, player, turns[player].substitutes)
        for player in table.seats
        if player in turns and len(turns[player].substitutes) > 1
    )
    return (*several, ResultRecorded(number, result, table.result_sequence, now_ms))


def decide_report(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    worths: dict[str, int],
    orders: Mapping[str, int],
    now_ms: int,
) -> Decided:
    """Reports the result of an external table: by a player of it, or by a scorer. `orders`: of those who went bankrupt."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if caller not in state.table.seats and not tournament.may_score(caller):
        return _no_reporter()
    if not state.table.is_external:
        return rejected(
            RejectionReason.TABLE_NOT_EXTERNAL, "This table is played here; its result comes from its game."
        )
    if is_settled(state):
        return rejected(RejectionReason.RESULT_CONFIRMED, "The result of this table is confirmed.")
    reports = current.report_counts.get((number, caller), 0)
    if reports >= REPORTS_PER_PLAYER and not tournament.may_score(caller):
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED,
            f"You have reported {reports} results of this table; a director or scorer reports the next.",
        )
    missing = ", ".join(tournament.name_of(each) for each in state.table.seats if each not in worths)
    if missing:
        return rejected(
            RejectionReason.RESULT_MALFORMED,
            f"A result has the worth of each player of the table; missing: {missing}.",
        )
    if len(worths) > len(state.table.seats) or any(abs(each) > WORTH_MAX for each in worths.values()):
        return rejected(
            RejectionReason.RESULT_MALFORMED,
            f"A result has the worth of each player of the table and of nobody else, at most {WORTH_MAX}.",
        )
    if not set(orders) <= set(worths) or sorted(orders.values()) != list(range(1, len(orders) + 1)):
        return rejected(
            RejectionReason.RESULT_MALFORMED,
            "Bankrupt players are players of the table, numbered from 1 in their order.",
        )
    seats = tuple(
        SeatResult(player, worths[player], bankrupt_order=orders.get(player, 0))
        for player in state.table.seats
    )
    name = table_name(current.number, number)
    result = TableResult(name, current.number, state.table.title, seats, ending="external")
    return (ResultReported(number, result, caller, now_ms),)


def decide_confirm(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    worths: dict[str, int],
    orders: Mapping[str, int],
    now_ms: int,
) -> Decided:
    """Confirms a reported result, which has these worths and bankruptcies: another player of the table, or a scorer, but not who
    reported it."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if caller not in state.table.seats and not tournament.may_score(caller):
        return _no_reporter()
    if state.reported is None:
        return rejected(RejectionReason.NO_RESULT, "No result was reported for this table.")
    if state.result is not None:
        return ()
    if state.reported.author == caller:
        return rejected(
            RejectionReason.SECOND_PERSON_NEEDED, "Another person has to confirm what you reported."
        )
    reported = state.reported.result.seats
    bankrupt = {each.player: each.bankrupt_order for each in reported if each.bankrupt_order}
    if worths != {each.player: each.worth for each in reported} or orders != bankrupt:
        return rejected(
            RejectionReason.RESULT_CHANGED,
            "What is reported for this table is not the result that you confirm.",
        )
    return (ResultConfirmed(number, caller, now_ms),)


def _too_many_proposals() -> Rejection:
    return rejected(RejectionReason.TOO_MUCH_RECORDED, f"A round has at most {PROPOSALS_MAX} proposals.")


def no_table(number: int) -> Rejection:
    """The rejection of a table that is not played."""
    return rejected(RejectionReason.TABLE_NOT_PLAYED, f"The round has no published table {number}.")


def no_game_here() -> Rejection:
    """The rejection of what needs a game at a table that is played elsewhere."""
    return rejected(RejectionReason.DIRECTION_NOT_AVAILABLE, "This table has no game here.")


def not_seated() -> Rejection:
    """The rejection of a player who is not, or already, at the table."""
    return rejected(RejectionReason.NOT_SEATED, "This player is not at the table, or the substitute is.")


def _reject_other_tables(tournament: Tournament, caller: str, current: Round) -> Rejection | None:
    rejection = reject_no_director(tournament, caller) or reject_stage(tournament, current)
    if rejection is None and current.is_published:
        return rejected(RejectionReason.ROUND_PUBLISHED, "The round is published.")
    return rejection


def _problem_now(tournament: Tournament, current: Round) -> PairingProblem:
    """The problem of a round with what the charter forbids now: an amendment may have changed that since the proposal."""
    charter = tournament.charter
    return replace(current.problem, forbidden=charter.forbidden, hours_min=charter.hours_min)


def _no_reporter() -> Rejection:
    return rejected(
        RejectionReason.NOT_DIRECTOR,
        "Only a player of this table, and a director or scorer of this tournament, may do this.",
    )
