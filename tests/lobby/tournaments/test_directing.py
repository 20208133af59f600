"""What directors of tournaments decide about the games of their tables: carried out once, then recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.gen.signalbox.events.v1.events_pb2 import BEARER_KIND_BOT
from services.gen.signalbox.rules.v1 import direction_pb2 as pb
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.lobby.domain.games import GameResult, SeatBearer
from services.lobby.domain.players import Player
from services.lobby.domain.positions import GameRuling, MoneyTransfer, Position, SeatWorth
from services.lobby.domain.tournaments.formats.stages import Swiss
from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import (
    AdjudicationKind,
    Award,
    FinalWorth,
)
from services.lobby.domain.tournaments.tournament import Role
from services.lobby.ports import DirectionRefused, GameMovedOn
from tests.lobby.tournaments.club import (
    EXTERNAL,
    ONE_ROUND,
    Club,
    WillingDirector,
    charter_of,
    done,
    reason,
)
from tests.lobby.tournaments.test_interrupted import interrupted
from tests.mortal_log import MortalLog

SUSPEND = Direction(reason="a storm", suspend=pb.Suspend())
END = Direction(reason="a storm", end_game=pb.EndGame())
ROLL_BACK = Ruling(AdjudicationKind.ROLL_BACK, sequence=7, expected_sequence=9)
CORRECTION = Ruling(
    AdjudicationKind.CORRECT, transfer=MoneyTransfer("BB", "bank", 50, "BB"), expected_sequence=9
)


class Round:
    """A club whose first round is published: one table, played here."""

    def __init__(
        self, log: MortalLog | None = None, second_person: bool = False, has_house_bots: bool = False
    ) -> None:
        self.game = WillingDirector()
        self.positions = DecidedGames(self.game)
        self.club = Club(4, log, self.game, self.positions, has_house_bots)
        self.second = self.club.person("Silvia")
        charter = replace(ONE_ROUND, second_person_in=("stage 0",) if second_person else ())
        self.event_id = self.club.tournament(charter).tournament_id
        give = (self.event_id, self.second.player_id, Role.DIRECTOR, True)
        done(self.club.desk.set_role(self.club.director, *give))
        self.current = self.club.published(self.event_id)
        self.table = self.current.tables[1].table
        self.where = (self.current.round_id, 1)

    def standby(self, name: str) -> Principal:
        """Somebody who waits for a seat of the event."""
        return self.club.standby(self.club.person(name), self.event_id)

    def state(self) -> Any:
        """The table of the round as it is now."""
        return self.club.lobby.tournaments.rounds.get("", self.current.round_id).tables[1]

    def points(self) -> dict[str, int]:
        """The points of the standings."""
        _, lines = self.club.lobby.tournaments.reader.standings(self.event_id, 0)
        return {line.player: line.points for line in lines}

    def direct(self, caller: Principal, direction: Direction) -> Any:
        """What a caller decides at the table in the lobby."""
        directing = self.club.lobby.directing
        return directing.direct(caller, False, self.club.request(), self.table.table_id, 9, direction)


def test_directors_of_the_tournament_direct_its_games() -> None:
    """Players and strangers do not."""
    played = Round()
    done(played.direct(played.club.director, SUSPEND))
    done(played.direct(played.second, END))
    assert reason(played.direct(played.club.players[0], SUSPEND)) == "NOT_DIRECTOR"
    assert len(played.game.done) == 2


def test_a_director_who_plays_at_a_table_does_not_decide_about_its_game() -> None:
    """Except for what leaves the position as it is."""
    played = Round()
    player = played.club.players[0]
    give = (played.event_id, player.player_id, Role.DIRECTOR, True)
    done(played.club.desk.set_role(played.club.director, *give))
    assert reason(played.direct(player, END)) == "DIRECTOR_IS_PARTY"
    done(played.direct(player, SUSPEND))


def test_nobody_says_who_confirmed_a_decision() -> None:
    """Only the lobby does."""
    played = Round()
    done(
        played.direct(
            played.club.director, Direction(reason="x", confirmed_by="Silvia", suspend=pb.Suspend())
        )
    )
    assert played.game.directions[0].confirmed_by == ""


def test_what_changes_a_position_needs_the_second_person_of_the_stage() -> None:
    """Suspending does not; ending goes by way of an adjudication."""
    played = Round(second_person=True)
    done(played.direct(played.club.director, SUSPEND))
    assert reason(played.direct(played.club.director, END)) == "SECOND_PERSON_NEEDED"


def test_a_substitute_plays_the_seat_and_is_recorded() -> None:
    """Repeated with the turns once the seat is taken, only the record changes; what the game refuses is not recorded."""
    played = Round()
    sue = played.standby("Sue")
    seat = played.table.seats[0]
    given = (played.club.director, *played.where, seat, sue.player_id)
    done(played.club.substitutions.record(*given, (0, 0), "ill"))
    (direction,) = played.game.directions
    assert (direction.assign_seat.seat, direction.assign_seat.bearer) == (seat, sue.player_id)
    bearers = (SeatBearer(seat, sue.player_id, "substitute"),)
    played.club.follow(played.current.tables[1], 9, bearers=bearers)
    done(played.club.substitutions.record(*given, (3, 20), "ill"))
    assert len(played.game.done) == 1
    (recorded,) = played.state().substitutions
    assert (recorded.substitute_turns, recorded.turns) == (3, 20)
    played.game.failure = DirectionRefused("game_finished", "The game is over.")
    olga = played.standby("Olga")
    late = (played.club.director, *played.where, seat, olga.player_id, (0, 0), "late")
    assert reason(played.club.substitutions.record(*late)) == "DIRECTION_REFUSED"
    assert played.state().substitutions == (recorded,)


def test_a_bot_of_the_house_plays_on() -> None:
    """As the bot of its seat, where the host runs bots; nobody plays for a bot at an external table."""
    played = Round(has_house_bots=True)
    seat = played.table.seats[1]
    given = (played.club.director, *played.where, seat, "", (0, 0), "ill", True)
    done(played.club.substitutions.record(*given))
    (direction,) = played.game.directions
    assigned = direction.assign_seat
    assert (assigned.seat, assigned.bearer, assigned.kind) == (seat, "house-bot-2", BEARER_KIND_BOT)
    (recorded,) = played.state().substitutions
    assert recorded.substitute == Player("house-bot-2", "House bot 2")
    without = Round()
    given = (without.club.director, *without.where, without.table.seats[1], "", (0, 0), "ill", True)
    assert reason(without.club.substitutions.record(*given)) == "ACCOUNT_UNKNOWN"
    club = Club(4, has_house_bots=True)
    current = club.published(club.tournament(charter_of(Swiss(1), titles=(EXTERNAL,))).tournament_id)
    where = (current.round_id, 1, current.tables[1].table.seats[0])
    refused = club.substitutions.record(club.director, *where, "", (0, 0), "ill", True)
    assert reason(refused) == "DIRECTION_NOT_AVAILABLE"


@pytest.mark.parametrize("is_written", [False, True])
def test_a_substitution_survives_death_at_every_append(is_written: bool) -> None:
    """Between the game and the record too: the repeated request gives the seat once and records it once."""
    for number in range(1, 5):
        log = MortalLog()
        played = Round(log)
        sue = played.standby("Sue")

        def act(played: Round = played, sue: Principal = sue) -> Any:
            substitutions: Any = played.club.lobby.tournaments.substitutions
            seat = (played.table.seats[0], sue.player_id, (0, 0), "ill")
            return substitutions.record(played.club.director, "s", *played.where, *seat)

        has_died = interrupted(played.club, log, number, is_written, act)
        done(act())
        assert len(played.game.done) == 1
        assert len(played.state().substitutions) == 1
        if not has_died:
            assert number > 1
            return
    raise AssertionError("there is no end of appends")


def test_a_seat_taken_before_the_lobby_died_is_recorded_by_itself() -> None:
    """Once, by the start of the lobby; also one that a director gave at the table. The request adds its turns."""
    log = MortalLog()
    played = Round(log)
    sue = played.standby("Sue")
    seat = played.table.seats[0]
    given = (*played.where, seat, sue.player_id)
    substitute = played.club.substitutions.record
    has_died = interrupted(
        played.club, log, 1, False, lambda: substitute(played.club.director, *given, (0, 0), "ill")
    )
    assert has_died
    assert len(played.game.done) == 1
    played.club.follow(played.current.tables[1], 9, bearers=(SeatBearer(seat, sue.player_id, "substitute"),))
    for _ in range(2):
        played.club.lobby.tournaments.publisher.catch_up()
        (recorded,) = played.state().substitutions
        assert (recorded.player_id, recorded.substitute.name, recorded.author) == (seat, "Sue", "")
    types = [each.type for each in log.read(f"lobby.round.{played.current.round_id}")]
    assert types.count("substitution_recorded") == 1
    done(played.club.substitutions.record(played.club.director, *given, (3, 20), "ill"))
    (recorded,) = played.state().substitutions
    assert (recorded.substitute_turns, recorded.reason) == (3, "ill")


def test_a_seat_that_its_player_plays_again_keeps_its_record() -> None:
    """The substitute has played some of its turns."""
    played = Round()
    sue = played.standby("Sue")
    seat = played.table.seats[0]
    for sequence, bearer in ((9, sue.player_id), (11, seat)):
        bearers = (SeatBearer(seat, bearer, "substitute"),)
        played.club.follow(played.current.tables[1], sequence, bearers=bearers)
        played.club.lobby.tournaments.publisher.catch_up()
        (recorded,) = played.state().substitutions
        assert recorded.substitute.player_id == sue.player_id


@pytest.mark.parametrize("is_written", [False, True])
def test_a_ruling_survives_death_at_every_append(is_written: bool) -> None:
    """A ruling of the same content finds what the game has, also under another request id."""
    for number in range(1, 5):
        log = MortalLog()
        played = Round(log)

        def act(request: str, played: Round = played) -> Any:
            rounds = played.club.lobby.tournaments.rounds
            return rounds.adjudicate(played.club.director, request, *played.where, ROLL_BACK, "a wrong click")

        has_died = interrupted(played.club, log, number, is_written, lambda a=act: a("r"))  # type: ignore[misc]
        done(act("r" if is_written else "again"))
        assert len(played.game.done) == 1
        if not has_died:
            assert number > 1
            return
        assert len(played.state().adjudications) == 1
    raise AssertionError("there is no end of appends")


def test_a_ruling_that_the_game_refuses_is_not_recorded() -> None:
    """The position has changed, or the rules refuse."""
    played = Round()
    rule = played.club.rounds.adjudicate
    for failure, wanted in (
        (GameMovedOn(12), "GAME_MOVED_ON"),
        (DirectionRefused("game_finished", "The game is over."), "DIRECTION_REFUSED"),
    ):
        played.game.failure = failure
        ruling = (played.club.director, *played.where, ROLL_BACK, "a wrong click")
        assert reason(rule(*ruling)) == wanted
    assert played.state().adjudications == ()


def test_a_correction_moves_its_money() -> None:
    """Source, target, amount and what it is about."""
    played = Round()
    done(played.club.rounds.adjudicate(played.club.director, *played.where, CORRECTION, "paid too little"))
    (direction,) = played.game.directions
    correct = pb.Correct(source="BB", target="bank", amount=50, subject="BB")
    assert direction == Direction(reason="paid too little", correct=correct)


def test_a_second_person_lets_a_ruling_change_the_game() -> None:
    """Not before; the game has the name of both."""
    played = Round(second_person=True)
    ruling = (played.club.director, *played.where, ROLL_BACK, "a wrong click")
    done(played.club.rounds.adjudicate(*ruling))
    assert played.game.done == {}
    done(played.club.rounds.confirm_adjudication(played.second, *played.where, 1))
    ((_, author, expected, direction),) = played.game.done.values()
    assert (author, expected) == (played.club.director.player_id, 9)
    assert direction.confirmed_by == played.second.player_id
    assert played.state().adjudications[0].counts


def test_an_award_ends_the_game_with_its_worths() -> None:
    """Then the result comes from the game like any other, and is not rated; points that are awarded too decide the places."""
    played = Round()
    seats = played.table.seats
    ruling = end_of(seats)
    done(played.club.rounds.adjudicate(played.club.director, *played.where, ruling, "the hall closes"))
    assert [each.value for each in played.game.directions[0].end_game.scores] == [1000, 1100, 1200, 1300]
    results = tuple(GameResult(each.player_id, each.worth) for each in reversed(ruling.worths))
    played.club.follow(played.current.tables[1], 11, ending="ended_by_director", results=results)
    assert played.state().result.ending == "ruled"
    assert played.points()[seats[3]] == 5_000_000
    assert played.club.lobby.tournaments.reader.leaderboard("")[0] == ()
    assert reason(
        played.club.rounds.adjudicate(
            played.club.director, *played.where, Ruling(AdjudicationKind.AWARD), "x"
        )
    )


class DecidedGames:
    """`GamePositions` of games about which the director of a club has decided."""

    def __init__(self, director: WillingDirector) -> None:
        self._director = director
        self.asked = 0

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """Nobody asks."""
        raise AssertionError(game_id)

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """See `GamePositions`."""
        self.asked += 1
        done = self._director.done.values()
        return tuple(
            _in_game(author, expected, direction)
            for game, author, expected, direction in done
            if game == game_id
        )


def _in_game(author: str, expected: int, direction: Direction) -> GameRuling:
    correct = direction.correct
    return GameRuling(
        expected,
        author,
        direction.reason,
        direction.confirmed_by,
        direction.roll_back.to_sequence,
        MoneyTransfer(correct.source, correct.target, correct.amount, correct.subject),
        tuple(SeatWorth(each.player, each.value) for each in direction.end_game.scores),
    )


def end_of(seats: Sequence[str]) -> Ruling:
    """A ruling that ends the game of a table; the last seat has most."""
    worths = tuple(FinalWorth(player, 1000 + 100 * number) for number, player in enumerate(seats))
    return Ruling(AdjudicationKind.AWARD, worths=worths, expected_sequence=9)


def test_awarded_points_decide_the_places_of_a_table_that_was_not_played() -> None:
    """Who got most has a win; those who got as much as each other share a place."""
    played = Round()
    seats = played.table.seats
    awards = tuple(
        Award(player, 1_000_000 * points) for player, points in zip(seats, (1, 5, 2, 2), strict=True)
    )
    ruling = Ruling(AdjudicationKind.AWARD, awards)
    done(played.club.rounds.adjudicate(played.club.director, *played.where, ruling, "the hall closes"))
    _, lines = played.club.lobby.tournaments.reader.standings(played.event_id, 0)
    assert [line.player for line in lines][::3] == [seats[1], seats[0]]
    tied = {line.player: line.reasons for line in lines if line.player in seats[2:]}
    assert {reasons[1].value for reasons in tied.values()} == {0}
    assert {reasons[2].value for reasons in tied.values()} == {500_000}


def test_an_award_by_worths_replaces_points_that_were_awarded_before() -> None:
    """The scoring gives the points again; an upheld appeal brings back the award before, and an annulment is replaced too."""
    played = Round()
    seats = played.table.seats
    rule, ruling = played.club.rounds.adjudicate, end_of(seats)
    awards = tuple(Award(player, 1_000_000 * number) for number, player in enumerate(reversed(seats), 1))
    first = Ruling(AdjudicationKind.AWARD, awards)
    for each in (Ruling(AdjudicationKind.VOID), first, ruling):
        done(rule(played.club.director, *played.where, each, "the hall closes"))
    results = tuple(GameResult(each.player_id, each.worth) for each in reversed(ruling.worths))
    played.club.follow(played.current.tables[1], 11, ending="ended_by_director", results=results)
    scored = dict(zip(seats, (1_000_000, 2_000_000, 3_000_000, 5_000_000), strict=True))
    assert played.points() == scored
    done(rule(played.club.director, *played.where, Ruling(AdjudicationKind.CONTINUE), "as it is"))
    assert played.points() == scored
    player = next(each for each in played.club.players if each.player_id == seats[0])
    done(played.club.rounds.appeal(player, *played.where, 3, "unfair"))
    done(played.club.rounds.decide_appeal(played.second, *played.where, 3, True, "it was"))
    assert played.points() == {each.player_id: each.points for each in awards}
