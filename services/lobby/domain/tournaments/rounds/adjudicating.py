"""Adjudications of tables: what directors rule, who confirms it, and appeals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import msgspec

from services.lobby.domain.positions import NO_TRANSFER, GameRuling, MoneyTransfer
from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tournaments.refusing import reject_no_director, reject_text, rejected
from services.lobby.domain.tournaments.rounds.adjudication import (
    Adjudication,
    AdjudicationConfirmed,
    AdjudicationKind,
    AdjudicationMade,
    AppealDecided,
    AppealFiled,
    Award,
    FinalWorth,
)
from services.lobby.domain.tournaments.rounds.deciding import WORTH_MAX, Decided, no_game_here, no_table
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    TableState,
    table_after,
)
from services.lobby.domain.tournaments.tournament import Tournament

HOUR_MS = 3_600_000
ADJUDICATIONS_MAX = 50
POINTS_MAX = 1_000_000_000_000

AdjudicationEvent = AdjudicationMade | AdjudicationConfirmed


class Ruling(msgspec.Struct, frozen=True):
    """What a director rules; see `AdjudicationMade`."""

    kind: AdjudicationKind
    awards: tuple[Award, ...] = ()
    sequence: int = 0
    transfer: MoneyTransfer = NO_TRANSFER
    worths: tuple[FinalWorth, ...] = ()
    expected_sequence: int = 0


def needs_second(tournament: Tournament, stage: int) -> bool:
    """Whether a second person has to confirm what changes a game of a stage."""
    return tournament.charter.stages[stage].name in tournament.charter.second_person_in


def decide_adjudicate(
    tournament: Tournament, caller: str, current: Round, number: int, ruling: Ruling, reason: str, now_ms: int
) -> AdjudicationMade | Rejection:
    """A director rules on a table."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "An adjudication")
    state = current.tables.get(number)
    if rejection is not None:
        return rejection
    if state is None:
        return no_table(number)
    rejection = reject_party(state, caller) or _reject_ruling(ruling, state)
    if rejection is not None:
        return rejection
    if not _has_room(state):
        return rejected(
            RejectionReason.TOO_MUCH_RECORDED, f"A table has at most {ADJUDICATIONS_MAX} adjudications."
        )
    made = AdjudicationMade(
        table=number,
        kind=ruling.kind,
        awards=ruling.awards,
        sequence=ruling.sequence,
        reason=reason.strip(),
        needs_second=needs_second(tournament, current.stage),
        author=caller,
        time_ms=now_ms,
        transfer=ruling.transfer,
        worths=ruling.worths,
        expected_sequence=ruling.expected_sequence,
    )
    if made.changes_game and state.table.is_external:
        return no_game_here()
    return made


def is_recorded(state: TableState, made: AdjudicationMade) -> bool:
    """Whether this decision about a game stands in the round already, if its author lost the answer or the lobby died before it
    was recorded by the request itself. The game knows nothing of points that it awards too: with other points it is a new one."""
    same = [each.made for each in state.adjudications if _in_game(each.made) == _in_game(made)]
    return any(not made.awards or _awarded(each) == _awarded(made) for each in same)


def _awarded(made: AdjudicationMade) -> dict[str, int]:
    return {each.player_id: each.points for each in made.awards}


def _in_game(made: AdjudicationMade) -> tuple[object, ...]:
    """What identifies a decision in a game."""
    worths = tuple(sorted((each.player_id, each.worth) for each in made.worths))
    return (made.author, made.kind, made.expected_sequence, made.sequence, made.transfer, worths)


def lacks_rulings(state: TableState, count: int) -> bool:
    """Whether the game of a table has more decisions that changed its position, `count`, than the round."""
    recorded = {
        _in_game(each.made) for each in state.adjudications if each.is_confirmed and each.made.changes_game
    }
    return len(recorded) < count and _has_room(state)


