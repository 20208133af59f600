"""Stages, one after the other: who plays them, their standings, and the final ranking of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from services.lobby.domain.rejections import Rejection, RejectionReason
from services.lobby.domain.tournaments.deciding import Decided
from services.lobby.domain.tournaments.formats.stages import KnockOut, check_start, stage_entrants
from services.lobby.domain.tournaments.refusing import (
    of_pairing,
    reject_finished,
    reject_no_director,
    rejected,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.rounds.deciding import reject_open_tables
from services.lobby.domain.tournaments.rounds.proposing import present
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.rounds.settling import (
    policy_of,
    record_of_stage,
    settled_result,
)
from services.lobby.domain.tournaments.scoring.results import compared_seats, placings
from services.lobby.domain.tournaments.scoring.standings import (
    SCORING_VERSION,
    Line,
    standings_digest,
    standings_of,
)
from services.lobby.domain.tournaments.stage_events import RoundVersion, StageFinished, StageStarted
from services.lobby.domain.tournaments.tournament import Tournament

STANDINGS_BYTES_MAX = 2_000_000
"""Of the standings of a stage in a record, which has room for 4 MiB: enough for 2,000 players."""


def decide_start_stage(tournament: Tournament, caller: str, ratings: Mapping[str, int]) -> Decided:
    """Begins the next stage, with the players whom the stage before sends; a refused or absent place passes down.

    The first stage is played by all who entered, in a knock-out the highest rated first."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is not None:
        return rejection
    if tournament.stages and not tournament.stages[-1].is_finished:
        return rejected(RejectionReason.STAGE_BEGUN, "A stage is running; finish it first.")
    number = tournament.stage + 1
    stage = tournament.charter.stages[number]
    entrants = _entrants(tournament, number, ratings)
    try:
        charter = tournament.charter
        are_all_there = not charter.has_check_in
        check_start(stage, charter.scoring.system, len(entrants), charter.offered(), are_all_there)
    except TournamentRejected as problem:
        return of_pairing(problem, tournament)
    return (StageStarted(number, entrants, caller),)


def decide_finish_stage(tournament: Tournament, caller: str, rounds: Sequence[Round], now_ms: int) -> Decided:
    """Ends the stage that runs, once every table has a result; its standings are recorded by their digest."""
    rejection = reject_no_director(tournament, caller) or reject_finished(tournament)
    if rejection is not None:
        return rejection
    if not tournament.stages or tournament.stages[-1].is_finished:
        return rejected(RejectionReason.STAGE_NOT_RUNNING, "No stage is running.")
    published = [each for each in rounds if each.is_published]
    unfinished = _reject_being_published(tournament, rounds) or reject_open_tables(published)
    if unfinished is not None:
        return unfinished
    if not published:
        return rejected(RejectionReason.ROUND_UNFINISHED, "No round of the stage is published.")
    lines = stage_standings(tournament, tournament.stage, rounds)
    return (
        StageFinished(
            tournament.stage,
            tuple(line.player for line in stage_order(tournament, tournament.stage, published, lines)),
            standings_digest(lines),
            tuple(RoundVersion(each.round_id, each.version) for each in rounds),
            caller,
            now_ms,
            _recorded(lines),
            SCORING_VERSION,
        ),
    )


def _reject_being_published(tournament: Tournament, rounds: Sequence[Round]) -> Rejection | None:
    """Why a stage cannot end because of rounds whose publishing has begun; None if there are none.

    A release is void once its round has changed without being published. `rounds` may be older than what their streams have."""
    known = {each.number: each for each in rounds}
    begun = {number for number, each in known.items() if each.is_published and not each.are_tables_made}
    for number, released in tournament.stages[-1].released.items():
        current = known.get(number)
        if current is None or (not current.is_published and current.version <= released.round_version):
            begun.add(number)
    if not begun:
        return None
    numbers = ", ".join(map(str, sorted(begun)))
    return rejected(RejectionReason.ROUND_UNFINISHED, f"Rounds whose tables are being made: {numbers}.")


def stage_standings(tournament: Tournament, stage: int, rounds: Sequence[Round]) -> tuple[Line, ...]:
    """The standings of a stage: those recorded at its end, as long as nothing that counts has been recorded since."""
    run = tournament.stages[stage]
    versions = {each.round_id: each.version for each in run.rounds}
    if run.standings and all(versions.get(each.round_id) == each.version for each in rounds):
        return run.standings
    return computed_standings(tournament, stage, rounds)


def computed_standings(tournament: Tournament, stage: int, rounds: Sequence[Round]) -> tuple[Line, ...]:
    """The standings of a stage from its rounds, whatever was recorded."""
    return standings_of(record_of_stage(tournament, stage, rounds), policy_of(tournament, stage))


def _recorded(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return lines if len(msgspec.json.encode(lines)) <= STANDINGS_BYTES_MAX else ()


def stage_order(
    tournament: Tournament, stage: int, published: Sequence[Round], lines: Sequence[Line]
) -> tuple[Line, ...]:
    """The lines in the order of a stage with these published rounds: that of the standings; in a knock-out who stayed longer
    is ahead, then who placed better at the last table. Where it ends without a final, those of its last round who are there
    for another are ahead."""
    if not isinstance(tournament.charter.stages[stage].format, KnockOut):
        return tuple(lines)
    reached = _reached(tournament, published)
    last = published[-1]
    there = frozenset(present(tournament, last.number + 1) if last.main_tables > 1 else ())

    def order(line: Line) -> tuple[int, bool, int, int]:
        round_number, place = reached.get(line.player, (1, 0))
        is_through = round_number == -last.number and line.player in there
        return round_number, not is_through, place, line.rank

    return tuple(sorted(lines, key=order))


def final_ranking(tournament: Tournament) -> tuple[str, ...]:
    """Everybody, by the stages that are over: those of the last stage first, in its order; then those of the one before."""
    ranking: dict[str, None] = {}
    for run in reversed(tournament.stages):
        ranking.update(dict.fromkeys(run.ranking))
    return tuple(ranking)


def _entrants(tournament: Tournament, number: int, ratings: Mapping[str, int]) -> tuple[str, ...]:
    stage = tournament.charter.stages[number]
    active = tournament.active()
    if number > 0:
        refused = {player for each, player in tournament.refused if each == number}
        return stage_entrants(stage, tournament.stages[-1].ranking, active, refused)
    if isinstance(stage.format, KnockOut):
        active = tuple(sorted(active, key=lambda player: -ratings.get(player, 0)))
    return active[: stage.places or len(active)]


def _reached(tournament: Tournament, rounds: Sequence[Round]) -> dict[str, tuple[int, int]]:
    """How far players of a knock-out came: the last round on a main table, negative so that more is less, and the place there."""
    reached: dict[str, tuple[int, int]] = {}
    for current in rounds:
        for number in range(1, current.main_tables + 1):
            state = current.tables.get(number)
            if state is None:
                continue
            result = settled_result(current, state)
            places = dict.fromkeys(state.table.seats, 0)
            if result is not None:
                found = placings(compared_seats(result), tournament.charter.scoring.modifiers.bankrupt_last)
                places = {seat.player: each.place for seat, each in zip(result.seats, found, strict=True)}
            reached |= {player: (-current.number, place) for player, place in places.items()}
    return reached
