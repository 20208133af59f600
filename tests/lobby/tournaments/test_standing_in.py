"""Who may be given a seat of an event's table: nobody who did not ask to play there, and nobody without room for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.errors import NotFound
from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_SUBSTITUTE
from services.gen.signalbox.rules.v1.direction_pb2 import AssignSeat, Direction
from services.lobby.domain.games import SeatBearer
from services.lobby.domain.invitations import Visibility
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.tournament import Role
from tests.lobby.tournaments.club import EXTERNAL, ONE_ROUND, Club, WillingDirector, charter_of, done, reason

UNASKED = "SUBSTITUTE_DID_NOT_OFFER"


class Table:
    """The one table of an event's first round."""

    def __init__(self, club: Club, **more: Any) -> None:
        self.club = club
        self.event_id = club.tournament(replace(ONE_ROUND, **more), 4).tournament_id
        self.current = club.published(self.event_id)
        self.table = self.current.tables[1].table
        self.seat = self.table.seats[0]

    def put(self, who: Principal, turns: tuple[int, int] = (0, 0)) -> Any:
        """A director has somebody play the first seat."""
        given = self.current.round_id, 1, self.seat, who.player_id, turns, "ill"
        return self.club.substitutions.record(self.club.director, *given)

    def put_at_table(self, who: Principal, is_operator: bool = False) -> Any:
        """The same, decided at the table in the lobby."""
        assigned = AssignSeat(seat=self.seat, bearer=who.player_id, kind=BEARER_KIND_SUBSTITUTE)
        direction = Direction(reason="ill", assign_seat=assigned)
        caller = Principal("o", "Olaf") if is_operator else self.club.director
        directing = self.club.lobby.directing
        return directing.direct(caller, is_operator, self.club.request(), self.table.table_id, 0, direction)

    def offer(self, who: Principal) -> Any:
        """Somebody offers to take a seat."""
        return self.club.lobby.inviting.offer(who, self.club.request(), self.table.table_id)

    def refused(self, who: Principal) -> tuple[str, str]:
        """Why somebody is given no seat in either way."""
        return reason(self.put(who)), reason(self.put_at_table(who))


@pytest.fixture
def game() -> WillingDirector:
    """Who carries out directions."""
    return WillingDirector()


@pytest.fixture
def table(game: WillingDirector) -> Table:
    """A table of an event with four players; one more did not enter."""
    return Table(Club(5, director=game))


def enter(table: Table, who: Principal) -> None:
    """Waits from then on, since the event has begun."""
    table.club.standby(who, table.event_id)


def offer(table: Table, who: Principal) -> None:
    """From outside."""
    done(table.offer(who))


@pytest.mark.parametrize("agree", [enter, offer])
def test_a_stranger_plays_only_after_agreeing(
    table: Table, game: WillingDirector, agree: Callable[[Table, Principal], None]
) -> None:
    """By entering, even on the waiting list, or by an offer; a role is given to people unasked, so it does not count."""
    stranger = table.club.players[4]
    for role in (Role.SCORER, Role.DIRECTOR):
        done(table.club.desk.set_role(table.club.director, table.event_id, stranger.player_id, role, True))
    assert table.refused(stranger) == (UNASKED, UNASKED)
    assert not game.done
    agree(table, stranger)
    done(table.put(stranger))
    done(table.put_at_table(stranger))
    assert {each.assign_seat.bearer for each in game.directions} == {stranger.player_id}


@pytest.mark.parametrize("is_taken_out", [False, True])
def test_who_has_withdrawn_has_to_be_asked_again(table: Table, is_taken_out: bool) -> None:
    """Or was taken out by a director: an offer at the table is an answer, the entry of before is none."""
    helper = table.club.players[4]
    enter(table, helper)
    who = table.club.director if is_taken_out else helper
    done(table.club.desk.withdraw(who, table.event_id, helper.player_id, "away"))
    assert table.refused(helper) == (UNASKED, UNASKED)
    offer(table, helper)
    done(table.put(helper))


def test_the_refusal_says_what_to_do(table: Table) -> None:
    """Where the table is played elsewhere nobody can offer to."""
    stranger = table.club.players[4]
    for refused in (table.put(stranger), table.put_at_table(stranger)):
        assert "does not take part in this event, nor offer to take a seat" in refused.sentence
    elsewhere = Table(table.club, titles=(EXTERNAL,))
    assert reason(elsewhere.put(stranger)) == UNASKED
    assert "has not entered this event" in elsewhere.put(stranger).sentence
    done(elsewhere.put(elsewhere.club.director))
    enter(elsewhere, stranger)
    done(elsewhere.put(stranger))


def test_directors_seat_themselves_and_operators_anybody(table: Table) -> None:
    """Operators ask by their own ways."""
    done(table.put(table.club.director))
    done(table.put_at_table(table.club.director))
    done(table.put_at_table(table.club.players[4], is_operator=True))


def test_an_offer_is_taken_back_and_used_up(table: Table) -> None:
    """While the substitute plays, and for the turns of one who did, nobody is asked again."""
    stranger = table.club.players[4]
    done(table.offer(stranger))
    done(table.club.lobby.tables.leave(stranger, table.club.request(), table.table.table_id))
    assert table.refused(stranger) == (UNASKED, UNASKED)
    done(table.offer(stranger))
    done(table.put(stranger))
    for sequence, bearer in ((3, stranger.player_id), (5, table.seat)):
        taken = SeatBearer(table.seat, bearer, "substitute")
        table.club.follow(table.current.tables[1], sequence, bearers=(taken,))
        if bearer == stranger.player_id:
            done(table.put(stranger))
            done(table.put_at_table(stranger))
    assert table.refused(stranger) == (UNASKED, UNASKED)
    done(table.put(stranger, (3, 20)))


def test_offers_do_not_open_a_table_of_invited_players(table: Table) -> None:
    """For others there is no such table; who enters the event may be seated all the same."""
    hidden = Table(table.club, visibility=Visibility.INVITED)
    stranger = table.club.players[4]
    with pytest.raises(NotFound):
        hidden.offer(stranger)
    enter(hidden, stranger)
    done(hidden.put(stranger))


def test_a_substitute_has_room_for_the_seat(game: WillingDirector) -> None:
    """Pairing asks for no room; taking a seat does, and offering to. The turns of one who played need none."""
    club = Club(5, director=game, seats=1)
    first, second = Table(club), club.tournament(charter_of(Swiss(1)), 4)
    busy, free = club.players[0], club.standby(club.players[4], first.event_id)
    club.published(second.tournament_id)
    done(first.put(free))
    first.club.follow(
        first.current.tables[1], 3, bearers=(SeatBearer(first.seat, free.player_id, "substitute"),)
    )
    other = Table(club)
    club.standby(free, other.event_id)
    assert reason(other.put(free)) == reason(other.put_at_table(free)) == "TOO_MANY_SEATS"
    assert reason(other.offer(free)) == "TOO_MANY_SEATS"
    assert reason(other.offer(busy)) == "ALREADY_SEATED"
    done(first.put(free, (3, 20)))
