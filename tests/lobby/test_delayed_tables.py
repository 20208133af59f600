"""What strangers see of a table whose game they see later: nothing of the lobby's answers says how the game is now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire, table_pb2
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.domain.games import GameResult, GameStatus, SeatBearer
from tests.lobby.conftest import Metadata
from tests.lobby.test_guests import Club

SECONDS = 60.0


class Delayed:
    """A table of Ann and Ben with a game that others see an hour later."""

    def __init__(self, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata], lobby: Lobby) -> None:
        self.club = Club(stub, signed_in)
        self._lobby = lobby
        self.table_id = self.club.open(player_count=2, delay_seconds=3600)
        self.club.call("Ben", "JoinTable", table_id=self.table_id)
        table = self.club.call("Ann", "StartTable", table_id=self.table_id).table
        seats = tuple(table.seats)
        self._status = GameStatus(
            game_id=table.game_id, sequence=1, title="1824", players=seats, acting_players=seats, time_ms=1
        )

    def seen(self, who: str) -> table_pb2.Table:
        """The table as somebody gets it, by itself and in a list alike."""
        token = self.club.tokens.get(who, ())
        asked = wire.GetTableRequest(table_id=self.table_id)
        answered: table_pb2.Table = self.club.stub.GetTable(asked, metadata=token).table
        listed = self.club.stub.ListTables(wire.ListTablesRequest(), metadata=token).tables
        assert [each for each in listed if each.table_id == self.table_id] == [answered]
        return answered

    def take_seat(self, name: str) -> None:
        """Somebody plays Ben's seat from now on."""
        bearer = SeatBearer(self.club.ids["Ben"], self.club.ids[name], "substitute")
        self._status = replace(self._status, sequence=self._status.sequence + 1, bearers=(bearer,))
        self._lobby.followed.follow_status(self._status)

    def end(self) -> None:
        """The game is over."""
        results = tuple(GameResult(seat, 100) for seat in self._status.players)
        ended = replace(
            self._status, sequence=self._status.sequence + 1, ending="bank_broken", results=results
        )
        self._lobby.followed.follow_status(ended)

    def call(self, who: str, method: str, **fields: Any) -> Any:
        """The answer to a request about the table."""
        return self.club.call(who, method, table_id=self.table_id, **fields)


@pytest.fixture
def delayed(stub: LobbyServiceStub, signed_in: Callable[[str], Metadata], lobby: Lobby) -> Delayed:
    """The table."""
    return Delayed(stub, signed_in, lobby)


def test_strangers_see_no_change_before_the_end(delayed: Delayed) -> None:
    """Players agree, offer, and take a seat: what they get stays the same to the version. The end shows everything."""
    before = delayed.seen("nobody")
    delayed.call("Ann", "AgreeToEnd", does_agree=True)
    delayed.call("Cem", "JoinTable", as_substitute=True)
    assert delayed.seen("nobody") == delayed.seen("Dora") == before
    delayed.take_seat("Cem")
    assert delayed.seen("nobody") == delayed.seen("Dora") == before
    own = delayed.seen("Ann")
    assert (list(own.agreed_to_end), [each.bearer.name for each in own.seat_takers]) == (
        [delayed.club.ids["Ann"]],
        ["Cem"],
    )
    assert own.version == before.version + 3
    delayed.end()
    assert delayed.seen("nobody") == delayed.seen("Ann")


def test_an_account_sees_what_it_did_and_who_took_its_seat(delayed: Delayed) -> None:
    """An offer is seen by who made it; who was replaced sees by whom, and nothing later. Answers to requests show no more."""
    delayed.call("Ann", "AgreeToEnd", does_agree=True)
    offered = delayed.call("Dora", "JoinTable", as_substitute=True).table
    delayed.call("Cem", "JoinTable", as_substitute=True)
    delayed.take_seat("Cem")
    delayed.take_seat("Dora")
    assert [each.name for each in offered.substitutes] == ["Dora"]
    assert [each.bearer.name for each in delayed.seen("Ben").seat_takers] == ["Cem"]
    assert [each.bearer.name for each in delayed.seen("Cem").seat_takers] == ["Cem", "Dora"]
    delayed.call("Ben", "JoinTable", as_substitute=True)
    left = delayed.call("Ben", "LeaveTable").table
    assert left == delayed.seen("Ben")
    assert (list(left.agreed_to_end), [each.bearer.name for each in left.seat_takers]) == ([], ["Cem"])


def test_no_message_tells_strangers_that_something_changed(delayed: Delayed) -> None:
    """A stream that is resumed gets the end as its first message, not the changes before it; one of a player gets all."""

    def watched(who: str, after: int) -> Any:
        request = wire.WatchTablesRequest(table_id=delayed.table_id, after_position=after)
        return delayed.club.stub.WatchTables(
            request, metadata=delayed.club.tokens.get(who, ()), timeout=SECONDS
        )

    first = watched("nobody", 0)
    start = next(first)
    first.cancel()
    of_ann, of_nobody = watched("Ann", start.position), watched("nobody", start.position)
    delayed.call("Ann", "AgreeToEnd", does_agree=True)
    assert next(of_ann).table.agreed_to_end
    delayed.take_seat("Cem")
    assert next(of_ann).table.seat_takers
    delayed.end()
    assert next(of_nobody).table.state == table_pb2.TABLE_STATE_FINISHED
    of_ann.cancel()
    of_nobody.cancel()
