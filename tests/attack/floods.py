"""Attacks that keep a host busy: each runs in a process of its own for so many seconds and counts what came of its calls."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection_pb2

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as lobby
from services.gen.signalbox.routing.v1 import routing_pb2 as routing
from services.gen.signalbox.rules.v1 import rules_pb2 as rules
from services.routing.convert import problem_to_message
from services.routing.domain.links.problem import STEPS_MAX, DeliveryProblem
from tests.attack.giants import GIANTS
from tests.attack.loop import run as run_in_loop
from tests.attack.plan import Result, Target
from tests.attack.raw_calls import RawConnection
from tests.attack.surface import server_of
from tests.routing.link_networks import network_anywhere
from tests.routing.service.serving import endless_problem

CONNECTIONS = 20
HALF_OPEN_CALLS = 1_000
GIANT_CALLS = 100
WATCHERS = 10_000
# A connection has 100 streams; half of these connections are to each of two services.
WATCHER_CONNECTIONS = 240
# gRPC's core ends calls while more than 1,000 wait for the program.
OPENED_PER_SECOND, OPENED_AT_ONCE = 500, 25
AT_ONCE = 64
FAR = 1_000_000
# A loopback address that is not that of the honest player, whom limits of addresses must not meet.
ELSEWHERE = "127.0.0.2"
REFUSED_PER_SECOND = 5_000
REFUSED_EVERY_SECONDS = 0.01
LET_END_SECONDS = 0.2
RULES = "/signalbox.rules.v1.Rules/"
LOBBY = "/signalbox.lobby.v1.LobbyService/"
ROUTING = "/signalbox.routing.v1.Routing/"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"

Call = Callable[[int], Awaitable[Any]]
Channels = dict[str, list[Any]]


def half_open(target: Target, seconds: float) -> Result:
    """1,000 calls without a token on 20 connections whose message never comes."""
    return run_in_loop(_half_open(target, seconds))


async def _half_open(target: Target, seconds: float) -> Result:
    result = Result()
    never = asyncio.Event()

    async def nothing() -> AsyncIterator[bytes]:
        await never.wait()
        yield b""

    paths = [
        (target.rules, f"{RULES}Execute"),
        (target.lobby, f"{LOBBY}CreateTable"),
        (target.ledger, "/signalbox.ledger.v1.Ledger/GetBalances"),
        (target.routing, f"{ROUTING}Solve"),
        (target.routing, f"{ROUTING}SolveTrack"),
        (target.routing, f"{ROUTING}SolveDeliveries"),
    ]
    async with _channels([address for address, _ in paths], CONNECTIONS) as channels:
        calls = []
        for number in range(HALF_OPEN_CALLS):
            address, path = paths[number % len(paths)]
            channel = channels[address][number % len(channels[address])]
            calls.append((path, channel.stream_unary(path)(nothing())))
        await asyncio.sleep(seconds)
        for path, call in calls:
            if call.done():
                result.count(await call.code(), await call.details() or "", f"half-open {path}")
            else:
                result.tried += 1
                result.left_open += 1
                call.cancel()
        await _let_end(never)
    return result


def giant(kind: str, target: Target, seconds: float) -> Result:
    """100 giants of one kind by a stranger to the game."""
    compression, make = GIANTS[kind]
    made = list(itertools.islice(itertools.cycle(make()), GIANT_CALLS))

    async def run() -> Result:
        async with _channels([target.lobby, target.rules, target.routing, target.ledger], 4) as channels:

            async def call(number: int) -> Any:
                method, content = made[number]
                channel = channels[getattr(target, server_of(method.service))][0]
                metadata = target.metadata("stranger")
                return await channel.unary_unary(method.path)(
                    content, timeout=seconds, metadata=metadata, compression=compression
                )

            # A client that compresses learns that this host does not take it.
            right = None if compression is grpc.Compression.NoCompression else grpc.StatusCode.UNIMPLEMENTED
            return await _repeat(call, kind, amount=len(made), at_once=8, right=right)

    return run_in_loop(run())


def watcher(target: Target, seconds: float) -> Result:
    """10,000 streams: of one stranger on the game, without a token on tables and on reflection."""
    game = rules.WatchGameRequest(game_id=target.game_id).SerializeToString()
    asked = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    stranger = target.metadata("stranger")

    async def run() -> Result:
        never = asyncio.Event()

        async def reflecting() -> AsyncIterator[bytes]:
            yield asked
            await never.wait()

        def opened(number: int, channels: Channels) -> Any:
            kind = number % 10
            at_rules, at_lobby = (_one_of(channels[each], number) for each in (target.rules, target.lobby))
            if kind == 0:
                return at_rules.stream_stream(REFLECTION)(reflecting())
            if kind <= 2:
                return at_lobby.unary_stream(f"{LOBBY}WatchTables")(b"")
            if kind == 3:
                return at_lobby.unary_stream(f"{LOBBY}WatchGames")(b"", metadata=stranger)
            return at_rules.unary_stream(f"{RULES}WatchGame")(game, metadata=stranger)

        result = await _held_streams([target.lobby, target.rules], opened, seconds)
        await _let_end(never)
        return result

    return run_in_loop(run())


def watchers_let_in(target: Target, seconds: float) -> Result:
    """10,000 streams that the limits of the host let in: half of them on the game that the honest player plays."""
    games = [
        rules.WatchGameRequest(game_id=game_id, after_sequence=max(0, sequence - 1)).SerializeToString()
        for game_id, sequence in (
            (target.game_id, target.sequence),
            (target.played_game_id, target.played_sequence),
        )
    ]
    stranger = target.metadata("stranger")

    def opened(number: int, channels: Channels) -> Any:
        channel = _one_of(channels[target.rules], number)
        return channel.unary_stream(f"{RULES}WatchGame")(games[number % len(games)], metadata=stranger)

    return run_in_loop(_held_streams([target.rules], opened, seconds, are_let_in=True))


async def _held_streams(
    addresses: list[str], opened: Callable[[int, Channels], Any], seconds: float, are_let_in: bool = False
) -> Result:
    """Open the streams, leave them open for so many seconds, and count those that are still open. Where they `are_let_in` it
    is the open ones that are measured."""
    result = Result()
    began = time.monotonic()
    async with _channels(addresses, WATCHER_CONNECTIONS) as channels:
        streams = []
        for number in range(WATCHERS):
            streams.append(opened(number, channels))
            if number % OPENED_AT_ONCE == 0:
                await asyncio.sleep(OPENED_AT_ONCE / OPENED_PER_SECOND)
        if are_let_in:
            await asyncio.gather(*(stream.read() for stream in streams), return_exceptions=True)
            result.prepared_seconds = time.monotonic() - began
        await asyncio.sleep(seconds)
        for stream in streams:
            if stream.done():
                result.count(await stream.code(), await stream.details() or "", "watcher")
            else:
                result.tried += 1
                result.left_open += 1
                stream.cancel()
    return result


def _one_of(channels: list[Any], number: int) -> Any:
    return channels[number % len(channels)]


async def _let_end(never: asyncio.Event) -> None:
    """Let the request iterators of cancelled calls come to their end."""
    never.set()
    await asyncio.sleep(LET_END_SECONDS)


def log_in(target: Target, seconds: float) -> Result:
    """Wrong passwords for a player's name and for other names, and registrations, 64 at a time."""
    numbers = itertools.count()

    async def run() -> Result:
        async with _channels([target.lobby], CONNECTIONS) as channels:

            async def call(number: int) -> Any:
                channel = channels[target.lobby][number % CONNECTIONS]
                if number % 4 == 3:
                    wanted = lobby.RegisterPlayerRequest(
                        request_id=f"flood-{next(numbers)}", name=f"Flood {number}", password="x" * 12
                    )
                    return await channel.unary_unary(f"{LOBBY}RegisterPlayer")(wanted.SerializeToString())
                name = target.honest_name if number % 2 else f"Nobody {number}"
                guess = lobby.LogInRequest(name=name, password=f"guess number {number}")
                return await channel.unary_unary(f"{LOBBY}LogIn")(guess.SerializeToString())

            return await _repeat(call, "log-in", seconds=seconds)

    return run_in_loop(run())


