"""Five hundred watchers of one game on a few connections: what each gets, what each costs, and who is turned away."""

from __future__ import annotations

import asyncio
import gc
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.common.eventlog.memory import MemoryEventLog, MemorySnapshotStore
from services.common.grpc.limit_settings import LimitSettings
from services.common.grpc.loop import on_loop
from services.common.settings.service import Settings
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from tests.rules.service.desk import GAME, Desk
from tests.rules.service.served import served, token

PLAYERS = 10
STREAMS_EACH = 50
WATCHERS = PLAYERS * STREAMS_EACH
CONNECTIONS = 10
PAST = 3
SECONDS = 60.0
# Of server and client together, which are one process here.
BYTES_EACH_MAX = 100 * 1024
MEMORY = Path("/proc/self/statm")
SETTINGS = Settings(limit=LimitSettings(player_watchers=STREAMS_EACH, address_watchers=WATCHERS))


@pytest.fixture
def desk() -> Desk:
    """A game that has begun."""
    desk = Desk(MemoryEventLog(), MemorySnapshotStore())
    desk.create()
    return desk


@pytest.fixture
def port(desk: Desk) -> Iterator[int]:
    """Where it is served."""
    with served(desk, SETTINGS) as port:
        yield port


@asynccontextmanager
async def connected(port: int, count: int = CONNECTIONS) -> AsyncIterator[list[RulesStub]]:
    """Stubs on so many connections."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options) for _ in range(count)]
    try:
        yield [RulesStub(channel) for channel in channels]
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))


def opened(stub: RulesStub, player: str, token_seconds: int = 3600, after: int = 0) -> Any:
    """A stream of the game."""
    request = pb.WatchGameRequest(game_id=GAME, after_sequence=after)
    return stub.WatchGame(request, metadata=token(player, token_seconds), timeout=SECONDS)


def all_opened(stubs: list[RulesStub], after: int) -> list[Any]:
    """As many streams as are allowed."""
    return [
        opened(stubs[number % len(stubs)], f"watcher {number % PLAYERS}", after=after)
        for number in range(WATCHERS)
    ]


async def seen_up_to(stream: Any, sequence: int) -> list[int]:
    """The sequences that come, the last one being this."""
    seen: list[int] = []
    while not seen or seen[-1] < sequence:
        seen.append((await stream.read()).event.sequence)
    return seen


async def ending(stream: Any) -> tuple[grpc.StatusCode, str]:
    """How a stream ends that is read to its end."""
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        while await stream.read() is not grpc.aio.EOF:
            pass
    return ended.value.code(), ended.value.details() or ""


def memory() -> int:
    """Bytes that this process has in memory."""
    gc.collect()
    return int(MEMORY.read_text().split()[1]) * resource.getpagesize()


def test_everyone_gets_every_event_once(desk: Desk, port: int) -> None:
    """The past and what happens, in order, while one of them does not read; each takes little memory."""
    before = desk.sequence()

    async def run() -> None:
        async with connected(port) as stubs:
            started = memory() if MEMORY.exists() else 0
            streams = all_opened(stubs, before - PAST)
            past = await asyncio.gather(*(seen_up_to(each, before) for each in streams))
            assert past == [list(range(before - PAST + 1, before + 1))] * WATCHERS
            if started:
                assert (memory() - started) / WATCHERS < BYTES_EACH_MAX
            await asyncio.get_running_loop().run_in_executor(None, desk.play_on, 3)
            last = desk.sequence()
            news = await asyncio.gather(*(seen_up_to(each, last) for each in streams[1:]))
            assert news == [list(range(before + 1, last + 1))] * (WATCHERS - 1)
            # It missed nothing, and holds up nobody.
            assert await seen_up_to(streams[0], last) == news[0]

    on_loop(run())


def test_more_than_their_share_are_turned_away(desk: Desk, port: int) -> None:
    """One more of a player, then one more of the address; a stream that ends makes room."""

    async def run() -> None:
        async with connected(port) as stubs:
            streams = all_opened(stubs, desk.sequence() - 1)
            await asyncio.gather(*(each.read() for each in streams))
            code, why = await ending(opened(stubs[0], "watcher 0"))
            assert (code, why) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"too many streams of one caller at the same time: at most {STREAMS_EACH}",
            )
            code, why = await ending(opened(stubs[0], "another"))
            assert (code, why) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"too many streams from one address at the same time: at most {WATCHERS}",
            )
            streams[0].cancel()
            async with asyncio.timeout(SECONDS):
                while await opened_code(stubs[0], "another") is not grpc.StatusCode.OK:
                    await asyncio.sleep(0.01)

    on_loop(run())


async def opened_code(stub: RulesStub, player: str) -> grpc.StatusCode:
    """OK for a stream with a first event, which is then left."""
    stream = opened(stub, player)
    try:
        await stream.read()
    except grpc.aio.AioRpcError as error:
        return error.code()
    stream.cancel()
    return grpc.StatusCode.OK


def test_a_stream_of_a_game_ends_with_its_token(port: int) -> None:
    """The others go on."""

    async def run() -> None:
        async with connected(port, 1) as (stub,):
            kept = opened(stub, "ann")
            short = opened(stub, "bob", token_seconds=5)
            await asyncio.gather(kept.read(), short.read())
            assert await ending(short) == (
                grpc.StatusCode.UNAUTHENTICATED,
                "the token has ended; sign in again",
            )
            assert not kept.done()

    on_loop(run())
