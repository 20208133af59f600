"""A game of Ann and Bob at a table with clocks: rules and lobby over one log, as one process has them, at a time set by hand."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemorySnapshotStore
from services.common.eventlog.port import EventLog
from services.gen.signalbox.rules.v1.direction_pb2 import Direction
from services.host.directing import RulesDirector
from services.host.in_process import LobbyFollower
from services.host.positions import OwnPositions
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.memory_wake_ups import MemoryWakeUps
from services.lobby.adapters.playing_hours import TzdataZones
from services.lobby.directory import TABLE_STREAM, TableDirectory
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection
from services.lobby.domain.table_clocks import ClockChosen, TableClocks
from services.lobby.domain.table_requests import decide_create
from services.lobby.domain.tables import PlayerJoined, TableEvent, TableGameBegun, TableStarted
from services.lobby.domain.time_control.policy import ClockPolicy, ExpiryStep
from services.lobby.event_codec import encode
from services.lobby.handlers.clocks.following import FollowedClocks
from services.lobby.handlers.clocks.own_hours import HOURS_STREAM, OwnHours
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import Directed, Freshness, always_fresh
from services.rules.handlers import Rules
from services.rules.kernel.commands import CreateGame, Pass
from services.rules.kernel.game import Game
from services.rules.requests import CommandAccepted, CommandResult, Request
from services.rules.sessions import GameSessions
from tests.mortal_log import MortalLog
from tests.rules.conftest import TITLES, NotedFailures
from tests.rules.tiny import LocalSolver

SECOND = 1_000
BANK = 100
POLICY = ClockPolicy(bank=BANK, on_expiry=(ExpiryStep("standing_policy_pass"),))
GAME, TABLE = "g", "t"


class InterruptedDirector(msgspec.Struct, frozen=True):
    """Something happens before each decision reaches rules."""

    director: RulesDirector
    interrupt: Callable[[], object]

    def direct(
        self, game_id: str, author: str, request_id: str, expected_sequence: int, direction: Direction
    ) -> Directed:
        """See `GameDirector`."""
        self.interrupt()
        return self.director.direct(game_id, author, request_id, expected_sequence, direction)


class ClockedGame:
    """Begun at 0; Ann is asked first."""

    def __init__(
        self,
        policy: ClockPolicy = POLICY,
        table_id: str = TABLE,
        lobby_log: EventLog | None = None,
        freshen: Freshness = always_fresh,
        streams: ClockStreams | None = None,
        turn_seconds: int = 0,
    ) -> None:
        """`turn_seconds`: in the place of the policy. `lobby_log`: where the lobby writes, if not where rules does; `freshen`
        brings it up to date. `streams`: of all games in that log, if there
        are others."""
        self.before_directing: Callable[[], object] = int
        self.clock = ManualClock(0)
        self.log = MortalLog(self.clock)
        self.snapshots = MemorySnapshotStore()
        self.streams = streams
        self.game_id = GAME if table_id == TABLE else f"{GAME}-{table_id}"
        self.table_id, self.lobby_log, self.freshen = table_id, lobby_log or self.log, freshen
        created = decide_create(
            table_id, Player("ann", "Ann"), TableChoices("1824", 2), 1, 0, turn_seconds=turn_seconds
        )
        assert not isinstance(created, Rejection)
        bob, seats = Player("bob", "Bob"), ("ann", "bob")
        events: list[TableEvent] = [
            created,
            *(() if turn_seconds else (ClockChosen(policy),)),
            PlayerJoined(bob),
            TableStarted(self.game_id, seats),
        ]
        begun = [encode(event) for event in (*events, TableGameBegun(self.game_id))]
        self.lobby_log.append(TABLE_STREAM + table_id, 0, begun)
        self.open()
        assert isinstance(self.rules.create(self.game_id, CreateGame("tiny", seats)), CommandAccepted)

    def open(self, has_caught_up: bool = True) -> None:
        """A process that knows the log alone, once its lobby has caught up or before."""
        self.log.left = 0
        self.open_rules()
        self.lobby = self.lobby_over(self.lobby_log, self.freshen, self.streams)
        follower = LobbyFollower(self.log, self.rules, self.lobby)
        self.rules.add_follower(follower)
        if has_caught_up:
            follower.catch_up(lambda: False)
        self.lobby.reset_wake_ups()

    def open_rules(self) -> None:
        """Rules that nobody follows."""
        sessions = GameSessions(self.log, self.snapshots, TITLES, 10)
        self.rules = Rules(self.log, sessions, TITLES, LocalSolver(), NotedFailures())

    def lobby_over(
        self, log: EventLog, freshen: Freshness, streams: ClockStreams | None = None
    ) -> FollowedGames:
        """A lobby over the same log, with summaries of its own."""
        streams = streams or ClockStreams(log, freshen)
        own = OwnHours(ClockStreams(log, freshen, HOURS_STREAM), TzdataZones())
        director = InterruptedDirector(RulesDirector(self.rules), lambda: self.before_directing())
        clocks = FollowedClocks(
            streams, own, TzdataZones(), director, OwnPositions(self.rules), lambda *_: None
        )
        return FollowedGames(
            log,
            TableDirectory(log),
            MemorySummaries(),
            MemoryWakeUps(),
            self.clock,
            clocks,
            grace_ms=0,
            freshen=freshen,
        )

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.rules.reader.game_at(self.game_id).game

    @property
    def clocks(self) -> TableClocks:
        """The clocks as the log has them."""
        self.freshen()
        return self.lobby.clocks.streams.get(self.table_id)

    def passes(self, seat: str, request_id: str, sequence: int) -> CommandResult:
        """A move of a player. Raises `StaleSequenceError`."""
        return self.rules.execute(Request(self.game_id, seat, request_id, sequence, Pass()))

    def wait(self, seconds: int) -> None:
        """Time passes, and the turn timer runs once."""
        self.clock.advance(seconds * SECOND)
        self.lobby.record_holds()
        self.lobby.record_overdue_turns()

    def kinds(self) -> list[tuple[str, str]]:
        """Streams and kinds of all events."""
        return [(each.stream, each.type) for each in self.log.read_all(limit=100_000)]
