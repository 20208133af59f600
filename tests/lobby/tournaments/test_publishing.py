"""What keeps a round from being published, and who makes its tables."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.lobby.domain.tournaments.charter import Charter, charter_json
from services.lobby.domain.tournaments.formats.stages import Format, Groups, KnockOut, Swiss
from services.lobby.tournament_messages import round_message
from tests.lobby.tournaments.club import SWISS, TITLE, Club, charter_of, done, reason


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


@pytest.mark.parametrize("kind", [Swiss(1), KnockOut(2), Groups(4, 4, 1)])
def test_a_pair_that_was_forbidden_after_the_proposal_is_not_published(kind: Format) -> None:
    """Neither by the director nor at its time, and not by other tables that have it; the next proposal keeps the two apart."""
    club = Club(8)
    charter = charter_of(kind)
    event = club.tournament(charter)
    proposed = done(club.rounds.propose(club.director, event.tournament_id))
    done(club.rounds.publish(club.director, proposed.round_id, club.clock.now_ms() + 1000))
    table = proposed.proposal.tables[1]
    pair = table.seats[:2]
    amend(club, event.tournament_id, replace(charter, forbidden=(pair,)))
    club.clock.advance(2000)
    club.lobby.tournaments.publisher.publish_all_due()
    (draft,) = club.lobby.tournaments.reader.rounds(club.director.player_id, event.tournament_id)
    assert not draft.is_published
    refused = club.rounds.publish(club.director, proposed.round_id, 0)
    assert reason(refused) == "PAIR_FORBIDDEN"
    for player in club.players:
        assert (player.name in refused.sentence) == (player.player_id in pair)
    same = [(each.title, each.seats) for each in proposed.proposal.tables]
    refused = club.rounds.override(club.director, proposed.round_id, same, "as they were")
    assert reason(refused) == "NO_ARRANGEMENT"
    again = club.published(event.tournament_id)
    assert all(not set(pair) <= set(each.table.seats) for each in again.tables.values())


def test_other_tables_make_a_round_publishable_after_a_pair_was_forbidden() -> None:
    """An override that keeps the two apart needs no new proposal."""
    club = Club(8)
    event = club.tournament()
    first, second = done(club.rounds.propose(club.director, event.tournament_id)).proposal.tables
    amend(club, event.tournament_id, replace(SWISS, forbidden=(first.seats[:2],)))
    tables = [
        (first.title, (second.seats[0], *first.seats[1:])),
        (second.title, (first.seats[0], *second.seats[1:])),
    ]
    round_id = f"{event.tournament_id}.0.1"
    done(club.rounds.override(club.director, round_id, tables, "they fell out"))
    assert done(club.rounds.publish(club.director, round_id, 0)).is_published


def test_hours_and_sizes_that_the_charter_has_changed_are_not_published() -> None:
    """More hours that a table must share, and a title for fewer players than sit at its table."""
    club = Club(4)
    made = done(club.desk.create(club.director, charter_json(SWISS)))
    event_id = made.tournament_id
    done(club.desk.set_entries(club.director, event_id, True))
    for number, player in enumerate(club.players):
        done(club.desk.enter(player, event_id, (), (1, 2, 3 + number)))
    done(club.desk.start_stage(club.director, event_id))
    round_id = done(club.rounds.propose(club.director, event_id)).round_id
    amend(club, event_id, replace(SWISS, hours_min=3))
    refused = club.rounds.publish(club.director, round_id, 0)
    assert (reason(refused), "Table 1" in refused.sentence) == ("HOURS_DO_NOT_OVERLAP", True)
    amend(club, event_id, replace(SWISS, titles=(replace(TITLE, players_max=3),)))
    refused = club.rounds.publish(club.director, round_id, 0)
    assert (reason(refused), "1824 for 4 players" in refused.sentence) == ("TITLE_NOT_OFFERED", True)
    amend(club, event_id, replace(SWISS, hours_min=2))
    assert done(club.rounds.publish(club.director, round_id, 0)).is_published


def amend(club: Club, event_id: str, charter: Charter) -> None:
    """Another charter for an event that runs."""
    version = club.lobby.tournaments.reader.tournament(event_id).charter_version
    done(club.desk.amend(club.director, event_id, charter_json(charter), version, "a quarrel"))


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
