"""Who sees the tables of an event."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.common.errors import NotFound
from services.lobby.domain.invitations import Visibility
from services.lobby.domain.tournaments.charter import charter_json, read_charter
from services.lobby.domain.tournaments.tournament import Role
from services.lobby.domain.visibility import STRANGER, GameAudience, Viewer, audience_of, may_see
from tests.lobby.tournaments.club import ONE_ROUND, Club, done


def test_the_tables_of_an_event_are_for_whom_its_charter_says() -> None:
    """Invited: its players and directors; all others see nothing of the tables, and games later."""
    club = Club(4)
    second = club.person("Silvia")
    charter = replace(ONE_ROUND, visibility=Visibility.INVITED, delay_moves=5, delay_seconds=60)
    event = club.tournament(charter)
    done(club.desk.set_role(club.director, event.tournament_id, second.player_id, Role.DIRECTOR, True))
    current = club.published(event.tournament_id)
    table = club.lobby.tables.get(current.tables[1].table.table_id)
    for insider in (club.director, second, club.players[0]):
        assert club.lobby.tables.seen(table.table_id, Viewer(insider.player_id)) == table
    with pytest.raises(NotFound):
        club.lobby.tables.seen(table.table_id, Viewer(club.person("Nina").player_id))
    readers = (club.director.player_id, second.player_id)
    assert audience_of(table) == GameAudience(True, readers, 5, 60)
    club.open()
    assert club.lobby.tables.get(table.table_id) == table


def test_tables_by_link_are_not_listed() -> None:
    """Who knows the address sees them."""
    club = Club(4)
    event = club.tournament(replace(ONE_ROUND, visibility=Visibility.LINK))
    table_id = club.published(event.tournament_id).tables[1].table.table_id
    assert may_see(club.lobby.tables.get(table_id), STRANGER)
    assert club.lobby.tables.page(10, "", "", None)[0] == []
    listed = club.lobby.tables.page(10, "", "", None, Viewer(club.players[0].player_id))[0]
    assert [each.table_id for each in listed] == [table_id]


@pytest.mark.parametrize("wrong", ['"delay_moves":-1', '"delay_seconds":604801', '"visibility":"secret"'])
def test_what_no_table_can_have_is_refused(wrong: str) -> None:
    """By its name."""
    answer = read_charter(charter_json(ONE_ROUND)[:-1] + f",{wrong}}}")
    assert wrong.partition(":")[0].strip('"') in getattr(answer, "sentence", "") + getattr(
        answer, "field", ""
    )
