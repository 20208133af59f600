"""Publishing a round and ending its stage at the same time, or changing who plays: what comes first counts for both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import Thread
from typing import Any

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.common.eventlog.port import AppendResult, NewRecord, RequestRecord
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import AdjudicationKind
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.tournament_check import check_streams
from tests.lobby.tournaments.club import ONE_ROUND, Club, charter_of, done, reason

TWO_STAGES = charter_of(Swiss(3), Swiss(1))


class BusyLog(MemoryEventLog):
    """Something else happens right before the append of this number, counted from the start of the race."""

    def __init__(self) -> None:
        super().__init__(ManualClock())
        self.left = 0
        self.other: Callable[[], Any] = lambda: None

    def append(
        self, stream: str, expected: int, records: Sequence[NewRecord], request: RequestRecord | None = None
    ) -> AppendResult:
        """See `EventLog`."""
        if self.left:
            self.left -= 1
            if not self.left:
                self.other()
        return super().append(stream, expected, records, request)


def raced(number: int, other: str) -> bool:
    """A second round is published, and right before one of its appends something else happens. Whether there was that append."""
    log = BusyLog()
    club = Club(9, log)
    event = club.tournament(TWO_STAGES)
    club.play(event.tournament_id)
    draft = done(club.rounds.propose(club.director, event.tournament_id))
    answers: list[Any] = []
    leaving = club.players[0]
    others: dict[str, Callable[[], Any]] = {
        "finish": lambda: club.desk.finish_stage(club.director, event.tournament_id),
        "withdraw": lambda: club.desk.withdraw(leaving, event.tournament_id, leaving.player_id, ""),
        "override": lambda: club.rounds.override(
            club.director,
            draft.round_id,
            [(each.title, tuple(reversed(each.seats))) for each in draft.proposal.tables],
            "a lift home",
        ),
    }
    log.other = lambda: answers.append(others[other]())
    log.left = number
    club.rounds.publish(club.director, draft.round_id, 0)
    was_raced, log.left = log.left == 0, 0
    club.lobby.tournaments.publisher.publish_all_due()
    if was_raced:
        check_outcome(club, other, answers[0], draft)
    return was_raced


def check_outcome(club: Club, other: str, answer: Any, draft: Round) -> None:
    """One of the two came first, for both."""
    director: Any = club.director
    now = club.lobby.tournaments.rounds.get(director.player_id, draft.round_id)
    tournament: Any = club.lobby.tournaments.reader.tournament(now.tournament_id)
    if other == "finish":
        assert tournament.stages[0].is_finished is not now.is_published, "one of the two came first"
        assert isinstance(answer, Rejection) is now.is_published
        listed = {each.round_id: each.version for each in tournament.stages[0].rounds}
        assert not now.is_published or now.round_id not in listed
    elif other == "override":
        seats = [each.table.seats for each in now.tables.values()]
        drawn = [each.seats for each in draft.proposal.tables]
        wanted = drawn if isinstance(answer, Rejection) else [tuple(reversed(each)) for each in drawn]
        assert seats in ([], wanted)
    else:
        events = [each.type for each in club.log.read(f"lobby.tournament.{now.tournament_id}")]
        is_after = events[: events.index("entry_withdrawn")].count("round_released") == 2
        seated = {player for each in draft.proposal.tables for player in each.seats}
        assert now.is_published is (is_after or club.players[0].player_id not in seated)
    checked = check_streams(club.log, now.tournament_id)
    assert checked is not None and checked.problems == ()


@pytest.mark.parametrize("other", ["finish", "withdraw", "override"])
def test_publishing_races(other: str) -> None:
    """Before every append of publishing a round."""
    numbers = range(1, 30)
    races = [raced(number, other) for number in numbers]
    assert races[3] and not races[-1]


def test_a_stage_ends_while_its_round_is_published_by_another_replica() -> None:
    """Two lobbies over one log, in threads: the round counts, or it is not published."""
    for _ in range(15):
        club = Club(5, MemoryEventLog(ManualClock()))
        event = club.tournament(TWO_STAGES)
        club.play(event.tournament_id)
        draft = done(club.rounds.propose(club.director, event.tournament_id))
        first = club.lobby
        second = club.open()
        answers: list[Any] = []
        finish = partial(second.tournaments.handlers.finish_stage, club.director, "f", event.tournament_id)

        def answer(finish: Callable[[], Any] = finish, answers: list[Any] = answers) -> None:
            answers.append(finish())

        threads = [
            Thread(target=first.tournaments.rounds.publish, args=(club.director, "p", draft.round_id, 0)),
            Thread(target=answer),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_outcome(club, "finish", answers[0], draft)


def test_a_tournament_does_not_end_while_a_table_is_made() -> None:
    """Also where it was ruled on before it could begin."""
    club = Club(4)
    event = club.tournament(ONE_ROUND)
    club.starter.is_failing = True
    current = club.published(event.tournament_id)
    assert not current.are_tables_made
    done(
        club.rounds.adjudicate(
            club.director, current.round_id, 1, Ruling(AdjudicationKind.VOID), "cannot begin"
        )
    )
    refused = club.desk.finish_stage(club.director, event.tournament_id)
    assert reason(refused) == "ROUND_UNFINISHED"
    assert "tables are being made: 1" in refused.sentence
    club.starter.is_failing = False
    club.lobby.tournaments.publisher.publish_all_due()
    done(club.desk.finish_stage(club.director, event.tournament_id))
