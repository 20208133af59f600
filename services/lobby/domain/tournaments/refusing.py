"""Rejections that several decisions of tournaments share."""

from __future__ import annotations

import re

from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.tournament import Tournament

REASON_LENGTH_MAX = 2_000
SCHEDULE_MS_MAX = 366 * 24 * 3_600_000
"""How far ahead the times are that directors set."""


def rejected(reason: RejectionReason, sentence: str) -> Rejection:
    """A rejection."""
    return Rejection(reason, sentence)


def of_pairing(problem: TournamentRejected, tournament: Tournament) -> Rejection:
    """What pairing, scoring or formats reject, with the same reason, and with names for the ids of players."""
    sentence = problem.sentence[:1].upper() + problem.sentence[1:]
    named = re.sub(r"\w+", lambda word: tournament.name_of(word[0]), sentence)
    return Rejection(RejectionReason(problem.reason.value), f"{named}.")


def reject_no_director(tournament: Tournament, caller: str) -> Rejection | None:
    """Why the caller may not direct, None if they may."""
    if tournament.is_director(caller):
        return None
    return rejected(RejectionReason.NOT_DIRECTOR, "Only a director of this tournament may do this.")


def reject_no_scorer(tournament: Tournament, caller: str) -> Rejection | None:
    """Why the caller may not report results for others, None if they may."""
    if tournament.may_score(caller):
        return None
    return rejected(
        RejectionReason.NOT_DIRECTOR, "Only a director or a scorer of this tournament may do this."
    )


def reject_text(text: str, what: str) -> Rejection | None:
    """Why this is no reason to be recorded, None if it is one."""
    if not text.strip():
        return rejected(RejectionReason.REASON_MISSING, f"{what} needs a reason.")
    return reject_length(text)


def reject_length(text: str) -> Rejection | None:
    """Why this text, which may be empty, is too long to be recorded, None if it is not."""
    if len(text) > REASON_LENGTH_MAX:
        return rejected(
            RejectionReason.REASON_TOO_LONG, f"A reason has at most {REASON_LENGTH_MAX} characters."
        )
    return None


def reject_finished(tournament: Tournament) -> Rejection | None:
    """Why nothing changes any more, None while the tournament runs."""
    if not tournament.is_finished:
        return None
    return rejected(RejectionReason.TOURNAMENT_FINISHED, "The tournament is over.")


def not_taking_part() -> Rejection:
    """The rejection of what a caller asks who does not take part."""
    return rejected(RejectionReason.NOT_ENTERED, "You do not take part in this tournament.")


def not_entered(player_id: str) -> Rejection:
    """The rejection of a person who does not take part."""
    return rejected(RejectionReason.NOT_ENTERED, f"{shown(player_id)} does not take part in this tournament.")
