"""Games that end by agreement of all who play."""

from __future__ import annotations

from typing import Any

import pytest

from services.common.auth.tokens import Principal
from services.common.errors import NotFound, Unavailable
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.games import GameResult, GameStatus, SeatBearer
from services.lobby.domain.positions import GameRuling, Position, SeatWorth
from services.lobby.domain.tables import Table, TableState
from services.lobby.ports import DirectionRefused, GameMovedOn
from tests.lobby.tournaments.club import ONE_ROUND, Club, WillingDirector, done, reason
from tests.lobby.tournaments.test_interrupted import interrupted
from tests.mortal_log import MortalLog


class MovingPosition:
    """The position of the game, one event later whenever it is asked for."""

    def __init__(self) -> None:
        self.seats: tuple[str, ...] = ()
        self.sequence = 20

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """See `GamePositions`."""
        self.sequence += 1
        seats = tuple(SeatWorth(seat, 100 * number) for number, seat in enumerate(self.seats, start=1))
        return Position(self.sequence, seats)

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """Nobody asks."""
        raise AssertionError(game_id)


class LateDirector(WillingDirector):
    """Finds that the game has moved on as often as is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.late = 0

    def direct(self, *asked: Any) -> Any:
        """See `GameDirector`."""
        if self.late:
            self.late -= 1
            raise GameMovedOn(99)
        return super().direct(*asked)


class Playing:
    """A table of Ann, Ben and Cem whose game is played."""

    def __init__(self, log: MortalLog | None = None) -> None:
        self.game, self.standing = LateDirector(), MovingPosition()
        self.club = Club(0, log, self.game, self.standing)
        self.people = [self.club.person(name) for name in ("Ann", "Ben", "Cem")]
        tables = self.club.lobby.tables
        choices = TableChoices("1824", 3)
        self.table_id = done(tables.create(self.people[0], "c", choices)).table_id
        for number, person in enumerate(self.people[1:]):
            done(tables.join(person, f"j{number}", self.table_id))
        self.standing.seats = done(tables.start(self.people[0], "s", self.table_id)).seats

    @property
    def table(self) -> Table:
        """The table now."""
        return self.club.lobby.tables.get(self.table_id)

    def agree(self, person: Principal, does_agree: bool = True) -> Any:
        """A request of one of them."""
        ending = self.club.lobby.ending
        return ending.agree(person, self.club.request(), self.table_id, does_agree)

    def follow(self, sequence: int, **more: Any) -> None:
        """The lobby hears of the game."""
        table = self.table
        status = GameStatus(
            game_id=table.game_id, sequence=sequence, title="1824", players=table.seats, time_ms=1, **more
        )
        self.club.lobby.followed.follow_status(status)


def test_a_game_ends_once_all_agree() -> None:
    """With what the seats are worth; not before, and not for one who took it back. Repeating changes nothing."""
    playing = Playing()
    ann, ben, cem = playing.people
    done(playing.agree(ann))
    done(playing.agree(ben))
    assert done(playing.agree(ben)).agreed_to_end == (ann.player_id, ben.player_id)
    done(playing.agree(ann, False))
    done(playing.agree(cem))
    assert playing.game.done == {}
    done(playing.agree(ann))
    ((game_id, author, sequence, direction),) = playing.game.done.values()
    assert (game_id, author, sequence) == (playing.table.game_id, ann.player_id, 21)
    assert [each.value for each in direction.end_game.scores] == [100, 200, 300]
    results = tuple(GameResult(seat, 100) for seat in playing.table.seats)
    playing.follow(30, ending="ended_by_director", results=results)
    assert playing.table.state is TableState.FINISHED
    assert playing.table.agreed_to_end == ()
    assert reason(playing.agree(ann)) == "GAME_NOT_BEGUN"


def test_who_plays_a_seat_now_has_to_agree() -> None:
    """Not who played it before; bots of the house agree to everything."""
    playing = Playing()
    ann, ben, cem = playing.people
    done(playing.agree(ann))
    bearers = (
        SeatBearer(ann.player_id, "house-bot-1", "bot"),
        SeatBearer(cem.player_id, playing.club.director.player_id, "substitute"),
    )
    playing.follow(9, bearers=bearers)
    assert reason(playing.agree(cem)) == "NOT_SEATED"
    done(playing.agree(ben))
    assert playing.game.done == {}
    done(playing.agree(playing.club.director))
    assert len(playing.game.done) == 1


def test_a_game_that_moves_on_is_looked_at_again() -> None:
    """The worth is that of the position at which it ends. What rules refuses for good is the answer."""
    playing = Playing()
    playing.game.late = 2
    for person in playing.people:
        done(playing.agree(person))
    ((_, _, sequence, _),) = playing.game.done.values()
    assert sequence == 23
    playing.game.failure = DirectionRefused("ledger_hold", "The ledger holds the game.")
    assert reason(playing.agree(playing.people[0])) == "DIRECTION_REFUSED"
    playing.game.failure = None
    playing.game.late = 1_000
    with pytest.raises(Unavailable):
        playing.agree(playing.people[0])


@pytest.mark.parametrize("is_written", [False, True])
def test_the_last_agreement_survives_death(is_written: bool) -> None:
    """The game ends by itself once the agreement is written; else the request is repeated."""
    log = MortalLog()
    playing = Playing(log)
    for person in playing.people[:2]:
        done(playing.agree(person))
    cem = playing.people[2]
    assert interrupted(playing.club, log, 1, is_written, lambda: playing.agree(cem))
    assert playing.game.done == {}
    if not is_written:
        playing.club.lobby.ending.end_agreed()
        assert playing.game.done == {}
        done(playing.agree(cem))
    playing.club.lobby.ending.end_agreed()
    assert len({author for _, author, _, _ in playing.game.done.values()}) == 1


def test_who_does_not_play_does_not_end_a_game() -> None:
    """Nor do the players of a tournament: their director does."""
    playing = Playing()
    assert reason(playing.agree(playing.club.director)) == "NOT_SEATED"
    with pytest.raises(NotFound):
        playing.club.lobby.ending.agree(playing.people[0], "x", "t" + "a" * 24, True)
    club = Club(4)
    state = club.published(club.tournament(ONE_ROUND).tournament_id).tables[1]
    answer = club.lobby.ending.agree(club.players[0], "x", state.table.table_id, True)
    assert reason(answer) == "DIRECTION_NOT_AVAILABLE"
