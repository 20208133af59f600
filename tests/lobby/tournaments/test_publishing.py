"""What keeps a round from being published."""

from __future__ import annotations

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
