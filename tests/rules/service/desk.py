"""The rules service over any log, without a network: set games up, move in them, see what followers get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from msgspec.structs import replace

from services.bots import RandomBot
from services.common.balances import Balances
from services.common.eventlog.port import EventLog, NewRecord, RequestRecord, SnapshotStore
from services.common.settings.accounts import QuotaSettings
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.gen.signalbox.log.v1.log_pb2 import GameStatus
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.rules.adapters.codec import decode_event, encode_event
from services.rules.adapters.snapshots import state_bytes
from services.rules.handlers import Rules
from services.rules.history import EventRange, encode_event_range, stream_of
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.decide import acting_players
from services.rules.kernel.events import Event, GameCreated
from services.rules.kernel.fold import replay
from services.rules.kernel.game import Game
from services.rules.kernel.values import UndoPolicy
from services.rules.ports import RoutingUnavailableError
from services.rules.requests import CommandAccepted, CommandRejected, CommandResult, Request
from services.rules.sessions import GAMES_IN_MEMORY, GameSessions
from services.rules.titles import TITLES

GAME = "g1"
REQUESTS = count(1)
ANN, BOB, CEM = SEATS = ("ann", "bob", "cem")


class LocalSolver:
    """The real solver without a network. `answers` is False while routing shall be away; `distort` changes answers."""

    def __init__(self) -> None:
        self.answers = True
        self.distort: Callable[[RouteSolution], RouteSolution] = lambda solution: solution
        self.proves = True
        self.asked = 0

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`."""
        self.asked += 1
        if not self.answers:
            raise RoutingUnavailableError("nobody answers")
        return self.distort(replace(solve(problem), proven=self.proves))


@dataclass
class RecordingFollower:
    """A follower that records what it gets, and fails while `is_failing`."""

    events: list[GameEvent] = field(default_factory=list)
    statuses: list[GameStatus] = field(default_factory=list)
    cash: dict[str, int] = field(default_factory=dict)
    is_failing: bool = False

    def follow(
        self, game_id: str, events: Sequence[GameEvent], status: GameStatus, balances: Balances
    ) -> None:
        """See `Follower`."""
        if self.is_failing:
            raise RuntimeError("out of paper")
        self.events += events
        self.statuses.append(status)
        self.cash = dict(balances.cash)


@dataclass
class RecordedAlarm:
    """An alarm that remembers."""

    raised: list[tuple[str, int, str]] = field(default_factory=list)

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """See `RulesAlarm`."""
        self.raised.append((game_id, sequence, str(problem)))

    def disagreed(self, game_id: str, sequence: int, difference: str) -> None:
        """See `RulesAlarm`."""
        self.raised.append((game_id, sequence, difference))


class Desk:
    """One running rules service. Another desk over the same log is the service after a restart."""

    def __init__(
        self,
        log: EventLog,
        snapshots: SnapshotStore,
        games_in_memory: int = GAMES_IN_MEMORY,
        quota: QuotaSettings = QuotaSettings(),  # noqa: B008  # frozen
    ) -> None:
        self.log = log
        self.snapshots = snapshots
        self.solver = LocalSolver()
        self.alarm = RecordedAlarm()
        self.follower = RecordingFollower()
        self.sessions = GameSessions(log, snapshots, TITLES, games_in_memory)
        self.rules = Rules(log, self.sessions, TITLES, self.solver, self.alarm, quota=quota)
        self.rules.add_follower(self.follower)
        self._bot = RandomBot(7)

    def create(self, policy: UndoPolicy = "own_turn", game_id: str = GAME, seed: int = 0) -> int:
        """A new game of 1824 for three players; returns where it stands."""
        result = self.rules.create(game_id, CreateGame("1824", SEATS, (), (), policy, seed))
        assert isinstance(result, CommandAccepted), result
        return result.last

    def place(self, events: Sequence[Event], policy: UndoPolicy = "own_turn", game_id: str = GAME) -> int:
        """Write a game played elsewhere into the log as the outcome of its creation; returns where it stands."""
        created = events[0]
        assert isinstance(created, GameCreated)
        placed = (replace(created, undo_policy=policy), *events[1:])
        records = [NewRecord(*encode_event(event)) for event in placed]
        outcome = encode_event_range(EventRange(1, len(records)))
        self.log.append(stream_of(game_id), 0, records, RequestRecord("create", "", b"", outcome))
        return len(records)

    def ask(
        self,
        player: str,
        command: Command,
        request_id: str = "",
        expected: int = 0,
        game_id: str = GAME,
    ) -> CommandResult:
        """Carry out a command, at the present sequence and under a new request id unless given."""
        at = expected or self.sequence(game_id)
        return self.rules.execute(Request(game_id, player, request_id or f"r{next(REQUESTS)}", at, command))

    def move(
        self, player: str, command: Command, request_id: str = "", game_id: str = GAME
    ) -> CommandAccepted:
        """A command that has to be accepted."""
        result = self.ask(player, command, request_id, game_id=game_id)
        assert isinstance(result, CommandAccepted), result
        return result

    def refused(self, player: str, command: Command) -> str:
        """A command that has to be refused, without any trace; returns why."""
        before = self.trace()
        result = self.ask(player, command)
        assert isinstance(result, CommandRejected), result
        assert self.trace() == before
        return result.rejection.code

    def play_on(self, moves: int, game_id: str = GAME) -> None:
        """The acting player does something legal, so many times."""
        for _ in range(moves):
            loaded = self.rules.reader.game_at(game_id).loaded
            player = acting_players(loaded.title, loaded.data, loaded.game)[0]
            options = self.rules.reader.options(game_id, player, with_best_runs=True)
            self.move(player, self._bot.choose(options.choices), game_id=game_id)

    def trace(self) -> tuple[bytes, int, int]:
        """State, length of the log and number of tellings: what a refusal must leave alone."""
        return state_bytes(self.game()), self.log.last_position(), len(self.follower.statuses)

    def game(self, game_id: str = GAME) -> Game:
        """The live state."""
        return self.rules.reader.game_at(game_id).game

    def sequence(self, game_id: str = GAME) -> int:
        """The latest sequence of the game."""
        return self.game(game_id).sequence

    def asked(self, game_id: str = GAME) -> str:
        """Whose turn it is in a stock round."""
        return self.game(game_id).actor

    def stored(self, game_id: str = GAME, up_to: int | None = None) -> list[Event]:
        """The events in the log."""
        records = self.log.read(stream_of(game_id), 0, up_to)
        return [decode_event(record.type, record.schema_version, record.payload) for record in records]

    def folded(self, game_id: str = GAME, up_to: int | None = None) -> bytes:
        """The state after the log, or a part of it, folded from nothing."""
        return state_bytes(replay(self.stored(game_id, up_to)))
