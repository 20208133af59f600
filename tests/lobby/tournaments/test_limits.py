"""What one person may write into an event: nobody takes it from the others by writing more and more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments import deciding
from services.lobby.domain.tournaments.charter import charter_json
from services.lobby.domain.tournaments.formats.season import SeasonRule
from services.lobby.domain.tournaments.rounds import deciding as round_deciding
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.tournament import Role
from services.lobby.handlers.tournaments import appending
from services.lobby.usage import RECORD_BYTES
from tests.lobby.tournaments.club import EXTERNAL, ONE_ROUND, SWISS, Club, done, reason

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


def test_what_a_player_stores_in_events_is_limited() -> None:
    """Charters, amendments and announcements together, over all events and after a new start: from half of the bytes on no
    event begins, from all on nothing is stored. Others go on, and what was stored is what the log has."""
    most = 100_000
    club = Club(8, stored_bytes=most)
    ids = tuple(each.player_id for each in club.players)
    long = charter_json(replace(SWISS, text=LONGEST))
    event_id = done(club.desk.create(club.director, long)).tournament_id
    while not isinstance(made := club.desk.create(club.director, long), Rejection):
        club.open()
    assert most / 2 <= stored_in_events(club) < most / 2 + 20_000
    rule = SeasonRule(moving=1, division_size=4, series_points=(4, 3, 2, 1))
    create_series, divisions = club.lobby.tournaments.series.create, (ids[:4], ids[4:])
    assert reason(made) == "TOO_MUCH_STORED"
    assert reason(create_series(club.director, "s", "League", rule, divisions)) == "TOO_MUCH_STORED"
    version = 1
    while not isinstance(club.desk.amend(club.director, event_id, long, version, LONGEST), Rejection):
        version += 1
        club.open()
    assert most <= stored_in_events(club) < most + 20_000
    refused = [
        club.desk.amend(club.director, event_id, long, version, LONGEST),
        club.desk.post(club.director, event_id, "Lunch at noon"),
        club.desk.set_entries(club.director, event_id, True),
    ]
    assert {reason(each) for each in refused} == {"TOO_MUCH_STORED"}
    done(club.desk.create(club.players[0], long))
    done(create_series(club.players[1], "s", "League", rule, divisions))


def test_proposals_of_rounds_count_as_stored() -> None:
    """A director who proposes a round again and again comes to an end; another director proposes and publishes it."""
    club = Club(5, stored_bytes=30_000)
    event_id = club.tournament(ONE_ROUND, entrants=4).tournament_id
    done(club.desk.set_role(club.director, event_id, club.players[4].player_id, Role.DIRECTOR, True))
    while not isinstance(proposed := club.rounds.propose(club.director, event_id), Rejection):
        club.open()
    assert reason(proposed) == "TOO_MUCH_STORED"
    round_id = done(club.rounds.propose(club.players[4], event_id)).round_id
    done(club.rounds.publish(club.players[4], round_id, 0))


def test_what_is_stored_in_events_counts_at_tables_too() -> None:
    """A player has one quota, not one for events and another for tables; others still open tables and join them."""
    club = Club(1, stored_bytes=60_000)
    long = charter_json(replace(SWISS, text=LONGEST))
    event_id = done(club.desk.create(club.director, long)).tournament_id
    theirs = done(club.lobby.tables.create(club.players[0], "c", TableChoices("1824", 3)))
    done(club.lobby.tables.join(club.director, "j", theirs.table_id))
    version = 1
    while not isinstance(club.desk.amend(club.director, event_id, long, version, LONGEST), Rejection):
        version += 1
    done(club.lobby.tables.create(club.players[0], "c2", TableChoices("1824", 3)))
    for lobby in (club.lobby, club.open()):
        refused = lobby.tables.create(club.director, "c", TableChoices("1824", 3))
        assert reason(refused) == "TOO_MUCH_STORED"
        assert done(lobby.tables.join(club.director, "j", theirs.table_id)).version == 2


def stored_in_events(club: Club) -> int:
    """The bytes of all events of tournaments and series, and of what each has beside them."""
    records = [
        each for each in club.log.read_all() if each.stream.startswith(("lobby.tournament.", "lobby.series."))
    ]
    return sum(RECORD_BYTES + len(each.payload) for each in records)


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


def test_a_player_enters_an_event_so_many_times() -> None:
    """Who enters and withdraws again and again leaves the event to the others, also after a new start."""
    club = Club(2)
    event_id = with_open_entries(club)
    restless, patient = club.players
    for _ in range(deciding.ENTRIES_PER_PLAYER):
        done(club.desk.enter(restless, event_id, (), ()))
        done(club.desk.withdraw(restless, event_id, restless.player_id, ""))
    assert reason(club.desk.enter(restless, event_id, (), ())) == "TOO_MUCH_RECORDED"
    done(club.desk.enter(patient, event_id, (), ()))
    club.open()
    assert reason(club.desk.enter(restless, event_id, (), ())) == "TOO_MUCH_RECORDED"


def test_a_player_withdraws_with_a_short_reason_or_none() -> None:
    """A director's reason has the same bound."""
    club = Club(1)
    event_id = with_open_entries(club)
    (player,) = club.players
    done(club.desk.enter(player, event_id, (), ()))
    for caller in (player, club.director):
        refused = club.desk.withdraw(caller, event_id, player.player_id, LONGEST + "!")
        assert reason(refused) == "REASON_TOO_LONG"
    done(club.desk.withdraw(player, event_id, player.player_id, LONGEST))


