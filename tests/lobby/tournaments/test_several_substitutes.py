"""A seat that several take over, one after the other, and substitutions that were recorded by mistake."""

from __future__ import annotations

from typing import Any

import pytest

from services.common.auth.tokens import Principal
from services.lobby.domain.games import SeatBearer
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rounds.round import Round, TableState
from services.lobby.domain.tournaments.rounds.settling import settled_result
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.policy import Credit, ScoringPolicy
from services.lobby.ports import DirectionRefused
from services.lobby.presets.loading import SYSTEMS
from services.lobby.tournament_messages import round_message
from tests.lobby.tournaments.club import Club, WillingDirector, charter_of, done, reason

POINT = 1_000_000


class Played:
    """A round with one table, whose first seat Sue takes, and then Tom."""

    def __init__(self, credit: Credit = "split") -> None:
        self.game = WillingDirector()
        self.club = Club(4, director=self.game)
        scoring = ScoringPolicy(SYSTEMS["place"], credit=credit)
        self.event = self.club.tournament(charter_of(Swiss(1), scoring=scoring))
        self.round_id = self.club.published(self.event.tournament_id).round_id
        self.seat = self.state.table.seats[0]
        self.sue, self.tom = (
            self.club.standby(self.club.person(name), self.event.tournament_id) for name in ("Sue", "Tom")
        )

    @property
    def round(self) -> Round:
        """As it is now."""
        return self.club.lobby.tournaments.rounds.get("", self.round_id)

    @property
    def state(self) -> TableState:
        """Of the table."""
        return self.round.tables[1]

    @property
    def names(self) -> list[str]:
        """The substitutes, the last at the end."""
        return [each.substitute.name for each in self.state.substitutions]

    @property
    def bearers(self) -> list[str]:
        """To whom the game gave the seat, one after the other."""
        return [each.assign_seat.bearer for each in self.game.directions]

    def put(self, who: Principal, turns: tuple[int, int] = (0, 0)) -> Any:
        """A director has somebody play the seat."""
        given = self.round_id, 1, self.seat, who.player_id, turns, "ill"
        return self.club.substitutions.record(self.club.director, *given)

    def withdraw(self, who: Principal, caller: Principal | None = None, why: str = "the wrong one") -> Any:
        """A director takes a substitution back."""
        given = self.round_id, 1, self.seat, who.player_id, why
        return self.club.substitutions.withdraw(caller or self.club.director, *given)

    def hear(self, who: str, sequence: int) -> None:
        """The lobby hears who plays the seat."""
        self.club.follow(self.state, sequence, bearers=(SeatBearer(self.seat, who, "substitute"),))
        self.game.sequence = sequence

    def points(self) -> dict[str, int]:
        """In the standings, of the player and the two substitutes."""
        points = {each.player: each.points for each in stage_standings(self.event, 0, [self.round])}
        people = {"player": self.seat, "Sue": self.sue.player_id, "Tom": self.tom.player_id}
        return {name: points[who] for name, who in people.items() if who in points}


@pytest.mark.parametrize(
    ("credit", "wanted"),
    [
        ("original", {"player": 5 * POINT}),
        ("substitute", {"player": 0, "Sue": 2 * POINT, "Tom": 3 * POINT}),
        ("split", {"player": 2 * POINT + POINT // 2, "Sue": POINT, "Tom": 3 * POINT // 2}),
        ("average", {"player": 11 * POINT // 4}),
    ],
)
def test_both_substitutes_get_their_credit(credit: Credit, wanted: dict[str, int]) -> None:
    """By the turns that the director gives for each, in any order; the game is left alone then."""
    played = Played(credit)
    done(played.put(played.sue))
    done(played.put(played.tom))
    assert played.bearers == [played.sue.player_id, played.tom.player_id]
    assert played.names == ["Sue", "Tom"]
    done(played.put(played.tom, (6, 20)))
    done(played.put(played.sue, (4, 20)))
    assert (len(played.bearers), played.names) == (2, ["Sue", "Tom"])
    assert reason(played.put(played.sue, (15, 20))) == "RESULT_MALFORMED"
    played.club.finish(played.state)
    assert played.points() == wanted


def test_the_turns_of_each_come_from_the_game() -> None:
    """Without a clock its events stand for them; who was not recorded while the lobby was away is recorded from the game."""
    played = Played()
    played.hear(played.sue.player_id, 10)
    played.hear(played.tom.player_id, 14)
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.names == ["Sue", "Tom"]
    played.club.finish(played.state, sequence=20)
    result = settled_result(played.round, played.state)
    assert result is not None
    seat = result.seats[0]
    assert [each.turns for each in seat.all_substitutes] == [4, 7]
    assert (seat.substitute, seat.substitute_turns, seat.turns) == (played.tom.player_id, 7, 20)
    sent = round_message(played.round).tables[0].result.seats[0]
    people = (played.sue.player_id, 4), (played.tom.player_id, 7)
    assert [(each.player_id, each.turns) for each in sent.all_substitutes] == [*people]
    assert played.points() == {"player": 2_250_000, "Sue": POINT, "Tom": 1_750_000}


def test_a_substitution_is_taken_back_and_the_seat_returns() -> None:
    """To the substitute before, then to the player; what the game shows of it later is not recorded again."""
    played = Played()
    done(played.put(played.sue))
    played.hear(played.sue.player_id, 5)
    done(played.put(played.tom))
    assert reason(played.withdraw(played.tom, why=" ")) == "REASON_MISSING"
    assert reason(played.withdraw(played.tom, played.tom)) == "NOT_DIRECTOR"
    done(played.withdraw(played.tom))
    assert (played.names, played.bearers[-1]) == (["Sue"], played.sue.player_id)
    done(played.withdraw(played.tom))
    done(played.withdraw(played.sue))
    assert (played.names, played.bearers[-1]) == ([], played.seat)
    assert len(played.bearers) == 4
    played.club.lobby.tournaments.publisher.catch_up()
    played.hear(played.seat, 9)
    played.club.finish(played.state)
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.names == []
    assert played.points() == {"player": 5 * POINT}


def test_after_the_end_of_the_game_only_the_record_is_taken_back() -> None:
    """Of one of several too; what the game refuses is not recorded."""
    played = Played()
    done(played.put(played.sue))
    done(played.put(played.tom))
    played.game.failure = DirectionRefused("bearer_not_possible", "That seat is taken.")
    assert reason(played.withdraw(played.tom)) == "DIRECTION_REFUSED"
    assert played.names == ["Sue", "Tom"]
    done(played.withdraw(played.sue))
    played.hear(played.tom.player_id, 5)
    played.club.follow(
        played.state,
        9,
        ending="bank_broken",
        bearers=(SeatBearer(played.seat, played.tom.player_id, "substitute"),),
    )
    done(played.withdraw(played.tom))
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.names == []


def test_a_seat_given_anew_after_that_is_recorded() -> None:
    """A director gives it at the table itself."""
    played = Played()
    done(played.put(played.sue))
    played.hear(played.sue.player_id, 1)
    done(played.withdraw(played.sue))
    played.hear(played.seat, 3)
    played.hear(played.sue.player_id, 5)
    played.club.lobby.tournaments.publisher.catch_up()
    assert played.names == ["Sue"]
