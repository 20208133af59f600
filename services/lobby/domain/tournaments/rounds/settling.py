"""What counts of a table: its result with absences and substitutes, and what directors ruled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from services.lobby.domain.ratings.results import RatedResult
from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.rounds.adjudication import (
    Adjudication,
    AdjudicationKind,
    AdjudicationMade,
)
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    TableState,
)
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import (
    ByeGiven,
    Entered,
    EventRecord,
    Fact,
    PenaltyGiven,
    ResultRecorded,
    Withdrawn,
    record_of,
)
from services.lobby.domain.tournaments.scoring.results import (
    SeatResult,
    SubstituteTurns,
    TableResult,
    compared_seats,
    placings,
)
from services.lobby.domain.tournaments.tournament import EntryState, Tournament

REPLACING = (AdjudicationKind.AWARD, AdjudicationKind.VOID)
"""The adjudications of which the latest decides what a table counts."""


def in_force(state: TableState) -> Adjudication | None:
    """The award of points or annulment of a table that counts; None where the latest award leaves the points to the scoring."""
    ruled = [each for each in state.adjudications if each.counts and each.made.kind in REPLACING]
    return ruled[-1] if ruled and _replaces_result(ruled[-1].made) else None


def _replaces_result(made: AdjudicationMade) -> bool:
    return made.kind is AdjudicationKind.VOID or bool(made.awards)


def is_settled(state: TableState) -> bool:
    """Whether nothing more has to happen at a table."""
    return state.result is not None or in_force(state) is not None


def settled_result(current: Round, state: TableState) -> TableResult | None:
    """The result of a table as standings count it, None while there is none and where it was annulled."""
    ruled = in_force(state)
    if ruled is not None and ruled.made.kind is AdjudicationKind.VOID:
        return None
    base = state.result
    if base is None:
        if ruled is None:
            return None
        seats = tuple(SeatResult(player, 0) for player in state.table.seats)
        base = TableResult(_name(current, state), current.number, state.table.title, seats)
    base = replace(base, seats=tuple(_seat(seat, state) for seat in base.seats))
    if ruled is None:
        return base
    points = {award.player_id: award.points for award in ruled.made.awards}
    seats = tuple(replace(seat, awarded=points.get(seat.player, 0)) for seat in base.seats)
    return replace(base, seats=seats, ending="awarded")


def facts_of(tournament: Tournament, stage: int, rounds: Iterable[Round]) -> Iterator[Fact]:
    """The facts from which the standings of a stage come; `rounds` are those of the stage, in their order."""
    entrants = tournament.stages[stage].entrants
    yield from (Entered(player) for player in entrants)
    for current in rounds:
        if not current.is_published:
            continue
        yield from (ByeGiven(player, current.number) for player in current.proposal.byes)
        for _, state in sorted(current.tables.items()):
            result = settled_result(current, state)
            if result is not None:
                yield ResultRecorded(result)
    for each in tournament.penalties:
        if each.stage == stage and each.player_id in entrants:
            yield PenaltyGiven(each.player_id, each.points, each.reason)
    for player in entrants:
        entry = tournament.entries[player]
        if entry.state is EntryState.WITHDRAWN and entry.left_in <= stage:
            yield Withdrawn(player, entry.reason)


def record_of_stage(tournament: Tournament, stage: int, rounds: Iterable[Round]) -> EventRecord:
    """What counts in a stage."""
    return record_of(facts_of(tournament, stage, rounds))


def policy_of(tournament: Tournament, stage: int) -> ScoringPolicy:
    """The scoring of a stage, with the seed of the tournament for its lots: of the charter, for a stage that is over as it was at
    its end."""
    version = tournament.stages[stage].charter_version or tournament.charter_version
    return replace(tournament.charters[version - 1].scoring, seed=tournament.seed)


def rated_results(charter: Charter, current: Round) -> Iterator[RatedResult]:
    """The results that count for ratings: of games that all who sat down played to the end; others by the charter."""
    if not charter.is_rated:
        return
    for state in current.tables.values():
        result = settled_result(current, state)
        if result is not None and _is_rated(result, charter):
            places = placings(compared_seats(result), charter.scoring.modifiers.bankrupt_last)
            yield RatedResult(
                finished_ms=state.result_time_ms,
                table=state.table.table_id or f"{current.round_id}.{state.table.number}",
                title=result.title,
                players=tuple(seat.player for seat in result.seats),
                places=tuple(each.place for each in places),
            )


def _is_rated(result: TableResult, charter: Charter) -> bool:
    if result.ending in ("awarded", "ruled") or any(seat.is_no_show for seat in result.seats):
        return False
    if result.ending == "external" and not charter.rates_external:
        return False
    return charter.rates_substituted or not any(seat.substitute for seat in result.seats)


def _seat(seat: SeatResult, state: TableState) -> SeatResult:
    """A seat with what was recorded about its player. Turns that a director gave stand for those of the game."""
    if any(each.player_id == seat.player for each in state.no_shows):
        seat = replace(seat, is_no_show=True)
    recorded = [each for each in state.substitutions if each.player_id == seat.player]
    if not recorded:
        return seat
    in_game = {
        each.player_id: each.turns
        for played in state.played
        if played.player_id == seat.player
        for each in played.substitutes
    }
    played = [
        SubstituteTurns(
            each.substitute.player_id,
            each.substitute_turns
            if each.turns
            else in_game.get(each.substitute.player_id, 0 if in_game else seat.substitute_turns),
        )
        for each in recorded
    ]
    given = [each.turns for each in recorded if each.turns]
    return replace(
        seat,
        substitute=played[-1].player_id,
        substitute_turns=played[-1].turns,
        turns=max(given[-1] if given else seat.turns, sum(each.turns for each in played)),
        all_substitutes=tuple(played) if len(played) > 1 else (),
    )


def _name(current: Round, state: TableState) -> str:
    return table_name(current.number, state.table.number)


def table_name(number: int, table: int) -> str:
    """How standings name table `table` of round `number`."""
    return f"{number}.{table}"
