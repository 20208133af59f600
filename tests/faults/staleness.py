"""Whether an answer is older than promised: games are read all the time, at every replica, and each answer must have what was
acknowledged longer ago than an answer may be old."""

from __future__ import annotations

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from tests.faults.failures import Failure
from tests.faults.players import CHANNEL_OPTIONS, NewGame

# What a process was asked before it was stopped counts from then, so calls are short, and there is always one on its way.
CALL_SECONDS = 1.5
PAUSE_SECONDS = 0.4
GAMES_MAX = 8
TOLD_MAX = 10


@dataclass(frozen=True, slots=True)
class Known:
    """What was acknowledged of a game: `at` in monotonic seconds."""

    game: NewGame
    sequence: int
    at: float


class AcknowledgedSequences:
    """How far games were, and when that was known to a player. Of the latest games only. Thread-safe."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, list[Known]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, game: NewGame, sequence: int) -> None:
        """The command with this last event was acknowledged just now."""
        with self._lock:
            known = self._games.setdefault(game.game_id, [])
            if not known or sequence > known[-1].sequence:
                known.append(Known(game, sequence, time.monotonic()))
            self._games.move_to_end(game.game_id)
            if len(self._games) > GAMES_MAX:
                self._games.popitem(last=False)

    def before(self, moment: float, draw: random.Random) -> Known | None:
        """The last command of one of the games that was acknowledged before; None where that game had none."""
        with self._lock:
            if not self._games:
                return None
            known = self._games[draw.choice(list(self._games))]
            return next((each for each in reversed(known) if each.at < moment), None)


class Reader(threading.Thread):
    """Reads games at one replica until it is stopped."""

    def __init__(
        self, name: str, address: str, acknowledged: AcknowledgedSequences, old_seconds: float, seed: int
    ) -> None:
        """`old_seconds`: how old an answer may be when the question arrives."""
        super().__init__(name=f"reader of {name}", daemon=True)
        self._at = name
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub: Any = RulesStub(self._channel)
        self._acknowledged = acknowledged
        self._old_seconds = old_seconds
        self._draw = random.Random(seed)
        self._is_stopping = threading.Event()
        self.answers = 0
        self.stale = 0
        self.failures: list[Failure] = []
        """The first of the stale answers."""

    def stop(self) -> None:
        """Finish the call at hand, and close the connection."""
        self._is_stopping.set()
        self.join()
        self._channel.close()

    def run(self) -> None:
        """Until stopped."""
        while not self._is_stopping.wait(PAUSE_SECONDS):
            asked_at = time.monotonic()
            known = self._acknowledged.before(asked_at - self._old_seconds, self._draw)
            if known is not None:
                self._read(known, asked_at)

    def _read(self, known: Known, asked_at: float) -> None:
        way = self._draw.choice((self._state, self._events, self._choices))
        token = self._draw.choice(sorted(known.game.tokens.values()))
        try:
            sequence = way(known, (("authorization", f"Bearer {token}"),))
        except grpc.RpcError as problem:
            if problem.code() is not grpc.StatusCode.NOT_FOUND:
                return
            # An answer as well.
            sequence = 0
        self.answers += 1
        if sequence < known.sequence:
            self._note(known, way, sequence, asked_at)

    def _note(self, known: Known, way: Callable[..., int], sequence: int, asked_at: float) -> None:
        self.stale += 1
        if len(self.failures) < TOLD_MAX:
            what = (
                f"{self._at} answers {way.__name__} of game {known.game.game_id} with sequence {sequence}, and {known.sequence} "
                f"was acknowledged {asked_at - known.at:.1f} s before it was asked "
                f"(at {time.strftime('%H:%M:%S')}, answered after {time.monotonic() - asked_at:.2f} s)"
            )
            self.failures.append(Failure("stale", what))

    def _state(self, known: Known, metadata: object) -> int:
        request = pb.GetGameRequest(game_id=known.game.game_id)
        return int(self._stub.GetGame(request, timeout=CALL_SECONDS, metadata=metadata).game.sequence)

    def _events(self, known: Known, metadata: object) -> int:
        request = pb.ListEventsRequest(game_id=known.game.game_id, page_size=1)
        return int(self._stub.ListEvents(request, timeout=CALL_SECONDS, metadata=metadata).sequence)

    def _choices(self, known: Known, metadata: object) -> int:
        request = pb.ListChoicesRequest(game_id=known.game.game_id)
        return int(self._stub.ListChoices(request, timeout=CALL_SECONDS, metadata=metadata).sequence)
