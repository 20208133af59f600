"""Random tournaments: the streams alone give the standings, the pairings and the ratings again."""

from __future__ import annotations

import pytest

from services.lobby.domain.ratings.ratings import ratings_bytes, ratings_digest, ratings_of
from services.lobby.domain.ratings.results import RatedResult
from services.lobby.domain.tournaments.exports.tournament_file import (
    check_file,
    file_of,
    read_file,
    write_file,
)
from services.lobby.domain.tournaments.rounds.settling import rated_results
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.standings import standings_digest
from services.lobby.handlers.tournaments.reading import csv_files
from services.lobby.presets.loading import RATING_POLICY
from services.lobby.tournament_check import check_streams
from services.lobby.tournament_directory import TournamentDirectory
from tests.lobby.scoring import recompute
from tests.lobby.tournaments.random_events import RandomEvents

SAMPLE = 16
FILES_CHECKED = 3
KINDS = {
    "amendment",
    "withdrawal",
    "admission",
    "penalty",
    "override",
    "no-show",
    "no-show withdrawn",
    "substitution",
    "substitution withdrawn",
    "undone end",
    "overdue turn",
    "adjudication",
    "appeal",
}


def check_events(seeds: range) -> RandomEvents:
    """Play these events; then read everything again from the log."""
    events = RandomEvents()
    log, lobby = events.club.log, events.club.lobby
    digests = {}
    for seed in seeds:
        event_id = events.play(seed)
        played = lobby.tournaments.reader.tournament(event_id)
        assert played.is_finished
        digests[event_id] = [stage.standings_digest for stage in played.stages]
    replayed = TournamentDirectory(log, RATING_POLICY)
    results_of: dict[str, list[RatedResult]] = {}
    for event_id, expected in digests.items():
        tournament, rounds = replayed.get(event_id), replayed.rounds(event_id)
        assert tournament == lobby.tournaments.reader.tournament(event_id)
        assert tournament is not None
        by_stage = [
            [each for each in rounds if each.stage == stage] for stage in range(len(tournament.stages))
        ]
        found = [
            standings_digest(stage_standings(tournament, stage, each)) for stage, each in enumerate(by_stage)
        ]
        assert found == expected
        checked = check_streams(log, event_id)
        assert checked is not None
        assert checked.problems == ()
        if len(results_of) < FILES_CHECKED:
            check_file(read_file(write_file(file_of(tournament, rounds))))
        files = csv_files(tournament, rounds)
        for stage in range(len(tournament.stages)):
            given = {name: files[f"stage-{stage}/{name}"] for name in FILES}
            assert recompute.recomputed(given) == recompute.given(given), f"{event_id}, stage {stage}"
        results_of[event_id] = [
            result for each in rounds for result in rated_results(tournament.charter, each)
        ]
    results = [result for each in results_of.values() for result in each]
    anew = ratings_bytes(ratings_of(results, RATING_POLICY))
    assert ratings_bytes(replayed.ratings()) == anew
    assert lobby.tournaments.reader.leaderboard("")[1] == _digest(replayed)
    return events


FILES = ("results.csv", "players.csv", "policy.csv", "standings.csv")


def _digest(directory: TournamentDirectory) -> str:
    return ratings_digest(directory.ratings())


def test_random_events_are_replayed_to_the_byte() -> None:
    """A sample with every kind of thing that happens; an independent script gets the same standings from the CSV files."""
    assert check_events(range(SAMPLE)).counts.keys() == KINDS


@pytest.mark.soak
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_a_thousand_random_events(first: int) -> None:
    """The full number."""
    check_events(range(first, first + 100))
