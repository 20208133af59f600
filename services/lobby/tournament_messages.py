"""Tournaments and rounds as messages of the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.gen.signalbox.lobby.v1 import (
    player_pb2,
    tournament_desk_service_pb2 as desk,
    tournament_pb2 as pb,
    tournament_round_pb2 as round_pb,
    tournaments_service_pb2 as wire,
)
from services.lobby.domain.players import Player
from services.lobby.domain.ratings.ratings import LeaderboardLine
from services.lobby.domain.ratings.reliability import Reliability
from services.lobby.domain.tournaments.charter import charter_digest, charter_json
from services.lobby.domain.tournaments.pairing.proposal import proposal_digest
from services.lobby.domain.tournaments.rounds.adjudication import (
    Adjudication,
)
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    TableState,
)
from services.lobby.domain.tournaments.rounds.settling import is_settled, settled_result
from services.lobby.domain.tournaments.running import final_ranking
from services.lobby.domain.tournaments.scoring.explaining import explanation
from services.lobby.domain.tournaments.scoring.standings import Line
from services.lobby.domain.tournaments.tournament import Entry, Tournament
from services.lobby.handlers.tournaments.evidence import Evidence
from services.lobby.struct_messages import document, message_of


def tournament_message(tournament: Tournament, round_counts: Mapping[int, int]) -> pb.Tournament:
    """A tournament. `round_counts`: the rounds of each stage."""
    check_in = tournament.check_in
    return pb.Tournament(
        tournament_id=tournament.tournament_id,
        version=tournament.version,
        charter=charter_json(tournament.charter),
        charter_version=tournament.charter_version,
        charter_digest=charter_digest(tournament.charter),
        seed=tournament.seed,
        create_time_ms=tournament.create_time_ms,
        directors=[_player(each) for each in tournament.directors],
        scorers=[_player(each) for each in tournament.scorers],
        are_entries_open=tournament.are_entries_open,
        active_count=len(tournament.active()),
        waiting_count=len(tournament.waiting()),
        stages=[
            pb.TournamentStage(
                name=tournament.charter.stages[number].name,
                entrants=run.entrants,
                is_finished=run.is_finished,
                ranking=run.ranking,
                standings_digest=run.standings_digest,
                round_count=round_counts.get(number, 0),
            )
            for number, run in enumerate(tournament.stages)
        ],
        check_in=None
        if check_in is None
        else pb.TournamentCheckIn(
            stage=check_in.stage,
            number=check_in.number,
            until_time_ms=check_in.until_ms,
            present=sorted(check_in.present),
        ),
        penalties=[message_of(each, pb.TournamentPenalty) for each in tournament.penalties],
        announcements=[message_of(each, pb.Announcement) for each in tournament.announcements],
        is_finished=tournament.is_finished,
        ranking=final_ranking(tournament),
        amendments=[message_of(each, pb.CharterAmendment) for each in tournament.amendments],
    )


def entry_message(entry: Entry) -> pb.TournamentPlayerEntry:
    """A player of a tournament."""
    return message_of(entry, pb.TournamentPlayerEntry)


def round_message(current: Round, withdrawn: Sequence[str] = ()) -> round_pb.Round:
    """A round. `withdrawn`: whom its proposal seats though they have withdrawn."""
    return round_pb.Round(
        round_id=current.round_id,
        tournament_id=current.tournament_id,
        stage=current.stage,
        number=current.number,
        version=current.version,
        is_published=current.is_published,
        publish_time_ms=current.publish_time_ms,
        problem_digest=current.proposal.problem_digest,
        proposal_digest=proposal_digest(current.proposal),
        proposal=document(current.proposal),
        main_tables=current.main_tables,
        tables=[_table(current, state) for _, state in sorted(current.tables.items())],
        byes=current.proposal.byes,
        are_tables_made=current.are_tables_made,
        withdrawn=withdrawn,
    )


def line_message(line: Line, name: str) -> wire.StandingsLine:
    """A line of standings."""
    return wire.StandingsLine(
        rank=line.rank,
        player=player_pb2.Player(player_id=line.player, name=name),
        points=line.points,
        tables=line.tables,
        is_withdrawn=line.is_withdrawn,
        explanation=explanation(line),
        overdue_points=line.overdue_points,
    )


def leaderboard_message(line: LeaderboardLine, name: str, reliability: Reliability) -> wire.LeaderboardLine:
    """A line of a leaderboard."""
    return wire.LeaderboardLine(
        rank=line.rank,
        player=player_pb2.Player(player_id=line.player, name=name),
        shown=line.rating.shown,
        mu=line.rating.mu,
        sigma=line.rating.sigma,
        elo=line.rating.elo,
        games=line.rating.games,
        is_provisional=line.is_provisional,
        reliability=message_of(reliability, wire.Reliability),
    )


def evidence_message(evidence: Evidence) -> desk.GetEvidenceResponse:
    """The evidence about a table."""
    return message_of(evidence, desk.GetEvidenceResponse)


def _table(current: Round, state: TableState) -> round_pb.RoundTableState:
    result = settled_result(current, state)
    reported = None if state.reported is None else state.reported.result
    return round_pb.RoundTableState(
        table=message_of(state.table, pb.RoundTable),
        is_settled=is_settled(state),
        result=None if result is None else message_of(result, pb.TableResult),
        is_verified=result is not None and result.ending in ("played", "ruled"),
        reported=None if reported is None else message_of(reported, pb.TableResult),
        no_shows=[message_of(each, round_pb.NoShow) for each in state.no_shows],
        substitutions=[message_of(each, round_pb.Substitution) for each in state.substitutions],
        adjudications=[_adjudication(each) for each in state.adjudications],
    )


def _adjudication(each: Adjudication) -> round_pb.Adjudication:
    return message_of(
        each.made,
        round_pb.Adjudication,
        confirmed_by=each.confirmed_by,
        confirm_time_ms=each.confirm_time_ms,
        counts=each.counts,
        appeal=None if each.appeal is None else message_of(each.appeal, round_pb.Appeal),
    )


def _player(player: Player) -> player_pb2.Player:
    return player_pb2.Player(player_id=player.player_id, name=player.name)
