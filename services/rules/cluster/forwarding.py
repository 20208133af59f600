"""Passes calls about a game on to a replica that has it, where replicas keep a part of the log each.

A call goes from the replica that was asked to one other and no further: that one answers, or says that it does not have the game.
Both find the holders in what the group of owners says, which one of them may know later than the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import grpc
from prometheus_client import CollectorRegistry, Counter

from services.common.auth.tokens import TOKEN_REVOKED, TokenVerifier
from services.common.errors import (
    CallError,
    DeadlineExceeded,
    Overloaded,
    Unavailable,
)
from services.common.grpc.answering import Method
from services.common.grpc.context import CallContext
from services.common.grpc.owners import (
    CHANGES,
    FIRST_SECONDS_MAX,
    FIRST_SHARE,
    OWNER_KEY,
    UNREACHED,
    first_seconds,
    owner_metadata,
)
from services.common.partitions import partition_of
from services.common.telemetry.logs import get_logger
from services.rules.cluster.peer_proof import NOT_TRUSTED, REASON_KEY, PeerProof, values
from services.rules.cluster.peers import Metadata, Peer, Peers
from services.rules.cluster.placement import Placement
from services.rules.moves import GAMES_MAX

NOT_OWNER = "not_owner"
# With a status that is the answer to the call: one without it may come from the connection.
ANSWERED = ("signalbox-answered", "yes")
# The group that says who has what may be away. A call can do without it: replicas that gave a partition away follow it on.
LOOK_SECONDS_MAX = 1.0
MOVED = "the game went to another replica; watch again from the last message"
NOBODY = "no replica that has this game answers; the same request may be sent again"
HANGS = "the replica that has this game does not answer in time; the same request may be sent again"


class NotOwner(CallError):
    """This replica does not have the game that another one asks it for."""

    code = grpc.StatusCode.UNAVAILABLE
    trailing = ((REASON_KEY, NOT_OWNER),)


class GamePlaces(Protocol):
    """Which replica has which partition."""

    @property
    def placement(self) -> Placement:
        """As far as is known."""

    @property
    def followed(self) -> frozenset[int]:
        """The partitions that this replica follows."""

    def is_here(self, partition: int) -> bool:
        """Whether this replica may answer for it: what it has is no older than an answer may be."""

    def look(self) -> None:
        """Find out anew; blocks."""

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener`, in any thread, whenever `followed` has changed."""


