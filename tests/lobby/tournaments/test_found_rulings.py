"""Rulings that a game has and its round has not: the lobby died before it recorded them, or they were made at the table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gen.signalbox.events.v1.events_pb2 import Score
from services.gen.signalbox.rules.v1.direction_pb2 import Direction, EndGame, RollBack
from services.lobby.domain.games import GameResult
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    Award,
)
from tests.lobby.tournaments.club import done
from tests.lobby.tournaments.test_directing import CORRECTION, ROLL_BACK, Round, end_of
from tests.lobby.tournaments.test_interrupted import interrupted
from tests.mortal_log import MortalLog


@pytest.mark.parametrize("second_person", [False, True])
@pytest.mark.parametrize("kind", ["roll_back", "correct", "award"])
def test_a_ruling_that_the_game_has_before_the_lobby_died_is_in_its_round(
    kind: str, second_person: bool
) -> None:
    """With author, reason, what was ruled and who confirmed it, without the repeated request; that finds it recorded, once."""
    log = MortalLog()
    played = Round(log, second_person)
    seats = played.table.seats
    ruling = {"roll_back": ROLL_BACK, "correct": CORRECTION, "award": end_of(seats)}[kind]

    def rule(request: str) -> Any:
        rounds = played.club.lobby.tournaments.rounds
        if second_person:
            return rounds.confirm_adjudication(played.second, request, *played.where, 1)
        return rounds.adjudicate(played.club.director, request, *played.where, ruling, "the hall closes")

    if second_person:
        done(played.club.rounds.adjudicate(played.club.director, *played.where, ruling, "the hall closes"))
    assert interrupted(played.club, log, 1, False, lambda: rule("r"))
    assert len(played.game.done) == 1
    results = tuple(GameResult(each.player_id, each.worth) for each in reversed(ruling.worths))
    ending = "ended_by_director" if results else ""
    played.club.follow(played.current.tables[1], 11, ruling_count=1, ending=ending, results=results)
    publisher = played.club.lobby.tournaments.publisher
    publisher.catch_up()
    publisher.catch_up()
    (recorded,) = played.state().adjudications
    made = recorded.made
    assert (made.kind, made.sequence, made.transfer, made.worths, made.expected_sequence) == (
        *(ruling.kind, ruling.sequence, ruling.transfer, ruling.worths),
        9,
    )
    assert (made.author, made.reason) == (played.club.director.player_id, "the hall closes")
    assert recorded.confirmed_by == (played.second.player_id if second_person else "")
    assert recorded.counts
    assert played.positions.asked == 1
    done(rule("r"))
    done(rule("another"))
    assert played.state().adjudications == (recorded,)


def test_what_was_decided_at_the_table_is_in_the_round() -> None:
    """All of it, in its order, also where a ruling of the round was made meanwhile; a decision that waits for its second person
    waits on, unless the game has it."""
    played = Round()
    director = played.club.director
    done(played.direct(director, Direction(reason="a wrong click", roll_back=RollBack(to_sequence=7))))
    later = replace(CORRECTION, expected_sequence=11)
    done(played.club.rounds.adjudicate(director, *played.where, later, "paid too little"))
    played.club.follow(played.current.tables[1], 13, ruling_count=2)
    played.club.lobby.tournaments.publisher.catch_up()
    assert [(each.made.kind, each.made.expected_sequence) for each in played.state().adjudications] == [
        (AdjudicationKind.CORRECT, 11),
        (AdjudicationKind.ROLL_BACK, 9),
    ]
    asked = played.positions.asked
    played.club.lobby.tournaments.publisher.catch_up()
    assert (played.positions.asked, len(played.state().adjudications)) == (asked, 2)


def test_a_confirmed_ruling_that_another_one_followed_is_recorded_anew() -> None:
    """Only the latest can be confirmed: the game has the first, which waits in the round."""
    log = MortalLog()
    played = Round(log, second_person=True)
    done(played.club.rounds.adjudicate(played.club.director, *played.where, ROLL_BACK, "a wrong click"))
    confirm = played.club.lobby.tournaments.rounds.confirm_adjudication
    assert interrupted(played.club, log, 1, False, lambda: confirm(played.second, "c", *played.where, 1))
    done(
        played.club.rounds.adjudicate(
            played.club.director, *played.where, Ruling(AdjudicationKind.CONTINUE), "x"
        )
    )
    played.club.follow(played.current.tables[1], 11, ruling_count=1)
    for _ in range(2):
        played.club.lobby.tournaments.publisher.catch_up()
        waiting, _, recorded = played.state().adjudications
        assert (waiting.counts, recorded.counts, recorded.made.kind) == (
            False,
            True,
            AdjudicationKind.ROLL_BACK,
        )


def test_points_of_an_award_that_the_game_has_are_recorded_by_its_repetition() -> None:
    """The game knows the worths only. The repetition ends it no second time, and a later decision at the table is still found."""
    log = MortalLog()
    played = Round(log)
    director, seats = played.club.director, played.table.seats
    awards = tuple(Award(player, 1_000_000 * number) for number, player in enumerate(reversed(seats), 1))
    ruling = replace(end_of(seats), awards=awards)

    def rule(request: str) -> Any:
        rounds = played.club.lobby.tournaments.rounds
        return rounds.adjudicate(director, request, *played.where, ruling, "the hall closes")

    assert interrupted(played.club, log, 1, False, lambda: rule("r"))
    state = played.current.tables[1]
    results = tuple(GameResult(each.player_id, each.worth) for each in reversed(ruling.worths))
    played.club.follow(state, 11, ruling_count=1, ending="ended_by_director", results=results)
    publisher = played.club.lobby.tournaments.publisher
    publisher.catch_up()
    for request in ("r", "r", "another"):
        done(rule(request))
        assert played.points() == {each.player_id: each.points for each in awards}
    assert len(played.game.done) == 1
    assert [each.made.awards for each in played.state().adjudications] == [(), awards]
    done(played.direct(director, Direction(reason="too early", roll_back=RollBack(to_sequence=7))))
    played.club.follow(state, 13, ruling_count=2)
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.state().adjudications[-1].made.kind is AdjudicationKind.ROLL_BACK


def test_points_that_are_awarded_after_an_end_at_the_table_stay() -> None:
    """The end, which the round does not have yet, is recorded before them, so they are the latest award."""
    played = Round()
    director, seats = played.club.director, played.table.seats
    end = end_of(seats)
    scores = [Score(player=each.player_id, value=each.worth) for each in end.worths]
    done(played.direct(director, Direction(reason="the hall closes", end_game=EndGame(scores=scores))))
    results = tuple(GameResult(each.player_id, each.worth) for each in reversed(end.worths))
    state = played.current.tables[1]
    played.club.follow(state, 11, ruling_count=1, ending="ended_by_director", results=results)
    awards = tuple(Award(player, 1_000_000 * number) for number, player in enumerate(seats, 1))
    done(
        played.club.rounds.adjudicate(director, *played.where, Ruling(AdjudicationKind.AWARD, awards), "just")
    )
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.points() == {each.player_id: each.points for each in awards}
    assert [bool(each.made.worths) for each in played.state().adjudications] == [True, False]
