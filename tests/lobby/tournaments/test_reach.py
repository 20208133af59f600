"""What an event does to players beyond itself: bans after absences, and ratings."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.lobby.domain.games import SeatBearer
from services.lobby.domain.tournaments.charter import Charter, charter_json
from services.lobby.domain.tournaments.tournament import Role
from tests.lobby.tournaments.club import EXTERNAL, ONE_ROUND, Club, WillingDirector, done, reason

AWAY = replace(ONE_ROUND, titles=(EXTERNAL,))
REASON = "not at the table"


@pytest.fixture
def club() -> Club:
    """A director and four players."""
    return Club(4)


def operator(club: Club) -> Principal:
    """The director as an operator."""
    return replace(club.director, kind="operator")


def missed(club: Club, charter: Charter) -> tuple[Principal, tuple[str, int]]:
    """An event at which a player was missing: who, and at which table."""
    event = club.tournament(charter)
    current = club.published(event.tournament_id)
    missing = next(each for each in club.players if each.player_id == current.tables[1].table.seats[3])
    done(club.rounds.record_no_show(club.director, current.round_id, 1, missing.player_id, REASON))
    return missing, (current.round_id, 1)


def entered(club: Club, director: Principal, player: Principal, charter: Charter = ONE_ROUND) -> Any:
    """The answer to the entry of a player at another event."""
    event = done(club.desk.create(director, charter_json(charter)))
    done(club.desk.set_entries(director, event.tournament_id, True))
    return club.desk.enter(player, event.tournament_id, (), ())


def test_an_absence_bans_from_the_events_of_who_recorded_it(club: Club) -> None:
    """Not from those of others, also where these were made directors of the event without being asked."""
    other = club.person("Olga")
    missing, (round_id, _) = missed(club, AWAY)
    event_id = round_id.partition(".")[0]
    done(club.desk.set_role(club.director, event_id, other.player_id, Role.DIRECTOR, True))
    assert reason(entered(club, club.director, missing)) == "ENTRY_BANNED"
    done(entered(club, other, missing))


def test_only_operators_let_an_event_reach_beyond_itself(club: Club) -> None:
    """Neither when it is set up nor later; what they have set may stay in the next version of a charter. It is a staff act."""
    for name in ("bans_elsewhere", "rates_external"):
        text = charter_json(replace(AWAY, **{name: True}))
        refused = club.desk.create(club.director, text)
        assert (reason(refused), refused.field) == ("OPERATOR_NEEDED", name)
        event = done(club.desk.create(club.director, charter_json(AWAY)))
        refused = club.desk.amend(club.director, event.tournament_id, text, 1, "more")
        assert (reason(refused), refused.field) == ("OPERATOR_NEEDED", name)
        done(club.desk.amend(operator(club), event.tournament_id, text, 1, "a club of ours"))
        done(club.desk.amend(club.director, event.tournament_id, text.replace("cup", "day"), 2, "a day"))
        (act, *_), _ = club.lobby.staff.handlers.acts({}, "", 10)
        assert (act.act, act.reason) == ("event_reach", "a club of ours")
        assert act.detail == f"{name} of {event.tournament_id}"


def test_an_operator_lifts_a_ban_that_reaches_all_events(club: Club) -> None:
    """By taking back the absence, without a role in the event; it is a staff act."""
    wide = charter_json(replace(AWAY, bans_elsewhere=True))
    missing, where = missed(club, AWAY)
    event_id = where[0].partition(".")[0]
    done(club.desk.amend(operator(club), event_id, wide, 1, "a club of ours"))
    other, staff = club.person("Olga"), club.person("Stella")
    assert reason(entered(club, other, missing)) == "ENTRY_BANNED"
    take_back = club.rounds.withdraw_no_show
    assert reason(take_back(staff, *where, missing.player_id, "ill in hospital")) == "NOT_DIRECTOR"
    done(take_back(replace(staff, kind="operator"), *where, missing.player_id, "ill in hospital"))
    done(entered(club, other, missing))
    (act, *_), _ = club.lobby.staff.handlers.acts({}, "", 10)
    assert (act.act, act.author_id, act.reason) == ("withdraw_no_show", staff.player_id, "ill in hospital")


def test_nobody_was_missing_at_a_table_with_a_result(club: Club) -> None:
    """Played here: the record would come after the game."""
    event = club.tournament(ONE_ROUND)
    current = club.play(event.tournament_id)
    seat = current.tables[1].table.seats[3]
    refused = club.rounds.record_no_show(club.director, current.round_id, 1, seat, REASON)
    assert reason(refused) == "TABLE_SETTLED"
    assert club.lobby.tournaments.rounds.get("", current.round_id) == current


def test_a_game_clears_the_ban_of_who_finished_it() -> None:
    """The substitute's, not that of the player whose seat it was."""
    club = Club(5, director=WillingDirector())
    event_id = club.tournament(ONE_ROUND, 4).tournament_id
    current = club.published(event_id)
    missed_round = club.published(club.tournament(AWAY).tournament_id).round_id
    replaced, substitute = club.players[0], club.standby(club.players[4], event_id)
    for player in (replaced, substitute):
        done(club.rounds.record_no_show(club.director, missed_round, 1, player.player_id, REASON))
        assert reason(entered(club, club.director, player)) == "ENTRY_BANNED"
    seat = (current.round_id, 1, replaced.player_id, substitute.player_id)
    done(club.substitutions.record(club.director, *seat, (0, 0), "ill"))
    club.clock.advance(1_000)
    club.finish(current.tables[1])
    assert reason(entered(club, club.director, replaced)) == "ENTRY_BANNED"
    done(entered(club, club.director, substitute))


def test_a_game_clears_the_ban_of_who_came_back_and_finished_it() -> None:
    """Not that of the substitute in between, though nobody was recorded after that one."""
    club = Club(5)
    state = club.published(club.tournament(ONE_ROUND, 4).tournament_id).tables[1]
    missed_round = club.published(club.tournament(AWAY).tournament_id).round_id
    returned, substitute = club.players[0], club.players[4]
    for player in (returned, substitute):
        done(club.rounds.record_no_show(club.director, missed_round, 1, player.player_id, REASON))
    seat = returned.player_id
    for sequence, bearer in ((3, substitute.player_id), (5, seat)):
        taken = SeatBearer(seat, bearer, "substitute" if bearer != seat else "player")
        club.follow(state, sequence, bearers=(taken,))
        club.lobby.tournaments.publisher.catch_up()
    club.clock.advance(1_000)
    club.finish(state)
    club.lobby.tournaments.publisher.catch_up()
    assert reason(entered(club, club.director, substitute)) == "ENTRY_BANNED"
    done(entered(club, club.director, returned))
