"""What directors change before and between rounds, and what of it everybody sees: charter, check-in, publishing times."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.lobby.domain.tournaments.charter import Charter, Conditions, charter_json
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.reading import ExportFormat
from services.lobby.tournament_messages import tournament_message
from tests.lobby.tournaments.club import EXTERNAL, SWISS, TITLE, Club, charter_of, done, reason

HOUR_MS = 3_600_000


def amended(club: Club, event: Tournament, charter: Charter) -> Any:
    """The tournament with another charter."""
    text, version = charter_json(charter), event.charter_version
    return done(club.desk.amend(club.director, event.tournament_id, text, version, " a larger hall "))


def with_entries(club: Club, charter: Charter) -> Tournament:
    """A tournament that everybody has entered and that has not begun."""
    made = done(club.desk.create(club.director, charter_json(charter)))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    for player in club.players:
        made = done(club.desk.enter(player, made.tournament_id, (), ()))
    event: Tournament = made
    return event


def test_more_places_are_for_those_who_wait() -> None:
    """In their order, before the first stage begins."""
    club = Club(9)
    event = with_entries(club, replace(SWISS, entries_max=6))
    waiting = [each.player_id for each in club.players[6:]]
    assert list(event.waiting()) == waiting
    event = amended(club, event, replace(SWISS, entries_max=8))
    assert list(event.active()[6:]) == waiting[:2]
    assert list(event.waiting()) == waiting[2:]
    done(club.desk.start_stage(club.director, event.tournament_id))
    assert list(amended(club, event, SWISS).waiting()) == waiting[2:]


def test_places_that_are_gone_are_not_given_away() -> None:
    """One of six withdraws after the charter has left five places: nobody moves up."""
    club = Club(7)
    event = with_entries(club, replace(SWISS, entries_max=6))
    event = amended(club, event, replace(SWISS, entries_max=5))
    first, last = club.players[0], club.players[-1].player_id
    event = done(club.desk.withdraw(first, event.tournament_id, first.player_id, ""))
    assert event.waiting() == (last,)
    second = club.players[1]
    event = done(club.desk.withdraw(second, event.tournament_id, second.player_id, ""))
    assert event.waiting() == ()


def test_more_places_wait_for_a_director_who_admits() -> None:
    """Nobody moves up alone, until the charter does not ask for that any more."""
    club = Club(5)
    strict = replace(SWISS, conditions=Conditions(needs_admission=True))
    event = amended(club, with_entries(club, strict), replace(strict, entries_max=8))
    assert len(event.waiting()) == 5
    assert amended(club, event, SWISS).waiting() == ()


def test_a_preferred_title_may_be_taken_away() -> None:
    """The players who prefer it are paired by their other wishes."""
    club = Club(4)
    made = done(club.desk.create(club.director, charter_json(charter_of(Swiss(1), titles=(TITLE, EXTERNAL)))))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    for player in club.players:
        done(club.desk.enter(player, made.tournament_id, (EXTERNAL.title, TITLE.title), ()))
    event = done(club.desk.start_stage(club.director, made.tournament_id))
    amended(club, event, charter_of(Swiss(1)))
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    assert {each.preferences for each in proposed.problem.entrants} == {(TITLE.title,)}


def test_everybody_sees_why_the_charter_was_changed() -> None:
    """Its versions with reason, author and time."""
    club = Club(4)
    event = club.tournament()
    assert tournament_message(event, {}).amendments == []
    shown = tournament_message(amended(club, event, replace(SWISS, text="Lunch is at noon.")), {})
    (made,) = shown.amendments
    assert (made.charter_version, made.reason) == (shown.charter_version, "a larger hall")
    assert (made.author, made.time_ms) == (club.director.player_id, club.clock.now_ms())


def test_nobody_has_checked_in() -> None:
    """The round is not proposed, and the director learns what is missing."""
    club = Club(4)
    event = club.tournament(replace(SWISS, has_check_in=True))
    refused = club.rounds.propose(club.director, event.tournament_id)
    assert reason(refused) == "TOO_FEW_PLAYERS"
    assert refused.sentence == "Nobody has checked in for round 1: open its check-in first."


def test_points_are_taken_from_those_who_play_the_stage() -> None:
    """A penalty of somebody whom the final does not have would count nowhere."""
    club = Club(9)
    event = club.tournament(charter_of(Swiss(1), Swiss(1)))
    club.play(event.tournament_id)
    event = done(club.desk.finish_stage(club.director, event.tournament_id))
    out, winner = event.stages[0].ranking[-1], event.stages[0].ranking[0]
    done(club.desk.give_penalty(club.director, event.tournament_id, out, 1, "late"))
    done(club.desk.start_stage(club.director, event.tournament_id))
    refused = club.desk.give_penalty(club.director, event.tournament_id, out, 1, "late")
    assert reason(refused) == "NOT_ENTERED"
    assert refused.sentence == f"{event.name_of(out)} does not play in the stage 'stage 1'."
    done(club.desk.give_penalty(club.director, event.tournament_id, winner, 1, "late"))


def test_a_rejected_pairing_names_players() -> None:
    """By their names, not by their ids."""
    club = Club(4)
    event = club.tournament()
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    seats = proposed.proposal.tables[0].seats
    for given, sentence in (
        (seats[1:], f"'{event.name_of(seats[0])}' is not seated."),
        ((*seats, seats[0]), f"'{event.name_of(seats[0])}' is seated 2 times."),
        ((*seats, "nobody"), "'nobody' does not play in this round."),
    ):
        refused = club.rounds.override(club.director, proposed.round_id, [("1824", given)], "friends")
        assert refused.sentence == sentence


def test_the_calendar_has_rounds_that_will_be_published() -> None:
    """Their time without their tables, which only directors see before."""
    club = Club(4)
    event = club.tournament()
    proposed = done(club.rounds.propose(club.director, event.tournament_id))

    def calendar() -> str:
        _, content = club.lobby.tournaments.reader.exported(event.tournament_id, ExportFormat.ICALENDAR)
        return content.decode()

    assert "VEVENT" not in calendar()
    done(club.rounds.publish(club.director, proposed.round_id, club.clock.now_ms() + HOUR_MS))
    assert "round 1" in calendar()
    assert "Player" not in calendar()
    club.clock.advance(HOUR_MS)
    club.lobby.tournaments.publisher.publish_all_due()
    assert "Player 1" in calendar()


def test_who_does_not_take_part_is_told_so() -> None:
    """Checking in, refusing a place and withdrawing twice; and the first stage is left by withdrawing."""
    club = Club(4)
    event = club.tournament(charter_of(Swiss(1), Swiss(1)))
    player, named = club.players[0], event.tournament_id
    first = club.desk.refuse_place(player, named, 0)
    assert (reason(first), first.sentence) == ("STAGE_BEGUN", "Who does not play the first stage withdraws.")
    done(club.desk.withdraw(player, named, player.player_id, ""))
    for refused in (
        club.desk.check_in(player, named),
        club.desk.refuse_place(player, named, 1),
        club.desk.withdraw(player, named, player.player_id, ""),
    ):
        assert (reason(refused), refused.sentence) == (
            "NOT_ENTERED",
            "You do not take part in this tournament.",
        )