def decide_rulings(
    current: Round, number: int, rulings: Iterable[GameRuling], now_ms: int
) -> tuple[AdjudicationEvent, ...]:
    """Records the decisions that changed the position of a game, as the game has them: the lobby died before they were recorded,
    or they were made at the table. Nothing where they are known."""
    state, events = current.tables[number], list[AdjudicationEvent]()
    for ruling in rulings:
        more = _recorded_ruling(state, number, ruling, now_ms) if _has_room(state) else ()
        state = reduce(table_after, more, state)
        events.extend(more)
    return tuple(events)


def _recorded_ruling(
    state: TableState, number: int, ruling: GameRuling, now_ms: int
) -> tuple[AdjudicationEvent, ...]:
    made = _made(number, ruling, now_ms)
    same = [each for each in state.adjudications if _in_game(each.made) == _in_game(made)]
    if any(each.is_confirmed for each in same):
        return ()
    confirmed = (AdjudicationConfirmed(number, ruling.confirmed_by, now_ms),) if ruling.confirmed_by else ()
    # The latest adjudication is the one that can be confirmed.
    return confirmed if confirmed and same[-1:] == [*state.adjudications[-1:]] else (made, *confirmed)


def _made(number: int, ruling: GameRuling, now_ms: int) -> AdjudicationMade:
    return AdjudicationMade(
        table=number,
        kind=_kind_of(ruling),
        awards=(),
        sequence=ruling.to_sequence,
        reason=ruling.reason,
        needs_second=bool(ruling.confirmed_by),
        author=ruling.author,
        time_ms=now_ms,
        transfer=ruling.transfer,
        worths=tuple(FinalWorth(each.seat, each.worth) for each in ruling.worths),
        expected_sequence=ruling.sequence,
    )


def _kind_of(ruling: GameRuling) -> AdjudicationKind:
    if ruling.worths:
        return AdjudicationKind.AWARD
    return AdjudicationKind.ROLL_BACK if ruling.to_sequence else AdjudicationKind.CORRECT


def _has_room(state: TableState) -> bool:
    return len(state.adjudications) < ADJUDICATIONS_MAX


def decide_confirm_adjudication(
    tournament: Tournament, caller: str, current: Round, number: int, adjudication: int, now_ms: int
) -> Decided:
    """Another director confirms the latest adjudication, which has this number."""
    rejection = reject_no_director(tournament, caller)
    latest = _latest(current, number, adjudication)
    if rejection is not None:
        return rejection
    if isinstance(latest, Rejection):
        return latest
    rejection = reject_party(current.tables[number], caller)
    if rejection is not None:
        return rejection
    if latest.confirmed_by:
        return ()
    if latest.made.author == caller:
        return rejected(RejectionReason.SECOND_PERSON_NEEDED, "Another director has to confirm this.")
    return (AdjudicationConfirmed(number, caller, now_ms),)


