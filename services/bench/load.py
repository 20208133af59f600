"""Players of many games at once, in a process of their own: a plan as JSON on standard input, lines of JSON on standard output:
how far they are, and at the end what came of it. Every game is played by its script, one command after the other; different
games go on at the same time. SIGTERM ends the play early.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import grpc
import msgspec

from services.bench.arrivals import Arrivals
from services.bench.script import Move
from services.client.calls import bearer, owner_channel_to
from services.client.games import RULES
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb

METHOD = f"/{RULES.full_name}/Execute"
PAUSE_SECONDS = 0.05
TELL_EVERY_SECONDS = 0.5
# What a repeat of the same request can cure; anything else would come back the same.
REPEATED = frozenset(
    (
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
    )
)


class Plan(msgspec.Struct, frozen=True):
    """`games`: the name of the script by game. `script`: file of scripts by name. `played`: commands that every game has behind
    it. `rate`: commands due a second, 0: each of `callers` starts again when it is answered. What was due in the first
    `warm_seconds` is not counted. `timeout`: of one attempt, in seconds, and how long after the end answers are waited for."""

    rules: str
    tokens: dict[str, str]
    games: dict[str, str]
    script: str
    seconds: float
    callers: int
    rate: float = 0.0
    warm_seconds: float = 0.0
    played: dict[str, int] = {}
    timeout: float = 20.0


class Progress(msgspec.Struct, tag="progress"):
    """So far, the first seconds included."""

    accepted: int
    refused: int
    waiting: int


class Outcome(msgspec.Struct, tag="outcome"):
    """`milliseconds`: from the time when a command was due to its answer, repeats included, of all that were accepted.
    `rate`: answers a second while they were counted. `refused`: by reason. `failures`: statuses, repeated or not.
    `unanswered`: commands whose repeats ended without an answer. `not_begun`: of each command for which there was no caller
    or no game, how many milliseconds before the end it was due. `played`, `acknowledged`: commands and last sequence by game."""

    seconds: float
    rate: float
    milliseconds: list[float]
    failures: dict[str, int]
    refused: dict[str, int]
    played: dict[str, int]
    acknowledged: dict[str, int]
    longest_gap_seconds: float
    unanswered: int = 0
    not_begun: list[float] = []
    is_cut_short: bool = False


Line = Progress | Outcome
_plan = msgspec.json.Decoder(Plan).decode
_scripts = msgspec.msgpack.Decoder(dict[str, list[Move]]).decode


class Players:
    """All callers of a plan."""

    def __init__(self, plan: Plan, scripts: Mapping[str, Sequence[Move]]) -> None:
        self._plan = plan
        self._scripts = scripts
        self._channel = owner_channel_to(plan.rules, RULES.full_name)
        self._execute: Callable[..., pb.ExecuteResponse] = self._channel.unary_unary(
            METHOD, pb.ExecuteRequest.SerializeToString, pb.ExecuteResponse.FromString
        )
        self._free = threading.Condition()
        self._played = {game: plan.played.get(game, 0) for game in plan.games}
        self._games = deque(game for game in plan.games if not self._is_over(game))
        self._acknowledged: dict[str, int] = {}
        self._failures: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._milliseconds: list[float] = []
        self._not_begun: list[float] = []
        self._accepted = self._in_time = self._waiting = self._unanswered = 0
        self._longest_gap = 0.0
        self._is_cut_short = False
        self._start = self._last_answer = time.monotonic()
        self._count_from = self._start + plan.warm_seconds
        self._end = self._count_from + plan.seconds
        self._arrivals = Arrivals(plan.rate, self._start, self._end, time.monotonic)

    def play(self, tell: Callable[[Progress], None] = lambda _progress: None) -> Outcome:
        """Play for the plan's time, or until `stop`."""
        threads = [threading.Thread(target=self._call) for _ in range(self._plan.callers)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(TELL_EVERY_SECONDS if self._now() < self._end else PAUSE_SECONDS)
            tell(Progress(self._accepted, sum(self._refused.values()), self._waiting))
        self._channel.close()
        seconds = max(self._end - self._count_from, 0.0)
        for due in self._arrivals.left():
            self._note_not_begun(due)
        return Outcome(
            seconds=seconds,
            rate=self._in_time / seconds if seconds else 0.0,
            milliseconds=self._milliseconds,
            failures=dict(self._failures),
            refused=dict(self._refused),
            played=self._played,
            acknowledged=self._acknowledged,
            longest_gap_seconds=self._longest_gap,
            unanswered=self._unanswered,
            not_begun=self._not_begun,
            is_cut_short=self._is_cut_short,
        )

    def stop(self) -> None:
        """No command is begun any more; those under way get their answers."""
        self._is_cut_short = True
        self._end = min(self._end, self._now())
        self._arrivals.end_now()

    def _now(self) -> float:
        return time.monotonic()

    def _call(self) -> None:
        while (due := self._arrivals.next()) is not None:
            while (pause := min(due, self._end) - self._now()) > 0:
                time.sleep(min(pause, TELL_EVERY_SECONDS))
            game = self._next_game()
            if game is None:
                self._note_not_begun(due)
                return
            self._move(game, due)

    def _next_game(self) -> str | None:
        """A game whose last command is answered; None when the time is over before there is one."""
        with self._free:
            while not self._games:
                if self._now() >= self._end:
                    return None
                self._free.wait(PAUSE_SECONDS)
            return self._games.popleft()

    def _note_not_begun(self, due: float) -> None:
        with self._free:
            if self._count_from <= due < self._end:
                self._not_begun.append((self._end - due) * 1000)

    def _is_over(self, game: str) -> bool:
        return self._played[game] >= len(self._scripts[self._plan.games[game]])

    def _move(self, game: str, due: float) -> None:
        number = self._played[game]
        move = self._scripts[self._plan.games[game]][number]
        request = pb.ExecuteRequest(
            game_id=game,
            request_id=f"m{number}",
            expected_sequence=move.expected,
            command=command_pb2.Command.FromString(move.command),
        )
        with self._free:
            self._waiting += 1
        answer = self._answered(request, bearer(self._plan.tokens[move.player]))
        with self._free:
            self._waiting -= 1
            self._note(game, number, due, answer)

    def _note(self, game: str, number: int, due: float, answer: pb.ExecuteResponse | None) -> None:
        """A game that was refused a move of its script, or gave no answer, is left alone from here on."""
        if answer is None:
            self._unanswered += due >= self._count_from
            return
        now = self._now()
        self._longest_gap = max(self._longest_gap, now - self._last_answer)
        self._last_answer = now
        if answer.WhichOneof("outcome") != "accepted":
            self._refused[answer.rejected.code] += 1
            return
        self._accepted += 1
        self._in_time += self._count_from <= now < self._end
        if due >= self._count_from:
            self._milliseconds.append((now - due) * 1000)
        self._acknowledged[game] = answer.accepted.last_sequence
        self._played[game] = number + 1
        if not self._is_over(game):
            self._games.append(game)
            self._free.notify()

    def _answered(
        self, request: pb.ExecuteRequest, metadata: tuple[tuple[str, str], ...]
    ) -> pb.ExecuteResponse | None:
        """The answer, asked for again with the same request as long as that may help; None without one."""
        while self._now() < self._end + self._plan.timeout:
            try:
                return self._execute(request, timeout=self._plan.timeout, metadata=metadata)
            except grpc.RpcError as problem:
                with self._free:
                    self._failures[problem.code().name] += 1
                if problem.code() not in REPEATED:
                    return None
                time.sleep(PAUSE_SECONDS)
        return None


def main() -> None:
    """Carry out the plan on standard input."""
    plan = _plan(sys.stdin.buffer.read())
    scripts = _scripts(Path(plan.script).read_bytes())
    players = Players(plan, scripts)
    signal.signal(signal.SIGTERM, lambda *_: players.stop())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _tell(players.play(_tell))


def _tell(line: Line) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
