"""Checks a tournament by its streams alone: pairings from their problems, results from the tables' games, standings from the
rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from services.common.eventlog.port import EventLog, Record
from services.lobby.clock_directory import CLOCK_STREAM
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.table_clocks import TableClocks, evolve_clocks
from services.lobby.domain.tables import TableFinished
from services.lobby.domain.tournaments.exports.tournament_file import check_pairing, is_paired
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.rounds.round import Round, TableState, round_after
from services.lobby.domain.tournaments.running import computed_standings
from services.lobby.domain.tournaments.scoring.standings import SCORING_VERSION, standings_digest
from services.lobby.domain.tournaments.stage_events import StageFinished
from services.lobby.domain.tournaments.tournament import Tournament, tournament_after
from services.lobby.event_codec import decode
from services.lobby.tournament_directory import ROUND_STREAM, TOURNAMENT_STREAM


class CheckedTournament(msgspec.Struct, frozen=True):
    """A tournament with its published rounds, those whose publishing time is set, and what does not agree.

    `notes`: stages whose standings this version of the scoring computes otherwise than the one that recorded them."""

    tournament: Tournament
    rounds: tuple[Round, ...]
    scheduled: tuple[Round, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()


def check_streams(log: EventLog, tournament_id: str) -> CheckedTournament | None:
    """The tournament as its streams have it, None if there is none. Raises `UnknownRecord`."""
    records = log.read(TOURNAMENT_STREAM + tournament_id)
    if not records:
        return None
    tournament = _folded(records)
    streams = log.streams(f"{ROUND_STREAM}{tournament_id}.")
    rounds = sorted((_round(log, each) for each in streams), key=lambda each: (each.stage, each.number))
    published = tuple(each for each in rounds if each.is_published)
    scheduled = tuple(each for each in rounds if each.publish_time_ms and not each.is_published)
    wrong, notes = _stages(log, records)
    problems = (
        *wrong,
        *_pairings(tournament, published),
        *(problem for each in published for problem in _results(log, each)),
    )
    return CheckedTournament(tournament, published, scheduled, problems, tuple(notes))


def _folded(records: Sequence[Record]) -> Tournament:
    tournament: Tournament | None = None
    for record in records:
        tournament = tournament_after(tournament, decode(record))
    assert tournament is not None
    return tournament


def _round(log: EventLog, stream: str, up_to: int | None = None) -> Round:
    current: Round | None = None
    for record in log.read(stream, up_to=up_to):
        current = round_after(current, decode(record))
    assert current is not None
    return current


def _stages(log: EventLog, records: Sequence[Record]) -> tuple[list[str], list[str]]:
    """Stages whose recorded standings are not those of the streams as they were then: what is wrong, and what only another
    version of the scoring computes otherwise."""
    wrong: list[str] = []
    notes: list[str] = []
    tournament: Tournament | None = None
    for record in records:
        event = decode(record)
        if isinstance(event, StageFinished) and tournament is not None:
            name = tournament.charter.stages[event.stage].name
            if event.standings and standings_digest(event.standings) != event.standings_digest:
                wrong.append(
                    f"{name}: the standings recorded have another digest than {event.standings_digest}"
                )
            rounds = [_round(log, ROUND_STREAM + each.round_id, each.version) for each in event.rounds]
            digest = standings_digest(computed_standings(tournament, event.stage, rounds))
            if digest != event.standings_digest and event.scoring_version == SCORING_VERSION:
                wrong.append(
                    f"{name}: standings {event.standings_digest} were recorded, the streams give {digest}"
                )
            elif digest != event.standings_digest:
                known = f"version {event.scoring_version} of the scoring"
                by = known if event.scoring_version else "a scoring without a version"
                notes.append(
                    f"{name}: standings {event.standings_digest} were recorded by {by}; version {SCORING_VERSION} gives {digest}."
                    " Those recorded count"
                )
        tournament = tournament_after(tournament, event)
    return wrong, notes


def _pairings(tournament: Tournament, rounds: Sequence[Round]) -> Iterator[str]:
    for each in rounds:
        charter = tournament.charters[each.charter_version - 1]
        name = charter.stages[each.stage].name
        try:
            check_pairing(name, is_paired(charter, each.stage), each.number, each.problem, each.proposal)
        except TournamentRejected as rejected:
            yield rejected.sentence


def _results(log: EventLog, current: Round) -> Iterator[str]:
    """Results of played tables that are not those of their games."""
    for number, state in sorted(current.tables.items()):
        if state.result is None or state.table.is_external:
            continue
        if not _is_from_game(log, state):
            yield f"round {current.number}, table {number}: its game has no such result"


def _is_from_game(log: EventLog, state: TableState) -> bool:
    """Whether the table's game and clocks have this result. A result from before the costs of overdue turns were recorded has
    none of them."""
    assert state.result is not None
    overdue = {seat.player: seat.overdue_money + seat.overdue_points for seat in state.result.seats}
    if any(overdue.values()) and overdue != _overdue_costs(log, state, overdue):
        return False
    worths = {seat.player: seat.worth for seat in state.result.seats}
    for record in log.read(TABLE_STREAM + state.table.table_id):
        event = decode(record)
        if isinstance(event, TableFinished) and event.sequence == state.sequence:
            return {each.player_id: each.value for each in event.results} == worths
    return False


def _overdue_costs(log: EventLog, state: TableState, players: Iterable[str]) -> dict[str, int]:
    clocks = TableClocks()
    for record in log.read(CLOCK_STREAM + state.table.table_id):
        clocks = evolve_clocks(clocks, decode(record))
    costs = clocks.costs_after(state.sequence) or {}
    return {player: costs.get(player, 0) for player in players}