def decide_appeal(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    adjudication: int,
    text: str,
    now_ms: int,
) -> Decided:
    """A player of the table appeals against an adjudication that counts, once and in time."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if caller not in state.table.seats and all(
        caller != each.substitute.player_id for each in state.substitutions
    ):
        return rejected(RejectionReason.NOT_SEATED, "You do not sit at this table.")
    meant = _numbered(current, number, adjudication)
    rejection = reject_text(text, "An appeal")
    if rejection is not None:
        return rejection
    if isinstance(meant, Rejection):
        return meant
    if meant.appeal is not None:
        return rejected(RejectionReason.ALREADY_APPEALED, "There is an appeal against this adjudication.")
    if not meant.is_confirmed:
        return rejected(
            RejectionReason.NO_ADJUDICATION,
            "This adjudication does not count before another director has confirmed it.",
        )
    if now_ms > meant.counts_since_ms + tournament.charter.appeal_hours * HOUR_MS:
        return rejected(RejectionReason.APPEAL_TOO_LATE, "The time for an appeal is over.")
    return (AppealFiled(number, caller, text.strip(), now_ms, adjudication),)


def decide_appeal_decision(
    tournament: Tournament,
    caller: str,
    current: Round,
    number: int,
    adjudication: int,
    is_upheld: bool,
    reason: str,
    now_ms: int,
) -> Decided:
    """A director who neither ruled nor confirmed the ruling decides an appeal against the adjudication of this number."""
    rejection = reject_no_director(tournament, caller) or reject_text(reason, "The decision of an appeal")
    meant = _numbered(current, number, adjudication)
    if rejection is not None:
        return rejection
    if isinstance(meant, Rejection):
        return meant
    rejection = reject_party(current.tables[number], caller)
    if rejection is not None:
        return rejection
    if meant.appeal is None or meant.appeal.is_decided:
        return rejected(RejectionReason.NO_APPEAL, "There is no appeal to be decided.")
    if caller in (meant.made.author, meant.confirmed_by):
        return rejected(
            RejectionReason.SECOND_PERSON_NEEDED,
            "A director who neither ruled nor confirmed the ruling has to decide this appeal.",
        )
    return (AppealDecided(number, is_upheld, reason.strip(), caller, now_ms, adjudication),)


def reject_party(state: TableState, caller: str) -> Rejection | None:
    """Why a director does not rule on a table: they play at it, have played there, or appealed. None if they may."""
    substitutes = (each.substitute.player_id for each in state.substitutions)
    appellants = (each.appeal.player_id for each in state.adjudications if each.appeal is not None)
    if caller not in (*state.table.seats, *substitutes, *appellants):
        return None
    return rejected(
        RejectionReason.DIRECTOR_IS_PARTY,
        "You play at this table, or have appealed: another director has to decide.",
    )


def _numbered(current: Round, number: int, adjudication: int) -> Adjudication | Rejection:
    """The adjudication of a table that has this number, from 1 in their order."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if not 1 <= adjudication <= len(state.adjudications):
        return rejected(
            RejectionReason.NO_ADJUDICATION, f"This table has no adjudication of number {adjudication}."
        )
    return state.adjudications[adjudication - 1]


def _latest(current: Round, number: int, adjudication: int) -> Adjudication | Rejection:
    """The latest adjudication of a table, if it is the one that is meant: another may have followed since it was seen."""
    state = current.tables.get(number)
    if state is None:
        return no_table(number)
    if not state.adjudications:
        return rejected(RejectionReason.NO_ADJUDICATION, "Nobody has adjudicated on this table.")
    if adjudication != len(state.adjudications):
        return rejected(
            RejectionReason.ADJUDICATION_CHANGED,
            f"The latest adjudication of this table is number {len(state.adjudications)}.",
        )
    return state.adjudications[-1]


def _reject_ruling(ruling: Ruling, state: TableState) -> Rejection | None:
    kind, seats = ruling.kind, sorted(state.table.seats)
    is_award, is_correction = kind is AdjudicationKind.AWARD, kind is AdjudicationKind.CORRECT
    faults = (
        (not is_award and bool(ruling.awards or ruling.worths), "Only an award has points and worths."),
        (is_award and not (ruling.awards or ruling.worths), "An award has points, worths, or both."),
        (is_correction and ruling.transfer.amount <= 0, "A correction has the money that it moves."),
        (ruling.transfer.amount > WORTH_MAX, f"A correction moves at most {WORTH_MAX}."),
        (not is_correction and ruling.transfer != NO_TRANSFER, "Only a correction moves money."),
        (kind is not AdjudicationKind.ROLL_BACK and ruling.sequence != 0, "Only a roll-back has an event."),
    )
    found = next((sentence for is_wrong, sentence in faults if is_wrong), "")
    if found:
        return rejected(RejectionReason.RULING_MALFORMED, found)
    for players in ([each.player_id for each in ruling.awards], [each.player_id for each in ruling.worths]):
        if players and sorted(players) != seats:
            return rejected(RejectionReason.RESULT_MALFORMED, "An award names each player of the table once.")
    if not all(0 <= each.points <= POINTS_MAX for each in ruling.awards):
        return rejected(RejectionReason.RESULT_MALFORMED, f"Points are 0 to {POINTS_MAX} millionths.")
    if any(abs(each.worth) > WORTH_MAX for each in ruling.worths):
        return rejected(RejectionReason.RESULT_MALFORMED, f"Worths are at most {WORTH_MAX}.")
    return None
