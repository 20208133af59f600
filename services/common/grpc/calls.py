"""Every call from its beginning to its end, on the event loop: who calls, what the caller may use, then the message, then the
handler. A call whose message does not come costs its caller a place, for a few seconds, and no thread."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import grpc

from services.common.auth.tokens import ENDED, check_kind, check_scopes
from services.common.errors import (
    CallError,
    DeadlineExceeded,
    InvalidRequest,
    Overloaded,
    Unauthenticated,
    Unavailable,
)
from services.common.grpc.admission import AdmissionPolicy
from services.common.grpc.answering import TOO_LATE, Handler, Method
from services.common.grpc.callers import CallerReader
from services.common.grpc.context import CallContext
from services.common.grpc.endings import Endings
from services.common.grpc.fair_threads import FairThreads
from services.common.grpc.in_flight import CallLease, CallsInFlight, Limited, WatchersInFlight
from services.common.grpc.messages import Messages, RpcContext
from services.common.grpc.rates import CallRates
from services.common.grpc.refusals import RefusalPace
from services.common.grpc.relay import Relay
from services.common.grpc.revoking import RevokedStreams
from services.common.grpc.waiting import WaitFirst
from services.common.settings.service import Settings


@dataclass(frozen=True)
class CallServer:
    """Serves the methods of one server. Everything in it runs on one event loop."""

    settings: Settings
    endings: Endings
    callers: CallerReader
    rates: CallRates | None
    policy: AdmissionPolicy | None
    calls: CallsInFlight
    watchers: WatchersInFlight
    threads: FairThreads
    slow_threads: FairThreads
    messages: Messages
    refusals: RefusalPace
    paused: Limited
    revoked: RevokedStreams
    relays: Mapping[str, Relay]

    def handler(self, method: Method) -> Handler:
        """For gRPC, which would read the message of a call with one request before it asked. So every method takes a stream
        of requests, which is the same to a client, and bytes."""

        async def single(_requests: object, call: RpcContext) -> bytes:
            context = self._context(call, self.settings.default_deadline_seconds)
            return await self._served(method, call, context, self._answer) or b""

        async def stream(_requests: object, call: RpcContext) -> None:
            context = self._context(call, self.settings.default_stream_seconds)
            await self._served(method, call, context, self._send_answers)

        if method.is_stream:
            return grpc.stream_stream_rpc_method_handler(stream)
        return grpc.stream_unary_rpc_method_handler(single)

    def _context(self, call: RpcContext, default_seconds: float) -> CallContext:
        metadata: Any = call.invocation_metadata() or ()
        return CallContext(metadata, call.peer(), call.time_remaining(), default_seconds, call.auth_context())

    async def _served(
        self,
        method: Method,
        call: RpcContext,
        context: CallContext,
        serve: Callable[[Method, RpcContext, CallContext, CallLease], Awaitable[bytes | None]],
    ) -> bytes | None:
        """Admit a call and serve it; whatever goes wrong becomes its status."""
        began = self.endings.begun(method.name)
        try:
            lease = self._admit(method, context)
        except CallError as error:
            self.endings.failed(method.name, context, error)
            self.endings.refused(method.name, context.code())
            await self._refuse(call, context)
            return None
        try:
            answer = await self._in_time(method, context, serve(method, call, context, lease))
        except asyncio.CancelledError:
            context.set_code(grpc.StatusCode.CANCELLED)
            raise
        except Exception as error:
            answer = None
            self.endings.failed(method.name, context, error)
        finally:
            context.ended()
            self.endings.ended(method.name, context.code(), began, method.is_stream)
        if context.code() is not grpc.StatusCode.OK:
            await self._refuse(call, context)
        call.set_trailing_metadata(context.trailing_metadata())
        return answer

    async def _refuse(self, call: RpcContext, context: CallContext) -> None:
        """End a call with its status: in its turn, as long as there is room for calls that wait for theirs."""
        seconds = self.refusals.pause_seconds(context.caller, context.code())
        if seconds > 0:
            with suppress(Overloaded), ExitStack() as holding:
                holding.callback(self.paused.take(context.caller.key).release)
                await self.messages.pause(min(seconds, context.time_remaining() / 2))
        await call.abort(context.code(), context.details(), context.trailing_metadata())

    def _admit(self, method: Method, context: CallContext) -> CallLease:
        """By what came with the call, before its message. Raises what ends the call."""
        metadata, kinds = context.invocation_metadata(), method.limits.kinds
        context.caller = self.callers.caller(metadata, context.peer())
        if (relay := self._relay(method)) is not None:
            relay.admit(context)
        caller = context.caller
        # The replica that passed a call on has counted it.
        if self.rates is not None and not context.is_forwarded:
            self.rates.count(caller)
        if kinds:
            check_kind(caller.proven(), kinds)
        if method.limits.scopes is not None and caller.principal is not None:
            check_scopes(caller.principal, method.limits.scopes)
        if self.policy is not None:
            self.policy.admit(dict(metadata), self.threads.waiting, context)
        return self.calls.enter(caller, self.message_bytes_max(method))

    def _relay(self, method: Method) -> Relay | None:
        return self.relays.get(method.name.service)

    def message_bytes_max(self, method: Method) -> int:
        """Size of the largest request that a method takes."""
        return min(self.settings.message_bytes_max, method.limits.bytes)

    async def _in_time(
        self, method: Method, context: CallContext, serving: Awaitable[bytes | None]
    ) -> bytes | None:
        token_seconds = self.callers.token_seconds_left(context.caller)
        seconds = context.time_remaining()
        soonest = min(seconds, token_seconds)
        limit = asyncio.timeout(None if math.isinf(soonest) else soonest)
        try:
            async with limit:
                if not method.is_endless:
                    return await serving
                with self.messages.until_stop(limit), self.revoked.until_revoked(context, limit):
                    return await serving
        except TimeoutError:
            if not limit.expired():
                raise
        if method.is_endless and self.messages.is_stopping:
            raise Unavailable("the service stops; watch again from the last message")
        if (fault := self.callers.fault(context.caller, context.invocation_metadata())) is not None:
            raise fault
        raise Unauthenticated(ENDED) if token_seconds < seconds else DeadlineExceeded(TOO_LATE)

    async def _receive(
        self, method: Method, call: RpcContext, context: CallContext, lease: CallLease
    ) -> bytes:
        message = await self.messages.next(call, self.message_bytes_max(method))
        if message is None:
            raise InvalidRequest(f"the call of {method.name} has no request")
        lease.received(len(message))
        if self.rates is not None and self.rates.are_shared and not context.is_forwarded:
            rates, caller = self.rates, context.caller
            await self.threads.run(caller.key, lambda: rates.count_together(caller))
        return message

    async def _answer(
        self, method: Method, call: RpcContext, context: CallContext, lease: CallLease
    ) -> bytes:
        with ExitStack() as holding:
            holding.callback(lease.release)
            message = await self._receive(method, call, context, lease)

            def made_here() -> Awaitable[bytes]:
                return self._made_once(method, context, message, lease, holding)

            relay = self._relay(method)
            return await (made_here() if relay is None else relay.answer(method, message, context, made_here))

    async def _made_once(
        self, method: Method, context: CallContext, message: bytes, lease: CallLease, holding: ExitStack
    ) -> bytes:
        """The answer of a single call by this process; `holding` releases the lease at the end."""
        if method.is_asynchronous:
            with method.traced(context):
                return method.response(await method.behaviour(method.request(message), context))
        threads = self.slow_threads if method.limits.slow else self.threads
        while True:
            try:
                return await threads.run(
                    context.caller.key, lambda: method.answer(message, context), lease.release
                )
            except asyncio.CancelledError:
                # The thread may work on, and holds the lease until it is over.
                holding.pop_all()
                raise
            except WaitFirst as first:
                await first.until()

    async def _send_answers(
        self, method: Method, call: RpcContext, context: CallContext, lease: CallLease
    ) -> None:
        with ExitStack() as holding:
            holding.callback(lease.release)
            if method.limits.watch:
                for each in self.watchers.enter(context.caller):
                    holding.callback(each.release)
            if method.takes_stream:
                lease.release()
                request: Any = self._requests(method, call)
                answers = self._made_here(method, context, request)
            else:
                message = await self._receive(method, call, context, lease)
                if method.limits.watch:
                    lease.release()

                def made_here(message: bytes) -> AsyncIterator[bytes]:
                    if method.is_asynchronous:
                        return self._made_here(method, context, method.request(message))
                    return self._made_in_threads(method, context, message)

                relay = self._relay(method)
                answers = (
                    made_here(message)
                    if relay is None
                    else relay.answers(method, message, context, made_here)
                )
            has_begun = False
            async for answer in answers:
                if not has_begun:
                    await self.messages.begin(call)
                    has_begun = True
                await self.messages.send(call, answer)

    async def _requests(self, method: Method, call: RpcContext) -> AsyncIterator[Any]:
        while (message := await self.messages.next(call, self.message_bytes_max(method))) is not None:
            yield method.request(message)

    async def _made_here(self, method: Method, context: CallContext, request: Any) -> AsyncIterator[bytes]:
        async for answer in method.behaviour(request, context):
            yield method.response(answer)

    async def _made_in_threads(
        self, method: Method, context: CallContext, message: bytes
    ) -> AsyncIterator[bytes]:
        answers = method.answers(message, context)
        while True:
            # A thread is held while the next answer is being made, not while one is sent.
            answer = await self.threads.run(context.caller.key, lambda: next(answers, None))
            if answer is None:
                return
            yield answer
