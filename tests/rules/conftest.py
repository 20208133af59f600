"""A rules service over a log in memory, with the smallest title."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from services.common.balances import Balances
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.rules.handlers import Rules
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.game import Game
from services.rules.kernel.values import UndoPolicy
from services.rules.requests import CommandAccepted, CommandRejected, CommandResult, Request
from services.rules.sessions import GameSessions
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.tiny import TINY, LocalSolver

TITLES = {"tiny": TINY}


class NotedFailures:
    """A `RulesAlarm` that remembers."""

    def __init__(self) -> None:
        self.failures: list[tuple[str, int]] = []
        self.disagreements: list[tuple[str, int, str]] = []

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """See `RulesAlarm`."""
        self.failures.append((game_id, sequence))

    def disagreed(self, game_id: str, sequence: int, difference: str) -> None:
        """See `RulesAlarm`."""
        self.disagreements.append((game_id, sequence, difference))


class NotedFacts:
    """A `Follower` that remembers; it fails when `broken`."""

    def __init__(self) -> None:
        self.events: list[GameEvent] = []
        self.statuses: list[GameStatus] = []
        self.broken = False

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        if self.broken:
            raise RuntimeError("no ink")
        self.events.extend(events)
        self.statuses.append(status)


# The tiny game has fewer than those after which snapshots are taken otherwise.
EVENTS_PER_SNAPSHOT = 200


class Desk:
    """One rules service and what stands around it. `reopen` starts it anew over the same log."""

    def __init__(self, games_in_memory: int = 100) -> None:
        self.log = MemoryEventLog(ManualClock())
        self.snapshots = MemorySnapshotStore()
        self.solver = LocalSolver()
        self.alarm = NotedFailures()
        self.follower = NotedFacts()
        self.reopen(games_in_memory)

    def reopen(self, games_in_memory: int = 100) -> None:
        """A new service that knows nothing but the log and the snapshots."""
        self.sessions = GameSessions(
            self.log, self.snapshots, TITLES, games_in_memory, events_per_snapshot=EVENTS_PER_SNAPSHOT
        )
        self.rules = Rules(self.log, self.sessions, TITLES, self.solver, self.alarm)
        self.rules.add_follower(self.follower)

    def create(self, game_id: str = "g", undo_policy: UndoPolicy = "own_turn") -> CommandResult:
        """Ann and Bob begin a game."""
        return self.rules.create(game_id, CreateGame("tiny", ("ann", "bob"), undo_policy=undo_policy))

    def game(self, game_id: str = "g") -> Game:
        """The game as it stands."""
        return self.rules.reader.game_at(game_id).game

    def ask(
        self, player: str, command: Command, request_id: str, expected: int = 0, game_id: str = "g"
    ) -> CommandResult:
        """One request; without an expected sequence the latest is expected."""
        expected = expected or self.game(game_id).sequence
        return self.rules.execute(Request(game_id, player, request_id, expected, command))

    def do(self, player: str, command: Command, game_id: str = "g") -> int:
        """One request that must be carried out; gives the game's sequence after it."""
        result = self.ask(player, command, f"{player}-{self.game(game_id).sequence}", game_id=game_id)
        assert isinstance(result, CommandAccepted), result
        return result.last

    def refusal(self, player: str, command: Command) -> CommandRejected:
        """One request that must be refused and change nothing."""
        before = self.game()
        result = self.ask(player, command, f"refused-{before.sequence}")
        assert isinstance(result, CommandRejected), result
        assert self.game() is before
        return result

    def play_some(self, rounds: int, game_id: str = "g") -> list[int]:
        """Everybody pays 1 and passes, so many times; the sequences after each request."""
        ends = []
        for _ in range(rounds):
            for player in ("ann", "bob"):
                ends += [self.do(player, RepayDebt(1), game_id), self.do(player, Pass(), game_id)]
        return ends


@pytest.fixture
def desk() -> Desk:
    """A service with one game of Ann and Bob, Ann to move."""
    desk = Desk()
    assert isinstance(desk.create(), CommandAccepted)
    return desk
