"""Sends inputs and checks that what was refused changed nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import msgspec

from tests.attack.inputs import Input
from tests.attack.loop import run as run_in_loop
from tests.attack.plan import UNKNOWN_OUTCOMES, Result, Target
from tests.attack.surface import Method, all_methods, server_of

AT_ONCE = 16
CALL_SECONDS = 5.0
STREAM_SECONDS = 0.2
STREAM_MESSAGES = 3
ASK_AGAIN_SECONDS = 30.0
METHODS = {(method.service, method.name): method for method in all_methods()}


class Effects(msgspec.Struct):
    """What the answers acknowledge: sequences of the target game, the latest version of each table, and inputs without a
    known outcome."""

    sequences: set[tuple[int, int]] = set()
    tables: dict[str, int] = {}
    unknown: list[Input] = []

    def note(self, method: Method, answer: Any, target: Target, request: Any) -> None:
        """Note what an answer acknowledges."""
        if method.name == "Execute" and answer.WhichOneof("outcome") == "accepted":
            if request.game_id == target.game_id:
                self.sequences.add((answer.accepted.first_sequence, answer.accepted.last_sequence))
        elif method.service == "lobby" and "table" in answer.DESCRIPTOR.fields_by_name:
            table = answer.table
            if table.table_id:
                self.tables[table.table_id] = max(table.version, self.tables.get(table.table_id, 0))

    def add(self, other: Effects) -> None:
        """Note those of other calls too."""
        self.sequences |= other.sequences
        for table_id, version in other.tables.items():
            self.tables[table_id] = max(version, self.tables.get(table_id, 0))
        self.unknown += other.unknown


def send_inputs(target: Target, sent: Sequence[Input]) -> tuple[Result, Effects]:
    """Send these, so many at a time; calls without a known outcome are listed in the effects."""
    return run_in_loop(_Sender(target).send(sent, CALL_SECONDS))


def ask_again(target: Target, unknown: Sequence[Input]) -> tuple[Result, Effects]:
    """Send inputs again with the same request ids and more time, to get their outcomes."""
    return run_in_loop(_Sender(target).send(unknown, ASK_AGAIN_SECONDS))


class _Sender:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._result, self._effects = Result(), Effects()

    async def send(self, sent: Sequence[Input], seconds: float) -> tuple[Result, Effects]:
        """All of them."""
        options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        addresses = {name: getattr(self._target, name) for name in ("lobby", "rules", "routing", "ledger")}
        channels = {name: grpc.aio.insecure_channel(at, options=options) for name, at in addresses.items()}
        waiting = iter(sent)

        async def sender() -> None:
            for each in waiting:
                await self._send(channels[server_of(each.service)], each, seconds)

        await asyncio.gather(*(sender() for _ in range(AT_ONCE)))
        for channel in channels.values():
            await channel.close()
        return self._result, self._effects

    async def _send(self, channel: Any, given: Input, seconds: float) -> None:
        method = METHODS[given.service, given.method]
        what = f"{given.method} as {given.role}: {given.content[:120]!r}"
        metadata = self._target.metadata(given.role)
        try:
            if method.is_stream:
                await self._read(channel.unary_stream(method.path), given, metadata)
            else:
                content = await channel.unary_unary(method.path)(
                    given.content, timeout=seconds, metadata=metadata
                )
                request = method.request()
                request.ParseFromString(given.content)
                self._effects.note(method, method.answer(content), self._target, request)
        except grpc.aio.AioRpcError as error:
            self._result.count(error.code(), error.details() or "", what)
            if error.code() in UNKNOWN_OUTCOMES and not method.is_stream:
                self._effects.unknown.append(given)
        else:
            self._result.count(grpc.StatusCode.OK, "", what)

    async def _read(self, open_stream: Any, given: Input, metadata: Any) -> None:
        """A few messages, or as many as come within a short time."""
        stream = open_stream(given.content, timeout=CALL_SECONDS, metadata=metadata)
        try:
            async with asyncio.timeout(STREAM_SECONDS):
                for _ in range(STREAM_MESSAGES):
                    if await stream.read() is grpc.aio.EOF:
                        break
        except TimeoutError:
            pass
        finally:
            stream.cancel()
