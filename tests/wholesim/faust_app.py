"""In the place of Faust: brings committed records to agents and commits what was handled, as the driver of services does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from faust.types import TP

from services.common.kafka.topics import PartitionName
from services.common.process import crashpoints
from tests.wholesim.connection import connected
from tests.wholesim.consumers import Reader
from tests.wholesim.groups import Member
from tests.wholesim.primitives import schedule
from tests.wholesim.schedule import Task

LOOK_SECONDS = 0.03
HEARTBEAT_SECONDS = 1.0

Agent = Callable[[Any], Coroutine[Any, Any, None]]


class Loop(asyncio.BaseEventLoop):
    """An event loop that waits in the schedule. What is given to an executor is done at once."""

    def __init__(self) -> None:
        super().__init__()
        self._waiters: list[Task] = []
        self._selector = self
        self._process = schedule().current.process

    def time(self) -> float:
        """See the base."""
        return schedule().now

    def select(self, seconds: float | None) -> list[Any]:
        """Nothing ever comes but the time."""
        if seconds is None or seconds > 0:
            schedule().wait(self._waiters, seconds)
        schedule().check_alive()
        return []

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """See the base."""
        if not self._process.is_dead:
            super().call_exception_handler(context)

    def _check_closed(self) -> None:
        """Tasks of a process that was killed are thrown away as they are, and nothing is said about it."""

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        schedule().wake_all(self._waiters)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """See the base."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as problem:
            done.set_exception(problem)
        return done


def event_loop_of_thread() -> asyncio.AbstractEventLoop:
    """A new loop for the running thread."""
    return Loop()


@dataclass(frozen=True, slots=True)
class Event:
    """A record as Faust hands it on."""

    message: Any


