"""What the rules service needs from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from services.common.balances import Balances
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution


class RoutingUnavailableError(Exception):
    """The best runs cannot be found now; a retry may succeed."""


class RouteSolver(Protocol):
    """Finds the runs that earn a company the most."""

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """The best runs, proven or with their bound. Raises `RoutingUnavailableError` when there is no answer."""


class Follower(Protocol):
    """Gets all committed events, in the order of each game, before the caller gets the result.

    A follower that fails loses nothing: the log has the events, and the next ones show the gap."""

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """Handle committed events, and status and balances of the game after them."""


class RulesAlarm(Protocol):
    """Reports faults to operators. It never stops a game."""

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """A follower raised `problem` over events up to `sequence`, which stay committed."""

    def disagreed(self, game_id: str, sequence: int, difference: str) -> None:
        """Rules and routing value the best runs at `sequence` differently."""
