"""Tournaments from the first charter to the final standings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.common.errors import NotFound
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tables import TableState
from services.lobby.domain.tournaments.charter import Conditions, charter_json, read_charter
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Format,
    Groups,
    Heats,
    KnockOut,
    Swiss,
)
from services.lobby.domain.tournaments.tournament import EntryState, Role
from tests.lobby.tournaments.club import EXTERNAL, ONE_ROUND, SWISS, TITLE, Club, charter_of, done, reason

HOUR = 3_600_000

DAY_MS = 24 * 3_600_000


@pytest.fixture
def club() -> Club:
    """A director and nine players."""
    return Club(9)


def test_a_swiss_event_with_a_final(club: Club) -> None:
    """Three rounds, then the first four at one table; the ranking has the finalists first, then the others."""
    event = club.tournament(charter_of(Swiss(2), Swiss(1)))
    for _ in range(2):
        current = club.play(event.tournament_id)
        assert current.are_tables_made
        assert sorted(len(each.table.seats) for each in current.tables.values()) == [3, 3, 3]
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"
    finished = done(club.desk.finish_stage(club.director, event.tournament_id))
    assert not finished.is_finished
    final = done(club.desk.start_stage(club.director, event.tournament_id))
    assert final.stages[1].entrants == finished.stages[0].ranking[:4]
    club.play(event.tournament_id)
    over = done(club.desk.finish_stage(club.director, event.tournament_id))
    assert over.is_finished
    _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 1)
    assert [line.player for line in lines] == list(over.stages[1].ranking)
    assert reason(club.desk.start_stage(club.director, event.tournament_id)) == "TOURNAMENT_FINISHED"


def test_publishing_makes_tables_with_the_seats_of_the_pairing(club: Club) -> None:
    """Each table is in the lobby with its players in seat order, and its game has begun with a seed of its own."""
    event = club.tournament()
    current = club.published(event.tournament_id)
    seeds = set()
    for state in current.tables.values():
        table = club.lobby.tables.get(state.table.table_id)
        assert (table.state, table.seats) == (TableState.PLAYING, state.table.seats)
        assert (table.round_id, table.round_table) == (current.round_id, state.table.number)
        title, players, *_, seed = club.starter.games[table.game_id]
        assert [each.player_id for each in players] == list(table.seats)  # type: ignore[attr-defined]
        assert title == "1824"
        seeds.add(seed)
    assert len(seeds) == len(current.tables)


def test_a_round_is_published_at_its_time(club: Club) -> None:
    """Until then only directors see it; the thread of the lobby publishes it."""
    event = club.tournament()
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    at_ms = club.clock.now_ms() + 60_000
    scheduled = done(club.rounds.publish(club.director, proposed.round_id, at_ms))
    publisher, rounds = club.lobby.tournaments.publisher, club.lobby.tournaments.rounds
    publisher.publish_all_due()
    assert not scheduled.is_published
    assert rounds.get(club.director.player_id, proposed.round_id).publish_time_ms == at_ms
    with pytest.raises(NotFound):
        rounds.get(club.players[0].player_id, proposed.round_id)
    club.clock.advance(60_000)
    publisher.publish_all_due()
    assert rounds.get(club.players[0].player_id, proposed.round_id).are_tables_made
    assert len(club.starter.games) == 3


def test_a_time_that_is_long_over_publishes_nothing() -> None:
    """A wrong year is not taken for now; a few minutes ago are."""
    club = Club(4)
    event = club.tournament(charter_of(Swiss(1)))
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    club.clock.advance(10 * 24 * HOUR)
    now_ms = club.clock.now_ms()
    refused = club.rounds.publish(club.director, proposed.round_id, now_ms - 2 * HOUR)
    assert (reason(refused), "is over" in refused.sentence) == ("ROUND_NOT_PROPOSED", True)
    known = club.lobby.tournaments.rounds.get(club.director.player_id, proposed.round_id)
    assert not known.publish_time_ms
    assert done(club.rounds.publish(club.director, proposed.round_id, now_ms - HOUR // 2)).is_published


def test_results_come_from_the_games_and_go_when_their_ends_are_undone(club: Club) -> None:
    """Repeated and late statuses change nothing; ratings are the same bytes as if the end had never been."""
    event = club.tournament()
    current = club.published(event.tournament_id)
    first, *others = current.tables.values()
    for state in others:
        club.finish(state)
    reader, rounds = club.lobby.tournaments.reader, club.lobby.tournaments.rounds
    before = reader.leaderboard("")
    club.finish(first)
    club.finish(first)
    version = rounds.get("", current.round_id).version
    assert reader.leaderboard("") != before
    club.follow(first, 10)
    after = rounds.get("", current.round_id)
    assert (after.version, after.tables[first.table.number].result) == (version + 1, None)
    assert reader.leaderboard("") == before
    club.finish(first, sequence=12)
    assert rounds.get("", current.round_id).tables[first.table.number].result is not None


def test_a_missed_end_is_caught_up(club: Club) -> None:
    """The game ended while nobody recorded it in the round."""
    event = club.tournament()
    current = club.published(event.tournament_id)
    state = current.tables[1]
    followed = club.lobby.followed
    club.lobby = replace(club.lobby, followed=replace(followed, when_result=lambda table: None))
    club.finish(state)
    assert club.lobby.tournaments.rounds.get("", current.round_id).tables[1].result is None
    club.lobby.tournaments.publisher.catch_up()
    club.lobby.tournaments.publisher.catch_up()
    after = club.lobby.tournaments.rounds.get("", current.round_id)
    assert after.tables[1].result is not None
    assert after.version == current.version + 1


@pytest.mark.parametrize(
    ("kind", "players", "rounds"),
    [
        (Swiss(2), 9, 2),
        (Heats(2), 9, 2),
        (DuplicateRounds(2), 9, 2),
        (Groups(7, 4), 7, 1),
        (KnockOut(2, has_consolation=True), 8, 2),
        (KnockOut(1), 16, 2),
        (KnockOut(3), 7, 3),
        (KnockOut(3), 16, 5),
    ],
)
def test_every_format_is_played_to_its_end(kind: Format, players: int, rounds: int) -> None:
    """With tables in the lobby, until the format has no further round."""
    club = Club(players)
    event = club.tournament(charter_of(kind))
    for _ in range(rounds):
        club.play(event.tournament_id)
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"
    over = done(club.desk.finish_stage(club.director, event.tournament_id))
    assert sorted(over.stages[0].ranking) == sorted(each.player_id for each in club.players)


def test_the_waiting_list_moves_up(club: Club) -> None:
    """Who is one too many waits, until somebody withdraws; one who has withdrawn may enter again, at the end."""
    charter = replace(SWISS, entries_max=8)
    made = done(club.desk.create(club.director, charter_json(charter)))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    for player in club.players:
        event = done(club.desk.enter(player, made.tournament_id, ("1824",), (5, 4)))
    last, first = club.players[-1].player_id, club.players[0]
    assert (len(event.active()), event.waiting()) == (8, (last,))
    event = done(club.desk.withdraw(first, made.tournament_id, first.player_id, "ill"))
    assert event.entries[last].state is EntryState.ACTIVE
    event = done(club.desk.enter(first, made.tournament_id, (), ()))
    assert event.waiting() == (first.player_id,)


def test_a_standby_joins_the_next_round() -> None:
    """A player withdraws after the first round, and one of the waiting list is admitted."""
    club = Club(10)
    event = club.tournament(charter_of(Swiss(2), entries_max=9))
    standby, gone = club.players[-1], club.players[0].player_id
    assert event.waiting() == (standby.player_id,)
    club.play(event.tournament_id)
    done(club.desk.withdraw(club.director, event.tournament_id, gone, "left"))
    done(club.desk.admit(club.director, event.tournament_id, standby.player_id))
    second = club.play(event.tournament_id)
    seated = {player for each in second.tables.values() for player in each.table.seats}
    assert standby.player_id in seated
    assert gone not in seated
    _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 0)
    by_player = {line.player: line for line in lines}
    assert by_player[gone].is_withdrawn
    assert (by_player[gone].tables, by_player[standby.player_id].tables) == (1, 1)


def test_only_those_who_check_in_are_paired(club: Club) -> None:
    """Where the charter says so; a check-in ends."""
    event = club.tournament(replace(ONE_ROUND, has_check_in=True))
    assert reason(club.desk.check_in(club.players[0], event.tournament_id)) == "CHECK_IN_CLOSED"
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    until = club.clock.now_ms() + 1000
    done(club.desk.open_check_in(club.director, event.tournament_id, 1, until))
    for player in club.players[:4]:
        done(club.desk.check_in(player, event.tournament_id))
    club.clock.advance(2000)
    assert reason(club.desk.check_in(club.players[5], event.tournament_id)) == "CHECK_IN_CLOSED"
    current = club.published(event.tournament_id)
    assert sorted(current.tables[1].table.seats) == sorted(each.player_id for each in club.players[:4])


def test_a_refused_place_passes_down(club: Club) -> None:
    """The fifth plays the final in the place of one who does not want to."""
    event = club.tournament(charter_of(Swiss(1), Swiss(1)))
    club.play(event.tournament_id)
    finished = done(club.desk.finish_stage(club.director, event.tournament_id))
    first, *_, fifth = finished.stages[0].ranking[:5]
    refusing = next(each for each in club.players if each.player_id == first)
    done(club.desk.refuse_place(refusing, event.tournament_id, 1))
    final = done(club.desk.start_stage(club.director, event.tournament_id))
    assert fifth in final.stages[1].entrants
    assert first not in final.stages[1].entrants


def test_an_external_table_takes_a_confirmed_result(club: Club) -> None:
    """Reported by one of its players and confirmed by another; no table is made, and it is marked as not verified."""
    event = club.tournament(replace(ONE_ROUND, titles=(EXTERNAL,)), 4)
    current = club.published(event.tournament_id)
    assert club.starter.games == {}
    seats = current.tables[1].table.seats
    people = {each.player_id: each for each in club.players}
    worths = {player: 100 * number for number, player in enumerate(seats)}
    report = club.rounds.report
    assert reason(report(club.players[5], current.round_id, 1, worths)) == "NOT_DIRECTOR"
    assert reason(report(people[seats[0]], current.round_id, 1, {seats[0]: 5})) == "RESULT_MALFORMED"
    confirm = club.rounds.confirm
    assert reason(confirm(people[seats[1]], current.round_id, 1, worths)) == "NO_RESULT"
    reported = done(report(people[seats[0]], current.round_id, 1, worths))
    assert reported.tables[1].result is None
    assert reason(confirm(people[seats[0]], current.round_id, 1, worths)) == "SECOND_PERSON_NEEDED"
    done(report(people[seats[2]], current.round_id, 1, {**worths, seats[0]: 7}))
    assert reason(confirm(people[seats[1]], current.round_id, 1, worths)) == "RESULT_CHANGED"
    assert reason(confirm(people[seats[1]], current.round_id, 1, {})) == "RESULT_CHANGED"
    done(report(people[seats[0]], current.round_id, 1, worths))
    confirmed = done(confirm(people[seats[1]], current.round_id, 1, worths))
    assert confirmed.tables[1].result.ending == "external"
    assert reason(report(people[seats[0]], current.round_id, 1, worths)) == "RESULT_CONFIRMED"
    _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 0)
    assert lines[0].player == seats[-1]
    assert club.lobby.tournaments.reader.leaderboard("")[0] == ()


def test_an_absence_keeps_a_player_out_of_events_for_a_day(club: Club) -> None:
    """The seat gets no points; one finished game clears the ban."""
    event = club.tournament(replace(ONE_ROUND, titles=(EXTERNAL,)), 4)
    current = club.published(event.tournament_id)
    seats = current.tables[1].table.seats
    missing = next(each for each in club.players if each.player_id == seats[3])
    done(club.rounds.record_no_show(club.director, current.round_id, 1, seats[3], "not at the table"))
    worths = {player: 100 * number for number, player in enumerate(seats)}
    done(club.rounds.report(club.director, current.round_id, 1, worths))
    done(club.rounds.confirm(club.players[0], current.round_id, 1, worths))
    _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 0)
    assert {line.player: line.points for line in lines}[seats[3]] == 0
    other = done(club.desk.create(club.director, charter_json(SWISS)))
    done(club.desk.set_entries(club.director, other.tournament_id, True))
    refused = club.desk.enter(missing, other.tournament_id, (), ())
    assert (reason(refused), refused.retry_after_ms) == ("ENTRY_BANNED", DAY_MS)
    assert "wait 24 h" in refused.sentence
    club.clock.advance(DAY_MS)
    done(club.desk.enter(missing, other.tournament_id, (), ()))


def test_an_absence_is_taken_back(club: Club) -> None:
    """A scorer takes it back with a reason: the seat counts again, and the player enters events; once more changes nothing."""
    event = club.tournament(replace(ONE_ROUND, titles=(EXTERNAL,)), 4)
    current = club.published(event.tournament_id)
    seats, where = current.tables[1].table.seats, (current.round_id, 1)
    done(club.rounds.record_no_show(club.director, *where, seats[3], "not at the table"))
    worths = {player: 100 * number for number, player in enumerate(seats)}
    done(club.rounds.report(club.director, *where, worths))
    done(club.rounds.confirm(club.players[0], *where, worths))
    assert (
        reason(club.rounds.withdraw_no_show(club.players[5], *where, seats[3], "was there")) == "NOT_DIRECTOR"
    )
    for _ in range(2):
        changed = done(club.rounds.withdraw_no_show(club.director, *where, seats[3], "sat in the other hall"))
        assert changed.tables[1].no_shows == ()
    _, lines = club.lobby.tournaments.reader.standings(event.tournament_id, 0)
    assert lines[0].player == seats[3]
    assert club.lobby.tournaments.directory.banned_until_ms(seats[3], event) == 0


def test_conditions_of_the_charter(club: Club) -> None:
    """Rated games, and a director who admits."""
    strict = replace(SWISS, conditions=Conditions(rated_games_min=1))
    made = done(club.desk.create(club.director, charter_json(strict)))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    refused = club.desk.enter(club.players[0], made.tournament_id, (), ())
    assert reason(refused) == "CONDITION_NOT_MET"
    event = club.tournament(ONE_ROUND, 4)
    club.play(event.tournament_id)
    done(club.desk.enter(club.players[0], made.tournament_id, (), ()))
    asked = replace(SWISS, conditions=Conditions(needs_admission=True))
    amended = done(club.desk.amend(club.director, made.tournament_id, charter_json(asked), 1, "small hall"))
    assert amended.charter_version == 2
    event = done(club.desk.enter(club.players[5], made.tournament_id, (), ()))
    assert event.waiting() == (club.players[5].player_id,)
    event = done(club.desk.admit(club.director, made.tournament_id, club.players[5].player_id))
    assert event.waiting() == ()


def test_roles(club: Club) -> None:
    """A director gives them; a scorer confirms results and cannot direct; the last director stays."""
    event = club.tournament(ONE_ROUND, 4)
    scorer = club.players[8]
    give = (event.tournament_id, scorer.player_id, Role.SCORER, True)
    assert reason(club.desk.set_role(scorer, *give)) == "NOT_DIRECTOR"
    done(club.desk.set_role(club.director, *give))
    current = club.published(event.tournament_id)
    seat = current.tables[1].table.seats[0]
    done(club.rounds.record_no_show(scorer, current.round_id, 1, seat, "missing"))
    assert reason(club.desk.finish_stage(scorer, event.tournament_id)) == "NOT_DIRECTOR"
    leave = (event.tournament_id, club.director.player_id, Role.DIRECTOR, False)
    assert reason(club.desk.set_role(club.director, *leave)) == "LAST_DIRECTOR"
    unknown = club.desk.set_role(club.director, event.tournament_id, "nobody", Role.SCORER, True)
    assert reason(unknown) == "PLAYER_UNKNOWN"


def test_a_malformed_charter_is_named_exactly() -> None:
    """By path, or by a sentence."""
    text = charter_json(SWISS)
    for changed, part in (
        (text.replace('"name":"Spring cup"', '"name":7'), "`$.name`"),
        (text.replace('"name":"Spring cup"', '"nmae":"x"'), "nmae"),
        (text.replace('"rounds":3', '"rounds":0'), "stages[0].format.rounds"),
        (text.replace('"players_max":4', '"players_max":9'), "1824"),
        (text.replace('"bye_points":3000000', '"bye_points":90000000000'), "beyond 10000000000"),
        ("{", "truncated"),
    ):
        read = read_charter(changed)
        assert isinstance(read, Rejection)
        assert part in read.sentence
    assert read_charter(text) == SWISS


def test_a_round_whose_title_the_charter_has_lost_is_proposed_again(club: Club) -> None:
    """It is not published, neither by the director nor at its time."""
    event = club.tournament(charter_of(Swiss(1), titles=(TITLE, EXTERNAL)), 4)
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    later_ms = club.clock.now_ms() + 1000
    done(club.rounds.publish(club.director, proposed.round_id, later_ms))
    (lost,) = {each.title for each in proposed.proposal.tables}
    left = tuple(each for each in (TITLE, EXTERNAL) if each.title != lost)
    changed = charter_json(charter_of(Swiss(1), titles=left))
    done(club.desk.amend(club.director, event.tournament_id, changed, 1, "the box is lost"))
    club.clock.advance(2000)
    club.lobby.tournaments.publisher.publish_all_due()
    rounds = club.lobby.tournaments.rounds
    assert not rounds.get(club.director.player_id, proposed.round_id).is_published
    assert reason(club.rounds.publish(club.director, proposed.round_id, 0)) == "TITLE_NOT_OFFERED"
    again = club.published(event.tournament_id)
    assert {each.table.title for each in again.tables.values()} == {each.title for each in left}