class Stream:
    """The records of one topic, one after another."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Any] = asyncio.Queue()

    def noack(self) -> Stream:
        """Nothing is acknowledged by itself anyway."""
        return self

    async def events(self) -> AsyncIterator[Event]:
        """All of them, without an end."""
        while True:
            yield Event(await self.messages.get())


class FollowingApp:
    """The part of `services.common.faust.driver.FollowingApp` that a follower sees."""

    def __init__(self, name: str, **options: Any) -> None:
        self._name = name
        self._commit_seconds: float = options["broker_commit_interval"]
        self._session_seconds: float = options["broker_session_timeout"]
        self._agents: dict[str, Agent] = {}
        self._streams: dict[str, Stream] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._handled: dict[TP, int] = {}
        self._assigned: set[TP] = set()
        self.before_assigned: Callable[[set[TP]], Awaitable[None]] | None = None
        self.after_assigned: Callable[[set[TP]], None] | None = None
        self.when_revoked: Callable[[], None] | None = None
        self.crashed = self.should_stop = False
        self.crash_reason: BaseException | None = None
        self.following = self

    def topic(self, name: str, **_: Any) -> str:
        """A topic to be followed."""
        return name

    def agent(self, source: str, **_: Any) -> Callable[[Agent], None]:
        """Who handles its records."""
        return lambda agent: self._agents.__setitem__(source, agent)

    async def start(self) -> None:
        """Join the group and begin."""
        self._kafka = connected()
        self._reader = Reader(self._kafka)
        places = [place for place in self._kafka.partitions if place[0] in self._agents]
        self._group = self._kafka.group(self._name, places)
        self._join()
        self._heartbeat(schedule().current.process)
        for topic, agent in self._agents.items():
            self._streams[topic] = Stream()
            self._tasks.append(asyncio.create_task(agent(self._streams[topic])))
        self._tasks.append(asyncio.create_task(self._follow()))

    def _join(self) -> None:
        self._member = Member(self._name, "", self._session_seconds, schedule().now)
        self._group.join(self._member)
        self._is_new = True

    def _heartbeat(self, process: Any) -> None:
        if process.is_dead or self.should_stop:
            return
        if not process.is_paused and not self._kafka.away_seconds:
            self._group.heard_of(self._member)
        schedule().call_later(HEARTBEAT_SECONDS, lambda: self._heartbeat(process))

    async def _follow(self) -> None:
        commit_at = schedule().now + self._commit_seconds
        try:
            while not self.crashed:
                if not self._kafka.away_seconds:
                    if self._group.has_news_for(self._member):
                        await self._look_at_group()
                    self._fetch()
                    if schedule().now >= commit_at:
                        self._commit()
                        commit_at = schedule().now + self._commit_seconds
                await asyncio.sleep(LOOK_SECONDS)
                self._look_at_agents()
        except Exception as problem:
            self.crashed, self.crash_reason = True, problem

    def _look_at_agents(self) -> None:
        for task in self._tasks[:-1]:
            if task.done() and not task.cancelled() and task.exception() is not None:
                self.crashed, self.crash_reason = True, task.exception()

    async def _look_at_group(self) -> None:
        change = self._group.sync(self._member)
        if change.revoked:
            self._commit(TP(*place) for place in change.revoked)
        self._forget([*change.lost, *change.revoked])
        if self._member.is_gone:
            self._join()
            return
        assigned = self._group.given_back(self._member, change).assigned
        if assigned or self._is_new or change.lost or change.revoked:
            self._is_new = False
            if self.when_revoked is not None:
                self.when_revoked()
            if self.before_assigned is not None:
                await self.before_assigned(self._assigned | {TP(*place) for place in assigned})
            for place in assigned:
                self._reader.begin(place, self._kafka.offsets.get((self._name, place), 0))
            self._assigned |= {TP(*place) for place in assigned}
            if self.after_assigned is not None:
                self.after_assigned({TP(*place) for place in assigned})

    def _forget(self, places: list[PartitionName]) -> None:
        gone = {TP(*place) for place in places}
        if not gone:
            return
        for place in places:
            self._reader.drop(place)
        self._assigned -= gone
        self._handled = {place: at for place, at in self._handled.items() if place not in gone}
        for stream in self._streams.values():
            for _ in range(stream.messages.qsize()):
                message = stream.messages.get_nowait()
                if TP(message.topic, message.partition) not in gone:
                    stream.messages.put_nowait(message)

    def _fetch(self) -> None:
        for message in self._reader.fetch(reports_ends=False):
            assert message.entry is not None
            self._streams[message.topic()].messages.put_nowait(
                SimpleNamespace(
                    topic=message.topic(),
                    partition=message.partition(),
                    offset=message.offset(),
                    key=message.key(),
                    value=message.value(),
                    timestamp=message.entry.time_ms / 1000,
                    headers=message.headers(),
                )
            )

    def _commit(self, places: Any = None) -> None:
        if not self._group.is_current(self._member):
            return
        for place in list(self._handled) if places is None else places:
            if place in self._handled:
                at = (self._name, (place.topic, place.partition))
                self._kafka.offsets[at] = max(self._handled[place] + 1, self._kafka.offsets.get(at, 0))
        crashpoints.reach("follower.after-offset")

    def handled(self, partition: TP, offset: int) -> None:
        """Everything of a partition up to this record is done with."""
        self._handled[partition] = max(offset, self._handled.get(partition, -1))

    def assignment(self) -> set[TP]:
        """Partitions that are read."""
        return set(self._assigned)

    async def positions(self) -> dict[TP, tuple[int, int]]:
        """By partition the next offset to be handled and the end."""
        found = {}
        for each in sorted(self._assigned):
            place: PartitionName = (each.topic, each.partition)
            committed = self._kafka.offsets.get((self._name, place), 0)
            handled = self._handled.get(each)
            end = self._kafka.partitions[place].stable_end
            found[each] = (committed if handled is None else handled + 1, end)
        return found

    def reads(self, topic: str, stream: Stream) -> None:
        """There is always room in a stream."""

    def waiting_behind(self, stream: Stream, count: int) -> list[Any]:
        """Records that have come as well."""
        messages = stream.messages
        return [messages.get_nowait() for _ in range(min(count, messages.qsize()))]

    async def stop(self) -> None:
        """Commit and leave."""
        self.should_stop = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._commit()
        self._reader.close()
        self._group.leave(self._member)
