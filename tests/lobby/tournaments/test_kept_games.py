"""Finished games that nobody may put away: of a tournament that goes on, or under an appeal that is not decided."""

from __future__ import annotations

from msgspec.structs import replace

from services.lobby.domain.tables import TableState
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    Award,
)
from services.lobby.domain.tournaments.tournament import Role
from services.lobby.kept_games import is_needed
from tests.lobby.tournaments.club import ONE_ROUND, Club, done


def needed(club: Club, game_id: str) -> bool:
    """Whether this game is kept where it is."""
    return is_needed(club.lobby.followed.directory, club.lobby.tournaments.directory, game_id)


def test_a_game_is_needed_until_its_tournament_is_over_and_its_appeals_are_decided() -> None:
    """And one of no tournament never."""
    club = Club(4)
    event = club.tournament(replace(ONE_ROUND, appeal_hours=1))
    current = club.play(event.tournament_id)
    seats = current.tables[1].table.seats
    tables = club.lobby.followed.directory.in_state(TableState.FINISHED)
    (game_id,) = [table.game_id for table in tables if table.round_id == current.round_id]
    assert needed(club, game_id)
    assert not needed(club, "another")
    player = next(each for each in club.players if each.player_id == seats[0])
    awards = tuple(Award(each, 2_000_000 * (each == seats[3])) for each in seats)
    ruling = Ruling(AdjudicationKind.AWARD, awards)
    done(club.rounds.adjudicate(club.director, current.round_id, 1, ruling, "all left at noon"))
    done(club.rounds.appeal(player, current.round_id, 1, 1, "I was there"))
    assert needed(club, game_id)
    second = club.person("Silvia")
    done(club.desk.set_role(club.director, event.tournament_id, second.player_id, Role.DIRECTOR, True))
    done(club.rounds.decide_appeal(second, current.round_id, 1, 1, False, "he was not"))
    assert needed(club, game_id)
    club.clock.advance(3_600_001)
    done(club.desk.finish_stage(club.director, event.tournament_id))
    assert club.lobby.tournaments.directory.get(event.tournament_id).is_finished  # type: ignore[union-attr]
    assert not needed(club, game_id)
