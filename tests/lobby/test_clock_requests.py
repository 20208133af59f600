"""How often the players of a table change their hours and vacations."""

from __future__ import annotations

from collections.abc import Callable

from services.common.clock import ManualClock
from services.gen.signalbox.lobby.v1.lobby_service_pb2_grpc import LobbyServiceStub
from services.lobby.bootstrap import Lobby
from services.lobby.handlers.clocks.streams import REQUESTS_OF_SEAT_MAX
from tests.lobby.conftest import Metadata
from tests.lobby.test_table_clocks import EVENINGS, Clocked


def test_changes_of_a_seat_leave_those_of_the_others(
    lobby: Lobby, stub: LobbyServiceStub, signed_in: Callable[[str], Metadata], clock: ManualClock
) -> None:
    """A player who chooses hours again and again comes to an end; another player and the director go on."""
    clocked = Clocked(lobby, stub, signed_in)
    clocked.ask(clocked.bob, 5, clock)
    for number in range(REQUESTS_OF_SEAT_MAX):
        zone = ("UTC", "Europe/Vienna")[number % 2]
        answer = clocked.call("Bob", "ChooseHours", table_id=clocked.table_id, zone=zone, windows=EVENINGS)
        assert answer.HasField("clocks")
    vacation = {"table_id": clocked.table_id, "first_date": "2023-12-01", "last_date": "2023-12-02"}
    assert clocked.refused("Bob", "TakeVacation", **vacation) == "TOO_MUCH_RECORDED"
    assert clocked.call("Ann", "TakeVacation", **vacation).HasField("clocks")
    grant = {"table_id": clocked.table_id, "seat": clocked.bob, "seconds": 60, "reason": "a storm"}
    assert clocked.call("Ann", "GrantTime", **grant).HasField("clocks")
