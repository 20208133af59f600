"""Duplicate rounds: all tables play one game, so that each seat can be compared with the same seat elsewhere."""

from __future__ import annotations

from services.lobby.domain.tournaments.charter import charter_json
from services.lobby.domain.tournaments.formats.stages import DuplicateRounds
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.presets.loading import SYSTEMS
from tests.lobby.tournaments.club import Club, charter_of, done, reason


def test_all_tables_of_a_duplicate_round_play_from_one_seed() -> None:
    """And the next round from another."""
    club = Club(9)
    event = club.tournament(charter_of(DuplicateRounds(2)))
    for number in (1, 2):
        current = club.play(event.tournament_id)
        games = [club.starter.games[each.table.game_id] for each in current.tables.values()]
        assert len({game[-1] for game in games}) == 1
        assert len({game[-1] for game in club.starter.games.values()}) == number


def test_a_duplicate_round_has_two_tables_to_compare() -> None:
    """With one, everybody would get nothing: too few players are refused at the start of the stage and at each draw; other
    scores need no second table."""
    system = ScoringPolicy(SYSTEMS["duplicate"])
    few = Club(4)
    made = done(few.desk.create(few.director, charter_json(charter_of(DuplicateRounds(2), scoring=system))))
    done(few.desk.set_entries(few.director, made.tournament_id, True))
    for player in few.players:
        done(few.desk.enter(player, made.tournament_id, (), ()))
    refused = few.desk.start_stage(few.director, made.tournament_id)
    assert (reason(refused), "it needs 6" in refused.sentence) == ("TOO_FEW_PLAYERS", True)
    few.play(few.tournament(charter_of(DuplicateRounds(2))).tournament_id)
    club = Club(6)
    event = club.tournament(charter_of(DuplicateRounds(2), scoring=system))
    assert len(club.play(event.tournament_id).tables) == 2
    gone = club.players[0]
    done(club.desk.withdraw(gone, event.tournament_id, gone.player_id, ""))
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