def refused(target: Target, seconds: float) -> Result:
    """Complete calls without a token on 20 connections: 5,000 begun in each second, or as many as the server lets begin."""

    async def run() -> Result:
        connections = [RawConnection(target.rules, f"{RULES}Execute", ELSEWHERE) for _ in range(CONNECTIONS)]
        await asyncio.gather(*(each.open() for each in connections))
        began, due = time.monotonic(), 0
        while (now := time.monotonic() - began) < seconds:
            for number in range(due, due := int(now * REFUSED_PER_SECOND)):
                connections[number % CONNECTIONS].begin()
            await asyncio.sleep(REFUSED_EVERY_SECONDS)
        result = Result()
        for each in connections:
            result.tried += each.begun
            result.refused += each.answered
            result.left_open += each.running
            result.statuses["not let begin"] += due // CONNECTIONS - each.begun
            await each.close()
        return result

    return run_in_loop(run())


def far_sequence(target: Target, seconds: float) -> Result:
    """Reads by a player that ask for a sequence the game will never have, 64 at a time."""
    game_id = target.game_id
    asked = [
        ("GetGame", rules.GetGameRequest(game_id=game_id, at_least_sequence=FAR)),
        ("ListChoices", rules.ListChoicesRequest(game_id=game_id, at_least_sequence=FAR)),
        ("ListEvents", rules.ListEventsRequest(game_id=game_id, at_least_sequence=FAR)),
    ]

    async def run() -> Result:
        async with _channels([target.rules], CONNECTIONS) as channels:

            async def call(number: int) -> Any:
                channel = channels[target.rules][number % CONNECTIONS]
                name, request = asked[number % len(asked)]
                role = "player" if number % 2 else "stranger"
                return await channel.unary_unary(f"{RULES}{name}")(
                    request.SerializeToString(), timeout=seconds, metadata=target.metadata(role)
                )

            return await _repeat(call, "far sequence", seconds=seconds)

    return run_in_loop(run())


