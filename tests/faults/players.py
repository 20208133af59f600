"""Games that go on whatever happens, and all answers to their players."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import grpc

from services.bots import BOTS
from services.client.calls import NotAnsweredError, new_request_id
from services.gen.signalbox.rules.v1 import game_pb2, rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.rules.adapters.codec import command_message, read_choice
from tests.faults.answers import Answers
from tests.faults.failures import Failure

CALL_SECONDS = 6.0
ANSWER_SECONDS = 240.0
PAUSE_SECONDS = 0.1
# Games are many rather than long, so that the lobby has something to do, and some are soon over.
MOVES_MAX = (15, 150)
WORTH_REPEATING = frozenset(
    (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED)
)
# A replica whose copy is behind does not know a game that has just begun.
BEHIND = frozenset((grpc.StatusCode.NOT_FOUND, grpc.StatusCode.OUT_OF_RANGE))
BLOCKED = grpc.StatusCode.FAILED_PRECONDITION
TWICE_AT_ONCE, AGAIN_LATER, TOO_LATE = "twice at once", "again later", "too late"
TRICKS = (TWICE_AT_ONCE, AGAIN_LATER, TOO_LATE)
TRICK_SHARE = 0.2
Options = Sequence[tuple[str, Any]]
CHANNEL_OPTIONS: Options = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
)

Answer = TypeVar("Answer")
Note = Callable[["NewGame", int], None]
"""Given a game and how far it is, whenever a command was acknowledged."""
HasReleased = Callable[[str, str], bool]
"""Given a game and an error of its owner: whether an operator has released the game, because it was blocked."""


End = Callable[["NewGame", int], None]
"""Ends a game that is played no longer, given how far it is."""


def nobody_ends(game: NewGame, sequence: int) -> None:
    """Where games are left as they are."""


def nobody_notes(game: NewGame, sequence: int) -> None:
    """Where nobody reads beside the players."""


def nobody_releases(game_id: str, why: str) -> bool:
    """Where no game is ever blocked."""
    return False


class ServiceGone(Exception):
    """No replica answered for very long."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game that has begun: tokens of its players by id."""

    game_id: str
    tokens: dict[str, str]


class Replicas:
    """The replicas of the rules service; each call goes to one drawn at random, and to others until one answers."""

    def __init__(self, addresses: Sequence[str], draw: random.Random, options: Options) -> None:
        self._channels = [grpc.insecure_channel(each, options=options) for each in addresses]
        self.stubs = [RulesStub(channel) for channel in self._channels]
        self._draw = draw

    def ask(self, call: Callable[[Any], Answer], also: frozenset[grpc.StatusCode] = frozenset()) -> Answer:
        """The first answer; calls are repeated for these failures `also`.

        Raises `ServiceGone`, and the error of a call that repeating does not mend."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                return call(self._draw.choice(self.stubs))
            except grpc.RpcError as problem:
                status = problem.code()
                if status not in WORTH_REPEATING | also:
                    raise
                if time.monotonic() > deadline:
                    details = problem.details()
                    raise ServiceGone(
                        f"no answer for {ANSWER_SECONDS:.0f} s: {status.name}: {details}"
                    ) from None
                time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        """Close the channels."""
        for channel in self._channels:
            channel.close()


@dataclass(slots=True)
class Asked:
    """A request with what its player needs for asking again."""

    player: str
    request: pb.ExecuteRequest
    first: int = 0
    last: int = 0


@dataclass
class PlayedGame:
    """One game and its players' memory."""

    new: NewGame
    answers: Answers
    sequence: int = 0
    asked: list[Asked] = field(default_factory=list)


