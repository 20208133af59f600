"""Brings one record to its handler: retried, delayed, or written to the dead letters; never skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from services.common.faust.dead_letters import DeadLetters, position_of
from services.common.faust.metrics import FollowerMetrics
from services.common.faust.records import Follow, FollowedRecord, Handler, NotYet, UnprocessableRecord
from services.common.kafka.topics import RecordPosition
from services.common.process import crashpoints
from services.common.telemetry.logs import get_logger
from services.common.telemetry.tracing import from_headers, span
from services.gen.signalbox.log.v1 import log_pb2 as pb

TRIES = 5
FIRST_PAUSE_SECONDS = 0.05
PAUSE_SECONDS_MAX = 5.0
NOT_YET_SECONDS_MAX = 1.0
PAUSE_GROWTH = 4
WORTH_A_LINE_SECONDS = 5.0
T = TypeVar("T")


class Stopping(Exception):
    """The follower stops before the record was handled; it is read again after the next start."""


class Handling:
    """Runs handlers one at a time in `executor`, in the event loop that calls it."""

    def __init__(
        self,
        name: str,
        executor: Executor,
        metrics: FollowerMetrics,
        is_stopping: Callable[[], bool],
    ) -> None:
        self._name = name
        self._executor = executor
        self._metrics = metrics
        self._is_stopping = is_stopping
        self.is_waiting = False
        """Whether a record waits for another service."""
        self.tried: set[str] = set()
        """Games that this process has blocked or tried to release."""
        self._log = get_logger("follower").bind(follower=name)

    async def handle_all(
        self,
        follow: Follow,
        dead_letters: DeadLetters,
        records: Sequence[FollowedRecord],
        done: Callable[[FollowedRecord], None],
    ) -> None:
        """Handle records in order, in as few calls of the executor as failures allow; `done` is called for each that was
        handled or dead-lettered. Raises `Stopping`."""
        at = 0
        while at < len(records):
            if self._is_stopping():
                raise Stopping
            count, problem = await self._run(self._run_through, follow, dead_letters, records[at:])
            for record in records[at : at + count]:
                done(record)
            self._metrics.records.labels(self._name, follow.topic.name).inc(count)
            at += count
            if at < len(records) and not self._is_stopping():
                await self._handle(follow, dead_letters, records[at], problem)
                done(records[at])
                at += 1

    def _run_through(
        self, follow: Follow, dead_letters: DeadLetters, records: Sequence[FollowedRecord]
    ) -> tuple[int, Exception | None]:
        """In the handlers' thread: how many succeeded, and what the next one raised, if anything."""
        newest = {record.key: record.offset for record in records} if follow.is_newest_enough else {}
        for number, record in enumerate(records):
            if newest.get(record.key, record.offset) > record.offset:
                continue
            if self._is_stopping():
                return number, None
            try:
                if dead_letters.is_blocked(follow.key(record)):
                    return number, None
                self._traced(follow.handler, record)
            except Exception as problem:
                return number, problem
        return len(records), None

    async def _handle(
        self, follow: Follow, dead_letters: DeadLetters, record: FollowedRecord, problem: Exception | None
    ) -> None:
        """Return when the record, for which the handler has just raised `problem`, is handled or dead-lettered."""
        game_id = ""
        try:
            game_id = follow.key(record)
            if dead_letters.is_blocked(game_id) and await self._dead_letter_behind(
                dead_letters, game_id, record
            ):
                return
            await self._try(follow, record, problem)
        except Stopping:
            raise
        except Exception as last:
            await self._dead_letter(dead_letters, game_id, record, f"{type(last).__name__}: {last}")
            return
        self._metrics.records.labels(self._name, record.topic).inc()

    async def replay(self, follows: dict[str, Follow], dead_letters: DeadLetters, game_id: str) -> None:
        """Process the dead letters of a game again and unblock it; it stays blocked when one fails again."""
        done: set[RecordPosition] = set()
        self.tried.add(game_id)
        while True:
            left = [each for each in dead_letters.records_of(game_id) if position_of(each) not in done]
            try:
                for each in left:
                    await self._try(follows[each.topic], _as_record(game_id, each))
                    done.add(position_of(each))
            except Stopping:
                raise
            except Exception as problem:
                self._log.error("game stays blocked", game_id=game_id, problem=repr(problem))
                dead_letters.keep(game_id)
                return
            if await self._run(dead_letters.let_go, game_id, done):
                self._log.info("game released", game_id=game_id, records=len(done))
                return

    async def _try(self, follow: Follow, record: FollowedRecord, problem: Exception | None = None) -> None:
        """Run the handler until it succeeds. Raises its last error, and `Stopping`. `problem`: the error of a first run."""
        pause, failures, waited = FIRST_PAUSE_SECONDS, 0, 0.0
        waiting = self._metrics.waiting.labels(self._name, record.topic)
        try:
            while True:
                try:
                    if problem is None:
                        return await self._run(self._traced, follow.handler, record)
                    before, problem = problem, None
                    raise before
                except NotYet as away:
                    waiting.set(1)
                    self.is_waiting = True
                    if waited < WORTH_A_LINE_SECONDS <= waited + pause:
                        self._log.warning("record waits", **_position(record), reason=str(away))
                    waited += pause
                    await self._pause(min(pause, NOT_YET_SECONDS_MAX))
                    pause = min(pause * 2, NOT_YET_SECONDS_MAX)
                except UnprocessableRecord:
                    raise
                except Exception:
                    failures += 1
                    if failures == TRIES:
                        raise
                    self._metrics.retries.labels(self._name, record.topic).inc()
                    await self._pause(pause)
                    pause = min(pause * PAUSE_GROWTH, PAUSE_SECONDS_MAX)
        finally:
            self.is_waiting = False
            if waited:
                waiting.set(0)

    def _traced(self, handler: Handler, record: FollowedRecord) -> None:
        """Run the handler within the span of the record's writer."""
        crashpoints.reach("follower.before-handle")
        with span(
            f"{self._name} {record.topic}", "consumer", from_headers(record.headers), game_id=record.key
        ):
            handler(record)
        crashpoints.reach("follower.after-handle")

    async def _dead_letter_behind(
        self, dead_letters: DeadLetters, game_id: str, record: FollowedRecord
    ) -> bool:
        """Add the record to the dead letters of its game; False if the game is no longer blocked."""
        reason = "the game is blocked"
        is_behind = await self._until_kept(record, partial(dead_letters.add_behind, game_id, record, reason))
        if is_behind:
            self._metrics.dead_letters.labels(self._name, record.topic).inc()
            self._log.warning("game blocked", game_id=game_id, **_position(record), reason=reason)
        return is_behind

    async def _dead_letter(
        self, dead_letters: DeadLetters, game_id: str, record: FollowedRecord, reason: str
    ) -> None:
        """Add the record to the dead letters, which blocks its game."""
        self.tried.add(game_id)
        await self._until_kept(record, partial(dead_letters.add, game_id, record, reason))
        self._metrics.dead_letters.labels(self._name, record.topic).inc()
        self._log.error("game blocked", game_id=game_id, **_position(record), reason=reason)

    async def _until_kept(self, record: FollowedRecord, write: Callable[[], T]) -> T:
        """Retries without limit while Kafka does not accept it."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                return await self._run(write)
            except Exception as problem:
                self._log.error("dead letter not yet written", **_position(record), problem=repr(problem))
                await self._pause(pause)
                pause = min(pause * PAUSE_GROWTH, PAUSE_SECONDS_MAX)

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *arguments)

    async def _pause(self, seconds: float) -> None:
        if self._is_stopping():
            raise Stopping
        await asyncio.sleep(seconds)
        if self._is_stopping():
            raise Stopping


def _position(record: FollowedRecord) -> dict[str, object]:
    return {"topic": record.topic, "partition": record.partition, "offset": record.offset}


def _as_record(game_id: str, letter: pb.DeadLetter) -> FollowedRecord:
    return FollowedRecord(
        letter.topic, letter.partition, letter.offset, game_id, letter.value, letter.recorded_time_ms
    )
