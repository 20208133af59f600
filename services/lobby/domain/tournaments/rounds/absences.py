"""Players who were missing at a table, and records of that which were wrong."""

from __future__ import annotations

from services.lobby.domain.rejections import RejectionReason
from services.lobby.domain.tournaments.refusing import reject_no_scorer, reject_text, rejected
from services.lobby.domain.tournaments.rounds.deciding import Decided, no_table, not_seated
from services.lobby.domain.tournaments.rounds.round import NoShowRecorded, NoShowWithdrawn, Round
from services.lobby.domain.tournaments.rounds.settling import is_settled
from services.lobby.domain.tournaments.tournament import Tournament


def decide_no_show(
    tournament: Tournament, caller: str, current: Round, number: int, player_id: str, reason: str, now_ms: int
) -> Decided:
    """Records that a player was missing at a table that has no result."""
    rejection = reject_no_scorer(tournament, caller) or reject_text(reason, "A missing player")
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    if player_id not in state.table.seats:
        return not_seated()
    if any(each.player_id == player_id for each in state.no_shows):
        return ()
    if is_settled(state):
        return rejected(
            RejectionReason.TABLE_SETTLED, "This table has a result: nobody was missing, or it is ruled on."
        )
    return (NoShowRecorded(number, player_id, reason.strip(), caller, now_ms),)


def decide_no_show_withdrawn(
    caller: str, current: Round, number: int, player_id: str, reason: str, now_ms: int
) -> Decided:
    """Takes back that a player was missing at a table, for somebody who may."""
    rejection = reject_text(reason, "An absence that is taken back")
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    if player_id not in state.table.seats:
        return not_seated()
    if all(each.player_id != player_id for each in state.no_shows):
        return ()
    return (NoShowWithdrawn(number, player_id, reason.strip(), caller, now_ms),)