class Forwarder:
    """The `Relay` of rules. `close` ends what it has passed on."""

    def __init__(
        self,
        name: str,
        partitions: int,
        places: GamePlaces,
        peers: Peers,
        verifier: TokenVerifier,
        token: Callable[[], str],
        registry: CollectorRegistry,
    ) -> None:
        """`name`: of this replica. `token`: proves to others that it is one."""
        self._name = name
        self._partitions = partitions
        self._places = places
        self._peers = peers
        self._proof = PeerProof(verifier, token)
        self._log = get_logger("forwarding")
        self._watches: set[_Watch] = set()
        self._looking: asyncio.Task[None] | None = None
        self._forwarded = Counter(
            "signalbox_forwarded_calls",
            "Calls passed on to the replica that has their game",
            ("method", "result"),
            registry=registry,
        )
        places.listen(self._followed_others)

    def admit(self, context: CallContext) -> None:
        """See `Relay`."""
        self._proof.admit(context)

    async def answer(
        self, method: Method, message: bytes, context: CallContext, made_here: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """See `Relay`."""
        game_id = getattr(method.request(message), "game_id", "")
        if not game_id or self._has(game_id):
            answer = await self._by_owner(method, message, context, game_id)
            if answer is None:
                with _answered(context):
                    answer = await made_here()
        elif context.is_forwarded:
            raise NotOwner(NOBODY)
        else:
            answer = await self._elsewhere(method, message, context, self._partition(game_id))
        if game_id and not context.is_forwarded:
            self._tell_owner(self._partition(game_id), context)
        return answer

    def _tell_owner(self, partition: int, context: CallContext) -> None:
        """With the answer, to a caller that asks and believes otherwise."""
        believed = values(context.invocation_metadata(), OWNER_KEY)
        _, address = self._owner(partition)
        if believed and address and believed[-1] != address:
            own = context.trailing_metadata()
            context.set_trailing_metadata((*own, owner_metadata(partition, self._partitions, address)))

    def _owner(self, partition: int) -> tuple[str, str]:
        """Name and address of the owner, each empty where it is not known."""
        placement = self._places.placement
        name = next(iter(placement.holders.get(partition, ())), "")
        return name, placement.addresses.get(name, "")

    async def _by_owner(
        self, method: Method, message: bytes, context: CallContext, game_id: str
    ) -> bytes | None:
        """The answer of the owner to a command that a standby was asked for: it hears of its own commit first. None where this
        replica has to send the command by the log, which is as good: whatever else the owner says, it is asked again there."""
        if method.name.method not in CHANGES or context.is_forwarded:
            return None
        name, address = self._owner(self._partition(game_id))
        if not address or name == self._name:
            return None
        peer = self._peers.at(address)
        if peer.is_avoided:
            return None
        seconds = min(context.time_remaining() * FIRST_SHARE, FIRST_SECONDS_MAX)
        answer, result = None, "answered"
        try:
            answer = await peer.call(f"/{method.name}", message, self._proof.metadata(context), seconds)
        except Overloaded:
            result = "overloaded"
        except grpc.aio.AioRpcError as error:
            result = self._result(peer, error)
        if result != "overloaded":
            peer.note(is_reached=result in ("answered", NOT_OWNER, "refused"))
        self._forwarded.labels(method.name.method, result).inc()
        return answer

    async def answers(
        self,
        method: Method,
        message: bytes,
        context: CallContext,
        made_here: Callable[[bytes], AsyncIterator[bytes]],
    ) -> AsyncIterator[bytes]:
        """See `Relay`. Ends when one of the games is not answered for by the same replica any more."""
        request = method.request(message)
        names = [request.game_id] if hasattr(request, "game_id") else [each.game_id for each in request.games]
        here = frozenset(self._partition(each) for each in names if self._has(each))
        if len(names) > GAMES_MAX or all(self._partition(each) in here for each in names):
            sources = [made_here(message)]
        elif context.is_forwarded:
            raise NotOwner(NOBODY)
        else:
            sources = self._split(method, request, context, here, made_here)
        watch = _Watch(here)
        self._watches.add(watch)
        if not here <= self._places.followed:
            watch.end_soon()
        try:
            with _answered(context):
                async for answer in watch.merged(sources):
                    yield answer
        finally:
            self._watches.discard(watch)
            await watch.close()

    async def close(self) -> None:
        """End all calls to others."""
        await self._peers.close()

    def _partition(self, game_id: str) -> int:
        return partition_of(game_id, self._partitions)

    def _has(self, game_id: str) -> bool:
        return self._places.is_here(self._partition(game_id))

    def _others(self, partition: int) -> list[Peer]:
        """The other replicas that have a partition, its owner first, those that were not reached last."""
        placement = self._places.placement
        names = [name for name in placement.holders.get(partition, ()) if name != self._name]
        peers = [self._peers.at(placement.addresses[name]) for name in names if name in placement.addresses]
        return sorted(peers, key=lambda peer: peer.is_avoided)

    async def _elsewhere(self, method: Method, message: bytes, context: CallContext, partition: int) -> bytes:
        """The answer of the owner or, at a second attempt, of the next replica that has the game."""
        tried: list[Peer] = []
        for is_last in (False, True):
            peer = next((each for each in self._others(partition) if each not in tried), None)
            if peer is None:
                break
            tried.append(peer)
            try:
                answer = await self._asked(peer, method, message, context, is_last)
            except Overloaded:
                self._forwarded.labels(method.name.method, "overloaded").inc()
                raise
            except grpc.aio.AioRpcError as error:
                result = self._note(peer, method, error, context)
                if result == NOT_OWNER:
                    # The group may have divided the partitions anew.
                    await self._look()
                elif result == "timeout" and (is_last or method.name.method in CHANGES):
                    raise DeadlineExceeded(HANGS) from error
            else:
                peer.note(is_reached=True)
                self._forwarded.labels(method.name.method, "answered").inc()
                return answer
        raise Unavailable(NOBODY)

    async def _look(self) -> None:
        """Find out anew who has what: once for all calls that want to know, and none waits long for it."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(asyncio.to_thread(self._places.look))
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._looking), LOOK_SECONDS_MAX)

    async def _asked(
        self, peer: Peer, method: Method, message: bytes, context: CallContext, is_last: bool
    ) -> bytes:
        left = context.time_remaining()
        seconds = left if is_last else first_seconds(method.name.method, left)
        return await peer.call(f"/{method.name}", message, self._proof.metadata(context), seconds)

    def _note(self, peer: Peer, method: Method, error: grpc.aio.AioRpcError, context: CallContext) -> str:
        """What became of a call; a status that is the answer to it ends the call with the same one."""
        result = self._result(peer, error)
        # A command may also take long because the partition has no owner yet.
        if result != "timeout" or method.name.method not in CHANGES:
            peer.note(is_reached=result in (NOT_OWNER, "refused"))
        self._forwarded.labels(method.name.method, result).inc()
        if result == "refused":
            trailing = error.trailing_metadata() or ()
            context.set_trailing_metadata([each for each in trailing if each != ANSWERED])
            context.abort(error.code(), error.details() or "")
        return result

    def _result(self, peer: Peer, error: grpc.aio.AioRpcError) -> str:
        """What became of a call in a word; a token that was not accepted is made anew."""
        code, trailing = error.code(), tuple(error.trailing_metadata() or ())
        if (REASON_KEY, NOT_OWNER) in trailing:
            result = NOT_OWNER
        elif (REASON_KEY, NOT_TRUSTED) in trailing or _doubts_token(code, trailing):
            result = NOT_TRUSTED
            self._proof.renew()
        elif ANSWERED not in trailing and code in UNREACHED:
            result = "unreachable"
        elif ANSWERED not in trailing and code is grpc.StatusCode.DEADLINE_EXCEEDED:
            result = "timeout"
        else:
            result = "refused"
        details = error.details()
        self._log.info("call not answered elsewhere", peer=peer.address, result=result, reason=details)
        return result

    def _split(
        self,
        method: Method,
        request: Any,
        context: CallContext,
        here: frozenset[int],
        made_here: Callable[[bytes], AsyncIterator[bytes]],
    ) -> list[AsyncIterator[bytes]]:
        """A stream from here, where games are here, and one from every replica that has others. Raises `Unavailable`."""
        if hasattr(request, "game_id"):
            return [self._stream(method, request, context, self._first(self._partition(request.game_id)))]
        parts: dict[Peer | None, Any] = {}
        for game in request.games:
            partition = self._partition(game.game_id)
            peer = None if partition in here else self._first(partition)
            parts.setdefault(peer, type(request)()).games.append(game)
        return [
            made_here(part.SerializeToString()) if peer is None else self._stream(method, part, context, peer)
            for peer, part in parts.items()
        ]

    def _first(self, partition: int) -> Peer:
        """The replica to ask for a partition. Raises `Unavailable`."""
        peer = next(iter(self._others(partition)), None)
        if peer is None:
            raise Unavailable(NOBODY)
        return peer

    async def _stream(
        self, method: Method, request: Any, context: CallContext, peer: Peer
    ) -> AsyncIterator[bytes]:
        # Its own end comes first.
        seconds, metadata = context.time_remaining() + FIRST_SECONDS_MAX, self._proof.metadata(context)
        self._forwarded.labels(method.name.method, "begun").inc()
        try:
            async for answer in peer.stream(
                f"/{method.name}", request.SerializeToString(), metadata, seconds
            ):
                yield answer
        except grpc.aio.AioRpcError as error:
            if self._note(peer, method, error, context) == NOT_OWNER:
                await self._look()
            raise Unavailable(MOVED) from error

    def _followed_others(self) -> None:
        """Other partitions are followed here than before. Called in the thread that looks."""
        followed = self._places.followed
        for watch in list(self._watches):
            if not watch.partitions <= followed:
                watch.end_soon()


class _Watch:
    """One watcher of games, of which those in some `partitions` are here."""

    def __init__(self, partitions: frozenset[int]) -> None:
        self.partitions = partitions
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue(1)
        self._tasks: list[asyncio.Task[None]] = []
        self._moved = asyncio.Event()

    def end_soon(self) -> None:
        """Some of the games are here no more. From any thread."""
        self._loop.call_soon_threadsafe(self._moved.set)

    async def merged(self, sources: list[AsyncIterator[bytes]]) -> AsyncIterator[bytes]:
        """Everything from these, until the first of them ends. Raises what that raises, and `Unavailable`."""
        self._tasks = [asyncio.create_task(self._pump(source)) for source in sources]
        self._tasks.append(asyncio.create_task(self._end_when_moved()))
        while (item := await self._queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item

    async def _pump(self, source: AsyncIterator[bytes]) -> None:
        try:
            async for answer in source:
                await self._queue.put(answer)
            await self._queue.put(None)
        except Exception as problem:
            await self._queue.put(problem)

    async def _end_when_moved(self) -> None:
        await self._moved.wait()
        await self._queue.put(Unavailable(MOVED))

    async def close(self) -> None:
        """End the sources."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task


@contextmanager
def _answered(context: CallContext) -> Iterator[None]:
    """Shows the replica that passed a call on that a status within the block is the answer."""
    try:
        yield
    except CallError as error:
        if context.is_forwarded:
            error.trailing = (*error.trailing, ANSWERED)
        raise


def _doubts_token(code: grpc.StatusCode, trailing: Metadata) -> bool:
    """Whether a replica finds the player's token bad, which the one that passed the call on found good a moment ago: their
    clocks differ, or their keys. What was taken back may be known there first."""
    return code is grpc.StatusCode.UNAUTHENTICATED and not {ANSWERED, *TOKEN_REVOKED} & {*trailing}
