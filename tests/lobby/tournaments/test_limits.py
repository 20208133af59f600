"""What one person may write into an event: nobody takes it from the others by writing more and more."""

from __future__ import annotations

import pytest

from services.lobby.domain.tournaments import deciding
from tests.lobby.tournaments.club import ONE_ROUND, Club, done, reason

LONGEST = "\N{STEAM LOCOMOTIVE}" * 2_000
"""The longest text of a director: 8,000 bytes."""


def test_announcements_have_a_bound_together() -> None:
    """In bytes, since all of them are in each answer about the event."""
    club = Club(4)
    event_id = club.tournament(ONE_ROUND).tournament_id
    for _ in range(deciding.TEXTS_BYTES_MAX // len(LONGEST.encode())):
        done(club.desk.post(club.director, event_id, LONGEST))
    assert reason(club.desk.post(club.director, event_id, LONGEST)) == "TOO_MUCH_RECORDED"
    done(club.desk.post(club.director, event_id, "Lunch at noon"))


@pytest.mark.parametrize(("why", "most"), [(LONGEST, 62), ("late", 500)])
def test_penalties_have_a_bound(why: str, most: int) -> None:
    """In number and in bytes of their reasons."""
    club = Club(4)
    event_id = club.tournament(ONE_ROUND).tournament_id
    player = club.players[0].player_id
    for _ in range(most):
        done(club.desk.give_penalty(club.director, event_id, player, 1, why))
    refused = club.desk.give_penalty(club.director, event_id, player, 1, why)
    assert reason(refused) == "TOO_MUCH_RECORDED"
