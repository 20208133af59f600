"""What keeps a round from being published, and who makes its tables."""

from __future__ import annotations

from typing import Any

from services.lobby.tournament_messages import round_message
from tests.lobby.tournaments.club import Club, done, reason


def test_a_round_that_seats_somebody_who_withdrew_is_proposed_again() -> None:
    """It is published neither by the director nor at its time, and says whom it seats; the next proposal does not."""
    club = Club(9)
    event = club.tournament()
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    later_ms = club.clock.now_ms() + 1000
    done(club.rounds.publish(club.director, proposed.round_id, later_ms))
    gone = club.players[4]
    done(club.desk.withdraw(gone, event.tournament_id, gone.player_id, "ill"))
    club.clock.advance(2000)
    club.lobby.tournaments.publisher.publish_all_due()
    reader = club.lobby.tournaments.reader
    (draft,) = reader.rounds(club.director.player_id, event.tournament_id)
    assert not draft.is_published
    assert list(round_message(draft, reader.withdrawn(draft)).withdrawn) == [gone.player_id]
    refused = club.rounds.publish(club.director, proposed.round_id, 0)
    assert (reason(refused), gone.name in refused.sentence) == ("PLAYER_WITHDRAWN", True)
    again = club.published(event.tournament_id)
    assert gone.player_id not in {player for each in again.tables.values() for player in each.table.seats}
    assert reader.withdrawn(again) == ()


def test_the_timer_leaves_a_round_to_the_request_that_makes_its_tables() -> None:
    """It comes by while a game begins; each game is begun once."""
    club = Club(9)
    event = club.tournament()
    start, looks = club.starter.start_game, list[bool]()

    def start_game(*given: Any, **more: Any) -> None:
        if not looks:
            looks.append(True)
            club.lobby.tournaments.publisher.publish_all_due()
        start(*given, **more)

    club.starter.start_game = start_game  # type: ignore[method-assign]
    assert club.published(event.tournament_id).are_tables_made
    assert (club.starter.calls, len(looks)) == (3, 1)
