"""A lobby that dies at any append: nothing is missing or doubled once it is started again and the request is repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.common.eventlog.memory import MemoryEventLog
from services.lobby.domain.tables import TableState
from services.lobby.domain.tournaments.rounds.round import Round
from tests.lobby.tournaments.club import ONE_ROUND, Club, done, reason
from tests.mortal_log import Killed, MortalLog

PLAYERS = 9
TABLES = 3


def interrupted(club: Club, log: MortalLog, number: int, is_written: bool, act: Callable[[], Any]) -> bool:
    """Whether the lobby died at that append; it is started again."""
    log.left, log.is_written = number, is_written
    try:
        act()
    except Killed:
        club.open()
        return True
    finally:
        log.left = 0
    return False


def facts(log: MemoryEventLog, event_id: str) -> list[tuple[str, str]]:
    """The kinds of events that the log has of the event and its tables."""
    return sorted(
        (each.stream.split(".")[1], each.type)
        for each in log.read_all(limit=100_000)
        if event_id in each.stream or each.stream.startswith("lobby.table.")
    )


@pytest.mark.parametrize("is_written", [False, True])
def test_publishing_a_round_survives_death_at_every_append(is_written: bool) -> None:
    """Schedule, publication, each table, each beginning, the mark that all are made: the log is that of an undisturbed lobby."""
    undisturbed: list[tuple[str, str]] = []
    for number in range(40):
        log = MortalLog()
        club = Club(PLAYERS, log)
        event = club.tournament()
        proposed = done(club.rounds.propose(club.director, event.tournament_id))

        def publish(club: Club = club, round_id: str = proposed.round_id) -> Any:
            return club.lobby.tournaments.rounds.publish(club.director, "publish", round_id, 0)

        has_died = interrupted(club, log, number, is_written, publish)
        if has_died and number % 2:
            # The host finishes by itself what was scheduled; without that the director repeats the request.
            club.lobby.tournaments.publisher.publish_all_due()
        done(publish())
        club.lobby.tournaments.publisher.publish_all_due()
        current: Round = club.lobby.tournaments.rounds.get("", proposed.round_id)
        assert current.are_tables_made
        assert len(club.starter.games) == TABLES
        for state in current.tables.values():
            assert club.lobby.tables.get(state.table.table_id).state is TableState.PLAYING
        if number == 0:
            undisturbed = facts(log, event.tournament_id)
        assert facts(log, event.tournament_id) == undisturbed
        if number and not has_died:
            assert number > 2 * TABLES
            return
    raise AssertionError("there is no end of appends")


@pytest.mark.parametrize("is_written", [False, True])
def test_a_result_survives_death_at_every_append(is_written: bool) -> None:
    """The end of a game and its result in the round: recorded once, by the next start or the repeated status."""
    for number in range(1, 10):
        log = MortalLog()
        club = Club(4, log)
        event = club.tournament(ONE_ROUND)
        current = club.published(event.tournament_id)
        state = current.tables[1]
        has_died = interrupted(club, log, number, is_written, lambda c=club, s=state: c.finish(s))  # type: ignore[misc]
        club.finish(state)
        club.lobby.tournaments.publisher.catch_up()
        types = [each.type for each in log.read(f"lobby.round.{current.round_id}")]
        assert types.count("result_recorded") == 1
        if not has_died:
            return
    raise AssertionError("there is no end of appends")


def test_repeated_requests_get_their_first_answers() -> None:
    """Also after the tournament went on; the same id with other content is refused."""
    club = Club(9)
    event = club.tournament()
    rounds, desk = club.lobby.tournaments.rounds, club.lobby.tournaments.handlers
    proposed = done(rounds.propose(club.director, "p", event.tournament_id))
    published = done(rounds.publish(club.director, "q", proposed.round_id, 0))
    assert done(rounds.propose(club.director, "p", event.tournament_id)) == proposed
    assert done(rounds.publish(club.director, "q", proposed.round_id, 0)).tables == published.tables
    posted = done(desk.post(club.director, "a", event.tournament_id, "Lunch at noon"))
    done(desk.post(club.director, "b", event.tournament_id, "Lunch at one"))
    assert done(desk.post(club.director, "a", event.tournament_id, "Lunch at noon")) == posted
    other = desk.post(club.director, "a", event.tournament_id, "Lunch at two")
    assert reason(other) == "REQUEST_ID_REUSED"
