"""Players of many games at once, run as a process of its own: a plan as JSON on standard input, what came of it on standard
output. Every game is played by its script, one command after the other; different games go on at the same time.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path

import grpc
import msgspec

from services.common.grpc.owner_channel import owner_channel
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb
from services.rules.bootstrap import SERVICE_NAME
from tests.bench.cluster_script import Move

METHOD = f"/{SERVICE_NAME}/Execute"
PAUSE_SECONDS = 0.05


class Plan(msgspec.Struct, frozen=True):
    """`script`: file of moves. `played`: commands that every game has behind it. `rate`: commands begun a second, 0: each
    of `callers` starts again when it is answered. Answers in the first `warm_seconds` are not counted."""

    addresses: tuple[str, ...]
    tokens: dict[str, str]
    games: list[str]
    script: str
    seconds: float
    callers: int
    rate: float = 0.0
    warm_seconds: float = 0.0
    played: dict[str, int] = {}
    timeout: float = 20.0


class Outcome(msgspec.Struct):
    """`rate`: answers a second while commands were begun. `milliseconds`: from the planned beginning to the answer, repeats
    included. `failures`: statuses that a retry cured. `acknowledged`: last acknowledged sequence, by game."""

    seconds: float
    rate: float
    milliseconds: list[float]
    failures: dict[str, int]
    refused: dict[str, int]
    played: dict[str, int]
    acknowledged: dict[str, int]
    longest_gap_seconds: float


class Players:
    """All callers of a plan."""

    def __init__(self, plan: Plan, moves: list[Move]) -> None:
        self._plan = plan
        self._moves = moves
        self._channel = owner_channel(plan.addresses, SERVICE_NAME)
        self._execute: Callable[..., pb.ExecuteResponse] = self._channel.unary_unary(
            METHOD, pb.ExecuteRequest.SerializeToString, pb.ExecuteResponse.FromString
        )
        self._lock = threading.Lock()
        self._waiting = deque(plan.games)
        self._played = {game: plan.played.get(game, 0) for game in plan.games}
        self._acknowledged: dict[str, int] = {}
        self._failures: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._milliseconds: list[float] = []
        self._begun = 0
        self._in_time = 0
        self._last_answer = 0.0
        self._longest_gap = 0.0

    def play(self) -> Outcome:
        """Play for the plan's time."""
        self._start = self._last_answer = time.monotonic()
        self._count_from = self._start + self._plan.warm_seconds
        self._end = self._count_from + self._plan.seconds
        threads = [threading.Thread(target=self._call) for _ in range(self._plan.callers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._channel.close()
        return Outcome(
            self._plan.seconds,
            self._in_time / self._plan.seconds,
            self._milliseconds,
            dict(self._failures),
            dict(self._refused),
            self._played,
            self._acknowledged,
            self._longest_gap,
        )

    def _call(self) -> None:
        while True:
            planned = self._next_time()
            with self._lock:
                game = self._waiting.popleft() if self._waiting else ""
            if planned >= self._end:
                return
            if not game:
                time.sleep(PAUSE_SECONDS)
                continue
            pause = planned - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            self._move(game, planned)

    def _next_time(self) -> float:
        if not self._plan.rate:
            return time.monotonic()
        with self._lock:
            self._begun += 1
            return self._start + self._begun / self._plan.rate

    def _move(self, game: str, planned: float) -> None:
        number = self._played[game]
        if number == len(self._moves):
            return
        move = self._moves[number]
        request = pb.ExecuteRequest(
            game_id=game,
            request_id=f"m{number}",
            expected_sequence=move.expected,
            command=command_pb2.Command.FromString(move.command),
        )
        metadata = (("authorization", f"Bearer {self._plan.tokens[move.player]}"),)
        answer = self._answered(request, metadata)
        now = time.monotonic()
        if answer is None:
            return
        with self._lock:
            self._longest_gap = max(self._longest_gap, now - self._last_answer)
            self._last_answer = now
            if now >= self._count_from:
                self._milliseconds.append((now - planned) * 1000)
                self._in_time += now < self._end
            if answer.WhichOneof("outcome") == "accepted":
                self._acknowledged[game] = answer.accepted.last_sequence
                self._played[game] = number + 1
                self._waiting.append(game)
            else:
                self._refused[answer.rejected.code] += 1

    def _answered(
        self, request: pb.ExecuteRequest, metadata: tuple[tuple[str, str], ...]
    ) -> pb.ExecuteResponse | None:
        """The answer, asked for again with the same request as long as there is none; None when time is up."""
        while time.monotonic() < self._end + self._plan.timeout:
            try:
                return self._execute(request, timeout=self._plan.timeout, metadata=metadata)
            except grpc.RpcError as problem:
                with self._lock:
                    self._failures[problem.code().name] += 1
                time.sleep(PAUSE_SECONDS)
        return None


def main() -> None:
    """Carry out the plan on standard input."""
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    moves = msgspec.msgpack.decode(Path(plan.script).read_bytes(), type=list[Move])
    sys.stdout.buffer.write(msgspec.json.encode(Players(plan, moves).play()))


if __name__ == "__main__":
    main()