class Player(threading.Thread):
    """Plays one game after another until it is stopped; all seats of a game, one command at a time."""

    def __init__(
        self,
        number: int,
        seed: int,
        addresses: Sequence[str],
        begin: Callable[[random.Random], NewGame],
        has_released: HasReleased = nobody_releases,
        note: Note = nobody_notes,
        end: End = nobody_ends,
        options: Options = CHANNEL_OPTIONS,
    ) -> None:
        super().__init__(name=f"player {number}", daemon=True)
        self._draw = random.Random(seed * 1000 + number)
        self._replicas = Replicas(addresses, self._draw, options)
        self._begin = begin
        self._has_released = has_released
        self._note = note
        self._end = end
        self._bot = BOTS["eager"](seed * 1000 + number)
        self._is_stopping = threading.Event()
        self.games: list[PlayedGame] = []
        self.acknowledged_at: list[float] = []
        """When each command was, in monotonic seconds."""
        self.failure: Failure | None = None
        self._second_sending: object = None

    def stop(self) -> None:
        """Finish the command at hand, then end."""
        self._is_stopping.set()

    @property
    def acknowledged(self) -> int:
        """How many commands were."""
        return sum(len(game.answers.acknowledged) for game in self.games)

    def run(self) -> None:
        """Until stopped or something is wrong, see `failure`."""
        try:
            while not self._is_stopping.is_set():
                game = PlayedGame(new := self._begin(self._draw), Answers(new.game_id))
                self.games.append(game)
                moves = self._draw.choice(MOVES_MAX)
                while not self._is_stopping.is_set() and len(game.asked) < moves and self._move(game):
                    pass
                if len(game.asked) >= moves:
                    self._end(new, game.sequence)
        except Exception as problem:
            where = self.games[-1].new.game_id if self.games else "no game yet"
            is_silent = isinstance(problem, ServiceGone | NotAnsweredError)
            self.failure = Failure(
                "standstill" if is_silent else "loss", f"{self.name} ({where}): {problem!r}"
            )
        finally:
            self._replicas.close()

    def _move(self, game: PlayedGame) -> bool:
        """Carry out one command, with a trick at times. False when the game is over."""
        view = self._view(game)
        if not view.acting_players:
            return False
        player = view.acting_players[0]
        choices = self._choices(game, player)
        if not choices.choices:
            return True
        command = self._bot.choose(tuple(read_choice(each) for each in choices.choices))
        request = pb.ExecuteRequest(
            game_id=game.new.game_id,
            request_id=new_request_id(),
            expected_sequence=choices.sequence,
            command=command_message(command),
        )
        asked = Asked(player, request)
        trick = self._draw.choice(TRICKS) if self._draw.random() < TRICK_SHARE else ""
        if trick == TWICE_AT_ONCE:
            self._send_and_forget(game, asked)
        self._execute(game, asked)
        if trick == AGAIN_LATER:
            self._execute(game, self._draw.choice(game.asked))
        if trick == TOO_LATE:
            late = pb.ExecuteRequest()
            late.CopyFrom(request)
            late.request_id = new_request_id()
            self._execute(game, Asked(player, late))
        return True

    def _view(self, game: PlayedGame) -> game_pb2.GameView:
        request = pb.GetGameRequest(game_id=game.new.game_id, at_least_sequence=game.sequence)
        metadata = self._metadata(game, next(iter(game.new.tokens)))
        answer: pb.GetGameResponse = self._replicas.ask(
            lambda stub: stub.GetGame(request, timeout=CALL_SECONDS, metadata=metadata), BEHIND
        )
        return answer.game

    def _choices(self, game: PlayedGame, player: str) -> pb.ListChoicesResponse:
        request = pb.ListChoicesRequest(
            game_id=game.new.game_id, with_best_runs=True, at_least_sequence=game.sequence
        )
        metadata = self._metadata(game, player)
        answer: pb.ListChoicesResponse = self._replicas.ask(
            lambda stub: stub.ListChoices(request, timeout=CALL_SECONDS, metadata=metadata), BEHIND
        )
        return answer

    def _send_and_forget(self, game: PlayedGame, asked: Asked) -> None:
        """One more sending of the request, on its way at the same time; its answer is not waited for."""
        stub = self._draw.choice(self._replicas.stubs)
        metadata = self._metadata(game, asked.player)
        self._second_sending = stub.Execute.future(asked.request, timeout=CALL_SECONDS, metadata=metadata)

    def _execute(self, game: PlayedGame, asked: Asked) -> None:
        """Ask until there is an answer, and remember it."""
        metadata = self._metadata(game, asked.player)
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                answer = self._replicas.ask(
                    lambda stub: stub.Execute(asked.request, timeout=CALL_SECONDS, metadata=metadata), BEHIND
                )
            except grpc.RpcError as problem:
                if problem.code() is BLOCKED and self._has_released(
                    game.new.game_id, problem.details() or ""
                ):
                    continue
                if problem.code() is not grpc.StatusCode.ABORTED:
                    raise
                game.answers.not_carried_out(asked.request.request_id, "stale")
                return
            if answer.WhichOneof("outcome") == "accepted":
                break
            if not answer.rejected.retryable:
                game.answers.not_carried_out(asked.request.request_id, answer.rejected.code)
                return
            if time.monotonic() > deadline:
                raise ServiceGone(f"refused for {ANSWER_SECONDS:.0f} s: {answer.rejected.message}")
            time.sleep(PAUSE_SECONDS)
        game.answers.carried_out(asked.request, answer.accepted)
        self.acknowledged_at.append(time.monotonic())
        game.sequence = max(game.sequence, answer.accepted.last_sequence)
        self._note(game.new, game.sequence)
        game.asked.append(asked)

    def _metadata(self, game: PlayedGame, player: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {game.new.tokens[player]}"),)
