"""Bots of the house on the cluster host, over lists of games that may be away."""

from __future__ import annotations

import io
import json
import threading

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.client.games import Games
from services.common.auth.tokens import TokenIssuer
from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.telemetry.logs import configure_logging
from services.host.cluster.house_bots import ClusterHouseBots
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.domain.games import GameSummary
from services.lobby.ports import PageCursor

SECONDS = 60.0
LOOKS = 3


class FailingLists(MemorySummaries):
    """Lists that raise a problem at the first looks, and are empty then."""

    def __init__(self, problem: Exception) -> None:
        super().__init__()
        self._problem = problem
        self._left = LOOKS
        self.are_back = threading.Event()

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """See `GameLists`."""
        self._left -= 1
        if self._left >= 0:
            raise self._problem
        self.are_back.set()
        return super().of_player(player_id, only_waiting, most, before)


def never_connected(token: str) -> Games:
    """Nothing waits for a bot."""
    raise AssertionError("called rules")


@pytest.mark.parametrize(
    ("problem", "logged"), [(Unavailable("no Redis"), 0), (ValueError("a fault of ours"), LOOKS)]
)
def test_bots_look_again_at_lists_that_could_not_be_read(problem: Exception, logged: int) -> None:
    """That lists are away is in the log already; whatever else goes wrong is an error there."""
    lines = io.StringIO()
    configure_logging("info", lines)
    lists = FailingLists(problem)
    issuer = TokenIssuer(Ed25519PrivateKey.generate(), 60, SystemClock())
    bots = ClusterHouseBots(lists, never_connected, issuer, seats_max=2, look_every=0.01)
    bots.start()
    assert lists.are_back.wait(SECONDS)
    bots.stop()
    errors = [json.loads(line)["problem"] for line in lines.getvalue().splitlines()]
    assert errors == [repr(problem)] * logged
