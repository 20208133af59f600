"""Adjudications of tables: what directors rule, who confirms it, and appeals."""

from __future__ import annotations

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tournaments.refusing import reject_no_director, reject_text, rejected
from services.lobby.domain.tournaments.rounds.deciding import Decided, no_table
from services.lobby.domain.tournaments.rounds.round import (
    Adjudication,
    AdjudicationConfirmed,
    AdjudicationKind,
    AdjudicationMade,
    AppealDecided,
    AppealFiled,
    Award,
    Round,
    TableState,
)
from services.lobby.domain.tournaments.tournament import Tournament

HOUR_MS = 3_600_000
ADJUDICATIONS_MAX = 50
POINTS_MAX = 1_000_000_000_000


def decide_adjudicate(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    kind: AdjudicationKind,
    awards: tuple[Award, ...],
    sequence: int,
    reason: str,
    now_ms: int,
) -> Decided:
    """A director rules on a table."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "An adjudication")
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    rejection = _reject_awards(kind, awards, state)
    if rejection is not None:
        return rejection
    if len(state.adjudications) >= ADJUDICATIONS_MAX:
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED, f"A table has at most {ADJUDICATIONS_MAX} adjudications."
        )
    needs_second = tournament.charter.stages[current.stage].name in tournament.charter.second_person_in
    return (AdjudicationMade(number, kind, awards, sequence, reason.strip(), needs_second, caller, now_ms),)


def decide_confirm_adjudication(
    tournament: Tournament, caller: str, current: Round, number: int, now_ms: int
) -> Decided:
    """Another director confirms the latest adjudication."""
    rejection = reject_no_director(tournament, caller)
    latest = _latest(current, number)
    if rejection is not None:
        return rejection
    if isinstance(latest, Rejection):
        return latest
    if latest.confirmed_by:
        return ()
    if latest.made.author == caller:
        return rejected(RejectionReason.SECOND_PERSON_NEEDED, "Another director has to confirm this.")
    return (AdjudicationConfirmed(number, caller, now_ms),)


def decide_appeal(
    tournament: Tournament, caller: str, current: Round, number: int, text: str, now_ms: int
) -> Decided:
    """A player of the table appeals against its latest adjudication, once and in time."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if caller not in state.table.seats and all(
        caller != each.substitute.player_id for each in state.substitutions
    ):
        return rejected(RejectionReason.NOT_SEATED, "You do not sit at this table.")
    latest = _latest(current, number)
    rejection = reject_text(text, "An appeal")
    if rejection is not None:
        return rejection
    if isinstance(latest, Rejection):
        return latest
    if latest.appeal is not None:
        return rejected(RejectionReason.ALREADY_APPEALED, "There is an appeal against this adjudication.")
    if now_ms > latest.made.time_ms + tournament.charter.appeal_hours * HOUR_MS:
        return rejected(RejectionReason.APPEAL_TOO_LATE, "The time for an appeal is over.")
    return (AppealFiled(number, caller, text.strip(), now_ms),)


def decide_appeal_decision(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    is_upheld: bool,
    reason: str,
    now_ms: int,
) -> Decided:
    """A director other than the one who ruled decides an appeal."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "The decision of an appeal")
    latest = _latest(current, number)
    if rejection is not None:
        return rejection
    if isinstance(latest, Rejection):
        return latest
    if latest.appeal is None or latest.appeal.is_decided:
        return rejected(RejectionReason.NO_APPEAL, "There is no appeal to be decided.")
    if latest.made.author == caller:
        return rejected(RejectionReason.SECOND_PERSON_NEEDED, "Another director has to decide this appeal.")
    return (AppealDecided(number, is_upheld, reason.strip(), caller, now_ms),)


def _latest(current: Round, number: int) -> Adjudication | Rejection:
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if not state.adjudications:
        return rejected(RejectionReason.NO_ADJUDICATION, "Nobody has adjudicated on this table.")
    return state.adjudications[-1]


def _reject_awards(kind: AdjudicationKind, awards: tuple[Award, ...], state: TableState) -> Rejection | None:
    players = [each.player_id for each in awards]
    if kind is not AdjudicationKind.AWARD:
        if awards:
            return rejected(RejectionReason.RESULT_MALFORMED, "Only an award has points.")
        return None
    if sorted(players) != sorted(state.table.seats):
        return rejected(
            RejectionReason.RESULT_MALFORMED, "An award has the points of each player of the table."
        )
    if not all(0 <= each.points <= POINTS_MAX for each in awards):
        return rejected(RejectionReason.RESULT_MALFORMED, f"Points are 0 to {POINTS_MAX} millionths.")
    return None
