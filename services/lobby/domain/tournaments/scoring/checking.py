"""Whether facts and a policy can be scored at all."""

from __future__ import annotations

from collections.abc import Iterable

from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import (
    ByeGiven,
    EventRecord,
    Fact,
    PenaltyGiven,
    ResultRecorded,
    ResultVoided,
    Withdrawn,
    record_after,
)
from services.lobby.domain.tournaments.scoring.results import TableResult, substitutes_of
from services.lobby.domain.tournaments.scoring.systems import VIRTUAL_SIZE, Margin, Places


def checked_record(facts: Iterable[Fact]) -> EventRecord:
    """The record after these facts. Raises TournamentRejected at the first that does not fit those before it."""
    record = EventRecord()
    for fact in facts:
        check_fact(record, fact)
        record = record_after(record, fact)
    return record


def check_fact(record: EventRecord, fact: Fact) -> None:
    """Raises TournamentRejected if the fact names players who did not enter or an unknown table, or contradicts itself."""
    match fact:
        case ResultRecorded(result):
            _check_result(record, result)
        case ResultVoided(table) if table not in record.results:
            raise TournamentRejected(Reason.RESULT_UNKNOWN_TABLE, f"table {table} has no result to be voided")
        case Withdrawn(player) | ByeGiven(player) | PenaltyGiven(player) if player not in record.players:
            raise TournamentRejected(Reason.PLAYER_UNKNOWN, f"{player} did not enter")
        case PenaltyGiven(player, points) if points <= 0:
            raise TournamentRejected(Reason.RESULT_MALFORMED, f"a penalty of {player} takes no points")
        case _:
            pass


def check_policy(policy: ScoringPolicy) -> None:
    """Raises TournamentRejected (POLICY_MALFORMED) if results cannot be scored by the policy."""
    fault = ""
    match policy.system:
        case Places(lists) if VIRTUAL_SIZE not in lists:
            fault = "place points need a list for four players"
        case Places(lists):
            short = [size for size, row in lists.items() if len(row) < size and size != VIRTUAL_SIZE]
            fault = f"the list for {short[0]} players is too short" if short else ""
        case Margin(cap) if cap <= 0:
            fault = "the cap of the margin is not above 0"
        case _:
            pass
    if policy.best_of < 0 or policy.per_title_max < 0:
        fault = "a number of results that count is negative"
    if fault:
        raise TournamentRejected(Reason.POLICY_MALFORMED, fault)


def _check_result(record: EventRecord, result: TableResult) -> None:
    players = [seat.player for seat in result.seats]
    unknown = [player for player in players if player not in record.players]
    if unknown:
        raise TournamentRejected(Reason.PLAYER_UNKNOWN, f"{unknown[0]} of table {result.table} did not enter")
    if len(players) < 2 or result.round < 1:
        raise TournamentRejected(
            Reason.RESULT_MALFORMED, f"table {result.table} needs a round and two players"
        )
    if len(set(players)) < len(players):
        raise TournamentRejected(Reason.PLAYER_TWICE, f"table {result.table} has a player twice")
    for seat in result.seats:
        played = [seat.substitute_turns, *(each.turns for each in substitutes_of(seat))]
        if min(played) < 0 or max(played[0], sum(played[1:])) > seat.turns:
            raise TournamentRejected(
                Reason.RESULT_MALFORMED, f"the substitute of {seat.player} played more turns than there were"
            )
