"""A bot's turn when the service refuses its command."""

from __future__ import annotations

from typing import Any, cast

import pytest

from services.bots import BOTS
from services.client import Player
from services.client.calls import Rejected
from services.client.games import Games, Offer
from services.client.player import WAITS_SECONDS, take_turn
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass


class RefusingGames:
    """One choice, which is refused so many times."""

    def __init__(self, refusals: int, retryable: bool, reason: str = "routing_unavailable") -> None:
        self.asked = 0
        self._refusals = refusals
        self._retryable = retryable
        self._reason = reason

    def choices(self, game_id: str) -> Offer:
        """The one choice."""
        return Offer(1, (Choice("p", Pass()),))

    def execute(self, game_id: str, expected_sequence: int, command: Any) -> pb.Accepted:
        """Refused, or accepted."""
        self.asked += 1
        if self.asked <= self._refusals:
            raise Rejected(self._reason, "not now", retryable=self._retryable)
        return pb.Accepted(last_sequence=2)


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.client.player.WAITS_SECONDS", (0.0,) * len(WAITS_SECONDS))


def turn_of(games: RefusingGames) -> pb.Accepted | None:
    """A turn with these games."""
    return take_turn(Player("p", cast(Games, games), BOTS["random"](1)), "game")


def test_what_is_refused_for_now_is_tried_again() -> None:
    """A bot plays on when the service could not answer for a moment."""
    games = RefusingGames(2, retryable=True)
    assert turn_of(games) == pb.Accepted(last_sequence=2)
    assert games.asked == 3


def test_choices_without_best_runs_are_asked_for_again() -> None:
    """Routing was late: the bot asks until the choices have the runs that the service demands."""
    games = RefusingGames(2, retryable=False, reason="route_not_best")
    assert turn_of(games) == pb.Accepted(last_sequence=2)


def test_what_stays_refused_is_an_error() -> None:
    """After all waits the refusal is the caller's."""
    games = RefusingGames(100, retryable=True)
    with pytest.raises(Rejected):
        turn_of(games)
    assert games.asked == len(WAITS_SECONDS) + 1


def test_what_is_refused_for_good_is_not_tried_again() -> None:
    """A refused command would be refused again."""
    games = RefusingGames(1, retryable=False, reason="too_expensive")
    with pytest.raises(Rejected):
        turn_of(games)
    assert games.asked == 1
