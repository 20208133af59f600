"""The records that a game of bots leaves in Kafka, byte for byte as its services make them, without Kafka.

Ids are random ones of the seed, in the forms that real ones have: nothing but them differs from game to game alike.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from prometheus_client import CollectorRegistry

from services.bench.script import with_best_runs
from services.bots import BOTS
from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.kafka.commits import facts_of, request_of
from services.common.kafka.topics import COMMANDS, EVENTS, GAME_STATUSES, LOBBY_SUMMARIES, ROUTING_REQUESTS
from services.common.partitions import partition_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.domain.games import GameSummary, summary_after
from services.lobby.statuses import status_from
from services.lobby.summary_codec import encode_summary
from services.routing.domain.solver import solve
from services.rules.catalogue import TableRulings, rulings_of
from services.rules.cluster.deciding import CommandProcessor
from services.rules.cluster.metrics import OwnerMetrics
from services.rules.cluster.records import command_sent
from services.rules.cluster.routes import best_runs_found
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.decide import acting_players, choices
from services.rules.kernel.title import Title
from services.rules.leastmove import asked_of_routing
from services.rules.parts.trains.bestruns import question_for
from services.rules.requests import CREATION_REQUEST, Request
from services.rules.sessions import LoadedGame
from services.rules.titles import TITLES

BOT = "sensible"
BEGAN_MS = 1_790_000_000_000
MOVE_MS_MAX = 3_600_000
ANSWER_MS = 10_000
ID_BYTES, REQUEST_ID_BYTES, SENDER_BYTES = 15, 9, 6


class MadeRecord(NamedTuple):
    """A record by its topic's name, in the order of writing; `command`: which command of the game led to it."""

    topic: str
    key: bytes
    value: bytes
    command: int


class RecordedGame:
    """One game under way."""

    def __init__(self, title: str, player_count: int, seed: int) -> None:
        self._draw = Random(f"{title} {player_count} {seed}")
        self._clock = ManualClock(BEGAN_MS + self._draw.randrange(10**10))
        self._log, self._snapshots = MemoryEventLog(self._clock), MemorySnapshotStore()
        registry = CollectorRegistry()
        self._owner = CommandProcessor(
            self._log, self._snapshots, TITLES, 1, registry, OwnerMetrics(registry), self._clock
        )
        self._title: Title = TITLES[title]
        self._table_id, self._game_id = self._id("t"), self._id("g")
        self._players = tuple(self._id("p") for _ in range(player_count))
        self._seed = seed
        self._bots = {player: BOTS[BOT](seed + seat) for seat, player in enumerate(self._players)}
        self._sender = self._text(SENDER_BYTES)
        self._summary: GameSummary | None = None
        self._commands = 0

    def records(self, most: int) -> Iterator[MadeRecord]:
        """Those of the first `most` commands, or up to the game's end or best runs that are too hard to prove here."""
        rulings = rulings_of(self._title, TableRulings("", {}))
        table = CreateGame(self._title.name, self._players, (), rulings, "own_turn", self._seed)
        yield from self._carry_out(Request(self._game_id, "", CREATION_REQUEST, 0, table), None)
        while self._commands < most and not (loaded := self._owner.sessions.get(self._game_id)).game.finished:
            player = acting_players(loaded.title, loaded.data, loaded.game)[0]
            chosen = self._next(loaded, player)
            if chosen is None:
                return
            self._clock.advance(self._draw.randrange(MOVE_MS_MAX))
            request_id = self._text(REQUEST_ID_BYTES)
            request = Request(self._game_id, player, request_id, loaded.game.sequence, chosen[0])
            yield from self._carry_out(request, chosen[1])

    def _next(self, loaded: LoadedGame, player: str) -> tuple[Command, pb.BestRunsFound | None] | None:
        """What the bot wants, with the best runs that rules sends along."""
        title, data, game = loaded.title, loaded.data, loaded.game
        solved = [with_best_runs(title, data, game, each) for each in choices(title, data, game, player)]
        if any(each.unproven for each in solved):
            return None
        command = self._bots[player].choose([each.choice for each in solved])
        question = question_for(title, game, data, asked_of_routing(command))
        return command, None if question is None else best_runs_found(question, solve(question))

    def _carry_out(self, request: Request, found: pb.BestRunsFound | None) -> Iterator[MadeRecord]:
        self._commands += 1
        deadline_ms = self._clock.now_ms() + ANSWER_MS
        reply_id = f"{self._sender}.{self._draw.randrange(100_000)}"
        value = command_sent(request, reply_id, found, True, deadline_ms).SerializeToString()
        yield self._made(COMMANDS.name, value)
        self._owner.execute((COMMANDS.name, partition_of(self._game_id, 1), self._commands), value)
        staged, output = list(self._owner.staged.staged), self._owner.output
        assert staged and not output.outcomes, output.outcomes
        self._owner.committed()
        for commit in staged:
            yield self._made(EVENTS.name, commit.SerializeToString())
            expected = commit.first_sequence - 1
            result = self._log.append(commit.stream, expected, facts_of(commit), request_of(commit))
            self._owner.applied(commit, result)
        for status in output.statuses:
            yield self._made(GAME_STATUSES.name, status.SerializeToString())
            yield from self._followed(status)
        for wanted in output.wanted:
            yield self._made(ROUTING_REQUESTS.name, wanted.SerializeToString())

    def _followed(self, message: pb.GameStatus) -> Iterator[MadeRecord]:
        status = status_from(message).completed(self._title.name, self._players)
        before, self._summary = self._summary, summary_after(self._summary, status, self._table_id, 0)
        if before is None or before.waits_for != self._summary.waits_for:
            yield self._made(LOBBY_SUMMARIES.name, encode_summary(self._summary))

    def _made(self, topic: str, value: bytes) -> MadeRecord:
        return MadeRecord(topic, self._game_id.encode(), value, self._commands)

    def _id(self, prefix: str) -> str:
        return prefix + base64.b32encode(self._draw.randbytes(ID_BYTES)).decode("ascii").lower()

    def _text(self, count: int) -> str:
        return base64.urlsafe_b64encode(self._draw.randbytes(count)).decode("ascii").rstrip("=")
