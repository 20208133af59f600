"""Bots of the house, over a rules service in this process: they move for their seats and for no other."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from services.common.clock import ManualClock
from services.host.house_bots import HouseBots
from services.host.in_process import LobbyFollower
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.directory import TableDirectory
from services.lobby.handlers.following import FollowedGames
from services.rules.kernel.directing.commands import AssignSeat, Direct, Resume, Suspend
from services.rules.requests import CommandAccepted, Request
from tests.lobby.fakes import no_clocks
from tests.rules.conftest import Desk

SECONDS = 60.0
BOT = "house-bot-1"


class House:
    """A game of Ann and Bob that the lobby follows, and the bots."""

    def __init__(self, look_every: float) -> None:
        self.desk = Desk()
        self.summaries = MemorySummaries()
        log, clock = self.desk.log, ManualClock(0)
        followed = FollowedGames(
            log, TableDirectory(log), self.summaries, MemoryWakeUps(), clock, no_clocks(log)
        )
        self.desk.rules.add_follower(LobbyFollower(log, self.desk.rules, followed))
        self.desk.create()
        self.bots = HouseBots(self.desk.rules, self.summaries, 2, look_every)

    def direct(self, command: Direct) -> None:
        """What a director decides."""
        request_id = f"d{self.desk.game().sequence}"
        result = self.desk.rules.execute(Request("g", "olga", request_id, 0, command))
        assert isinstance(result, CommandAccepted)

    def wait_for_bob(self) -> bool:
        """Until it is Bob's turn, or it takes too long."""
        end = time.monotonic() + SECONDS
        while self.desk.game().actor != "bob" and time.monotonic() < end:
            time.sleep(0.01)
        return self.desk.game().actor == "bob"


@pytest.fixture(params=[0.05, 3_600.0], ids=["looks", "is notified"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """Bots that look often and are never notified, or the other way round."""
    house = House(request.param)
    if request.param > 1:
        house.desk.rules.add_follower(house.bots)
    yield house
    house.bots.stop()


def test_a_bot_plays_the_seat_that_it_got(house: House) -> None:
    """Until another seat is asked: the bot has no other."""
    house.bots.start()
    house.direct(Direct(AssignSeat("ann", BOT, "bot"), "gone"))
    assert house.wait_for_bob()
    requests = house.desk.log.requests("game/g")
    assert {each.player for each in requests} == {"", "olga", BOT}


def test_a_game_that_waited_is_found_after_a_start(house: House) -> None:
    """Nobody was there when the seat was given."""
    house.direct(Direct(AssignSeat("ann", BOT, "bot"), "gone"))
    house.bots.start()
    assert house.wait_for_bob()


def test_a_bot_waits_while_the_game_is_suspended(house: House) -> None:
    """And moves when it is resumed."""
    house.direct(Direct(Suspend(), "a storm"))
    house.direct(Direct(AssignSeat("ann", BOT, "bot"), "gone"))
    at = house.desk.game().sequence
    house.bots.start()
    assert not house.summaries.of_player(BOT, True, 1)
    house.direct(Direct(Resume(), "over"))
    assert house.desk.game().sequence > at
    assert house.wait_for_bob()


def test_a_former_bot_does_not_move(house: House) -> None:
    """The seat was taken back before it came to it."""
    house.direct(Direct(AssignSeat("ann", BOT, "bot"), "gone"))
    house.direct(Direct(AssignSeat("ann", "ann", "player"), "back"))
    house.bots.start()
    house.bots.stop()
    assert house.desk.game().actor == "ann"
    assert not house.summaries.of_player(BOT, False, 1)