def heavy_routes(target: Target, seconds: float) -> Result:
    """Route problems that no machine solves, 64 at a time, without a token and by a stranger."""
    problems = [
        routing.SolveRequest(problem=problem_to_message(endless_problem(seed))).SerializeToString()
        for seed in range(40)
    ]
    return _heavy(target, "Solve", problems, "heavy route", seconds)


def heavy_deliveries(target: Target, seconds: float) -> Result:
    """Networks too wide for any proof, with all steps that may be asked for, 64 at a time, without a token and by a stranger."""
    problems = [_deliveries(network_anywhere(seed, 100, 600, 2)) for seed in range(4)]
    return _heavy(target, "SolveDeliveries", problems, "heavy deliveries", seconds)


def _heavy(target: Target, method: str, problems: Sequence[bytes], what: str, seconds: float) -> Result:
    """Questions to routing, 64 at a time, without a token and by a stranger."""

    async def run() -> Result:
        async with _channels([target.routing], CONNECTIONS) as channels:

            async def call(number: int) -> Any:
                channel = channels[target.routing][number % CONNECTIONS]
                role = "stranger" if number % 2 else "anonymous"
                return await channel.unary_unary(f"{ROUTING}{method}")(
                    problems[number % len(problems)], timeout=60, metadata=target.metadata(role)
                )

            return await _repeat(call, what, seconds=seconds)

    return run_in_loop(run())


def _deliveries(problem: DeliveryProblem) -> bytes:
    message = routing.DeliveryProblem(company=problem.company, steps=STEPS_MAX)
    for city in problem.cities:
        message.cities.add(id=city.id, colour=city.colour)
    for link in problem.links:
        message.links.add(id=link.id, one=link.one, other=link.other, owner=link.owner)
    for cube in problem.cubes:
        message.cubes.add(city=cube.city, colour=cube.colour)
    return routing.SolveDeliveriesRequest(problem=message).SerializeToString()


async def _repeat(
    call: Call,
    what: str,
    seconds: float = 1e9,
    amount: int = 10**9,
    at_once: int = AT_ONCE,
    right: grpc.StatusCode | None = None,
) -> Result:
    """Make calls for so many seconds, or so many of them; those that run at the end are left open."""
    result = Result()
    end = time.monotonic() + seconds
    numbers = iter(range(amount))

    async def caller() -> None:
        for number in numbers:
            if time.monotonic() >= end:
                return
            try:
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + end - time.monotonic()):
                    await call(number)
            except grpc.aio.AioRpcError as error:
                result.count(error.code(), error.details() or "", what, right)
                if error.code() is grpc.StatusCode.UNAVAILABLE:
                    await asyncio.sleep(0.05)
            except TimeoutError:
                result.tried += 1
                result.left_open += 1
            else:
                result.count(grpc.StatusCode.OK, "", what)

    await asyncio.gather(*(caller() for _ in range(at_once)))
    return result


@asynccontextmanager
async def _channels(addresses: list[str], count: int) -> AsyncIterator[Channels]:
    """So many connections in all, spread over the addresses."""
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_send_message_length", -1)]
    each = max(1, count // len(addresses))
    channels = {
        address: [grpc.aio.insecure_channel(address, options=options) for _ in range(each)]
        for address in addresses
    }
    try:
        yield channels
    finally:
        for channel in itertools.chain(*channels.values()):
            await channel.close()


FLOODS: dict[str, Callable[[Target, float], Result]] = {
    "half-open": half_open,
    **{kind: partial(giant, kind) for kind in GIANTS},
    "watcher": watcher,
    "watchers-let-in": watchers_let_in,
    "log-in": log_in,
    "refused": refused,
    "far-sequence": far_sequence,
    "heavy-routes": heavy_routes,
    "heavy-deliveries": heavy_deliveries,
}
