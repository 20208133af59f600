"""What the rules service needs from the outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution


@dataclass(frozen=True, slots=True)
class Balances:
    """What rules says everybody has after `sequence`: the figures that a ledger must find as well.

    `cash`: holder -> money. `percents`: (holder, company) -> percent. `debts`: player -> money owed."""

    sequence: int
    cash: Mapping[str, int]
    percents: Mapping[tuple[str, str], int]
    debts: Mapping[str, int]


class RoutingUnavailableError(Exception):
    """The best runs cannot be proven just now; asking again may help."""


class RouteSolver(Protocol):
    """Proves which runs earn a company the most."""

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """The best runs, proven or with their bound; `RoutingUnavailableError` when there is no answer at all."""


class Follower(Protocol):
    """Told of everything that was committed, in the order of each game, before the caller has the outcome.

    A follower that fails loses nothing: the log has the events, and the next ones show it the gap."""

    def follow(self, game_id: str, events: Sequence[GameEvent], balances: Balances) -> None:
        """Take note of committed events and of how everybody stands after them."""


class FollowerAlarm(Protocol):
    """Tells operators that a follower failed."""

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """A follower raised `problem` over events up to `sequence`, which stay committed."""
