"""What the rules service needs from the outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.rules.domain.events import Score

if TYPE_CHECKING:
    from services.rules.handlers import Request, Result
    from services.rules.reading import GameReader


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands after `sequence` as rules sees it: what a ledger must find as well, and whose move it is.

    `cash`: holder -> money. `percents`: (holder, company) -> percent. `debts`: player -> money owed. `round_kind` is
    empty before the first round. `actor`: the company or player whose turn it is; `acting_players`: who has to decide.
    `ending` is empty and `results` (best first) are none while the game goes on. `recorded_time_ms`: when it came to
    stand so, milliseconds since 1970 UTC."""

    sequence: int
    cash: Mapping[str, int]
    percents: Mapping[tuple[str, str], int]
    debts: Mapping[str, int]
    title: str
    players: tuple[str, ...]
    acting_players: tuple[str, ...]
    round_kind: str
    turn: int
    round_number: int
    phase: str
    actor: str
    ending: str
    results: tuple[Score, ...]
    recorded_time_ms: int


class RoutingUnavailableError(Exception):
    """The best runs cannot be proven just now; asking again may help."""


class RouteSolver(Protocol):
    """Proves which runs earn a company the most."""

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """The best runs, proven or with their bound; `RoutingUnavailableError` when there is no answer at all."""


class Follower(Protocol):
    """Told of everything that was committed, in the order of each game, before the caller has the outcome.

    A follower that fails loses nothing: the log has the events, and the next ones show it the gap."""

    def follow(self, game_id: str, events: Sequence[GameEvent], standing: Standing) -> None:
        """Take note of committed events and of how everybody stands after them."""


class RulesDoor(Protocol):
    """The rules service as its callers meet it, whoever carries their commands out."""

    @property
    def reader(self) -> GameReader:
        """What everybody may know of a game."""

    def execute(self, request: Request, seconds: float | None = None) -> Result:
        """Carry out a command or say why not; its events can be read then.

        `seconds`: how long the caller waits. Raises `StaleSequenceError`, `UnknownGameError`: nothing changed;
        `Unavailable`, `DeadlineExceeded`: it is unknown, and the same request may be sent again."""


class RulesAlarm(Protocol):
    """Reports to operators what must not happen and holds up no game."""

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """A follower raised `problem` over events up to `sequence`, which stay committed."""

    def disagreed(self, game_id: str, sequence: int, difference: str) -> None:
        """The rules reckon the best runs that routing found at `sequence` otherwise than routing does."""
