"""Standings of stages that are over stay as they were recorded."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from services.common.eventlog.port import Record
from services.gen.signalbox.lobby.v1 import tournament_event_pb2 as wire, tournament_pb2 as pb
from services.lobby import tournament_check
from services.lobby.domain.tournaments import running
from services.lobby.domain.tournaments.charter import charter_json
from services.lobby.domain.tournaments.exports import tournament_file
from services.lobby.domain.tournaments.exports.tournament_file import check_file, file_of
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.record import EventRecord
from services.lobby.domain.tournaments.scoring.standings import Line, standings_digest, standings_of
from services.lobby.domain.tournaments.stage_events import RoundVersion, StageFinished
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.event_codec import decode
from services.lobby.presets.loading import SYSTEMS
from services.lobby.tournament_check import check_streams
from tests.lobby.tournaments.club import Club, charter_of, done

TWO_STAGES = charter_of(Swiss(1), Swiss(1))


def finished(club: Club) -> Tournament:
    """An event whose first stage is over."""
    event = club.tournament(TWO_STAGES)
    club.play(event.tournament_id)
    over: Tournament = done(club.desk.finish_stage(club.director, event.tournament_id))
    return over


def shown(club: Club, event: Tournament) -> tuple[Line, ...]:
    """The standings of the first stage."""
    return club.lobby.tournaments.reader.standings(event.tournament_id, 0)[1]


def score_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another scoring in this program: a point more for everybody."""

    def more(record: EventRecord, policy: ScoringPolicy) -> tuple[Line, ...]:
        return tuple(replace(line, points=line.points + 1) for line in standings_of(record, policy))

    monkeypatch.setattr(running, "standings_of", more)
    monkeypatch.setattr(tournament_file, "standings_of", more)


def checks(club: Club, event: Tournament) -> tuple[Sequence[str], Sequence[str]]:
    """What `check` says: problems and notes."""
    found = check_streams(club.log, event.tournament_id)
    assert found is not None
    return found.problems, found.notes


def test_another_scoring_in_the_charter_is_for_stages_to_come() -> None:
    """The first stage is shown as it was recorded, and computed by the charter that it had."""
    club = Club(8)
    event = finished(club)
    before = shown(club, event)
    assert standings_digest(before) == event.stages[0].standings_digest
    steep = replace(TWO_STAGES, scoring=ScoringPolicy(SYSTEMS["steep"], bye_points=6_000_000))
    amended = done(
        club.desk.amend(club.director, event.tournament_id, charter_json(steep), 1, "more for winners")
    )
    assert shown(club, event) == before
    rounds = club.lobby.tournaments.reader.rounds(club.director.player_id, event.tournament_id)
    assert running.computed_standings(amended, 0, rounds) == before
    check_file(file_of(amended, rounds))
    assert checks(club, event) == ((), ())


def test_another_scoring_in_the_program_changes_no_stage_that_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`check` names both versions and finds no fault; the same version that computes otherwise is one."""
    club = Club(8)
    event = finished(club)
    before = shown(club, event)
    score_otherwise(monkeypatch)
    assert shown(club, event) == before
    (problem,), notes = checks(club, event)
    assert (event.stages[0].standings_digest in problem, notes) == (True, ())
    for module in (tournament_check, tournament_file):
        monkeypatch.setattr(module, "SCORING_VERSION", 2)
    problems, (note,) = checks(club, event)
    assert (problems, "by version 1 of the scoring; version 2 gives" in note) == ((), True)
    rounds = club.lobby.tournaments.reader.rounds(club.director.player_id, event.tournament_id)
    with pytest.raises(TournamentRejected) as rejected:
        check_file(file_of(event, rounds))
    assert "by version 1 of the scoring, this program has 2" in rejected.value.sentence


def test_a_stage_that_ended_before_lines_were_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its standings are computed anew; its ranking stays, and `check` notes what differs."""
    monkeypatch.setattr(running, "STANDINGS_BYTES_MAX", 0)
    monkeypatch.setattr(running, "SCORING_VERSION", 0)
    club = Club(8)
    event = finished(club)
    assert (event.stages[0].standings, event.stages[0].scoring_version) == ((), 0)
    before = shown(club, event)
    assert standings_digest(before) == event.stages[0].standings_digest
    score_otherwise(monkeypatch)
    assert [line.points - 1 for line in shown(club, event)] == [line.points for line in before]
    problems, (note,) = checks(club, event)
    assert (problems, "by a scoring without a version" in note) == ((), True)
    assert club.lobby.tournaments.reader.tournament(event.tournament_id).stages[0].ranking == tuple(
        line.player for line in before
    )


def test_what_happens_after_the_end_is_shown_and_not_recorded() -> None:
    """A penalty, and a game that is taken up again: the standings change, the ranking and what was recorded stay."""
    club = Club(8)
    event = finished(club)
    before = shown(club, event)
    leader = before[0].player
    given = (event.tournament_id, leader, 1_000_000, "rude")
    done(club.desk.give_penalty(club.director, *given))
    points = {line.player: line.points for line in shown(club, event)}
    assert points[leader] == before[0].points - 1_000_000
    (current,) = club.lobby.tournaments.reader.rounds(club.director.player_id, event.tournament_id)
    club.follow(current.tables[1], 11)
    assert {line.player: line.tables for line in shown(club, event)} != {
        line.player: line.tables for line in before
    }
    now = club.lobby.tournaments.reader.tournament(event.tournament_id)
    assert now.stages[0].ranking == event.stages[0].ranking
    assert now.stages[0].standings_digest == standings_digest(before)
    assert checks(club, event) == ((), ())


def test_an_end_that_an_older_version_stored_is_read() -> None:
    """Without lines, and by no version of the scoring."""
    rounds = [pb.RoundVersion(round_id="e.0.1", version=7)]
    old = wire.StageFinishedV1(
        stage=1, ranking=["ann", "bob"], standings_digest="d", rounds=rounds, author="dora", time_ms=5
    )
    record = Record("lobby.tournament.e", 9, "stage_finished", 1, old.SerializeToString(), 0, 1)
    assert decode(record) == StageFinished(1, ("ann", "bob"), "d", (RoundVersion("e.0.1", 7),), "dora", 5)