def test_a_player_reports_a_table_so_many_times() -> None:
    """The other players of the table, directors and scorers still report and confirm, also after a new start."""
    club = Club(4)
    current = external_round(club)
    seats = current.tables[1].table.seats
    restless, other, *_ = club.players
    for worth in range(round_deciding.REPORTS_PER_PLAYER):
        done(club.rounds.report(restless, current.round_id, 1, dict.fromkeys(seats, worth)))
    club.open()
    worths = dict.fromkeys(seats, 1_000)
    assert reason(club.rounds.report(restless, current.round_id, 1, worths)) == "TOO_MUCH_RECORDED"
    scored = done(
        club.desk.set_role(club.director, current.tournament_id, restless.player_id, Role.SCORER, True)
    )
    assert scored.may_score(restless.player_id)
    done(club.rounds.report(restless, current.round_id, 1, worths))
    done(club.rounds.report(other, current.round_id, 1, worths))
    done(club.rounds.confirm(restless, current.round_id, 1, worths))


def test_the_last_changes_are_for_those_who_direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players together never keep directors and scorers from an event or a round of it."""
    club = Club(4)
    current = external_round(club)
    event_id = current.tournament_id
    seats = current.tables[1].table.seats
    worths = dict.fromkeys(seats, 1_000)
    first, second, *_ = club.players
    done(club.rounds.report(first, current.round_id, 1, worths))
    monkeypatch.setattr(appending, "CHANGES_MAX", appending.CHANGES_RESERVED + 1)
    assert reason(club.desk.withdraw(first, event_id, first.player_id, "")) == "TOO_MUCH_RECORDED"
    assert reason(club.rounds.confirm(second, current.round_id, 1, worths)) == "TOO_MUCH_RECORDED"
    done(club.desk.withdraw(club.director, event_id, first.player_id, "floods the event"))
    done(club.rounds.confirm(club.director, current.round_id, 1, worths))
    monkeypatch.setattr(appending, "CHANGES_MAX", 1)
    assert reason(club.desk.post(club.director, event_id, "Lunch at noon")) == "TOO_MUCH_RECORDED"


def test_who_is_gone_takes_no_place_of_the_waiting_list() -> None:
    """Neither by leaving nor when a director takes the player out; who comes back needs a place as anybody does."""
    club = Club(5)
    event_id = with_open_entries(club, places=2)
    *gone, honest = club.players
    for player in gone:
        done(club.desk.enter(player, event_id, (), ()))
    assert reason(club.desk.enter(honest, event_id, (), ())) == "TOO_MUCH_RECORDED"
    first, *others = gone
    done(club.desk.withdraw(first, event_id, first.player_id, ""))
    assert done(club.desk.enter(honest, event_id, (), ())).waiting()[-1] == honest.player_id
    assert reason(club.desk.enter(first, event_id, (), ())) == "TOO_MUCH_RECORDED"
    for player in others:
        done(club.desk.withdraw(club.director, event_id, player.player_id, "one person with many names"))
    assert done(club.desk.enter(first, event_id, (), ())).active() == (honest.player_id, first.player_id)


def with_open_entries(club: Club, places: int = 0) -> str:
    """The id of an event that players may enter."""
    made = done(club.desk.create(club.director, charter_json(replace(SWISS, entries_max=places))))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    event_id: str = made.tournament_id
    return event_id


def external_round(club: Club) -> Round:
    """A published round of one table that is played elsewhere."""
    return club.published(club.tournament(replace(ONE_ROUND, titles=(EXTERNAL,))).tournament_id)
