"""A stream of answers over HTTP: a JSON document on each line (ndjson), or server-sent events, whose ids resume it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass

from google.protobuf.message import Message
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from services.web.contracts import Resumption, Rpc
from services.web.json_form import answer_json
from services.web.problems import ProblemError, of_http

NDJSON = "application/x-ndjson"
EVENTS = "text/event-stream"
LAST_EVENT_ID = "last-event-id"
# Proxies end a connection on which nothing comes for a minute.
SILENCE_SECONDS = 15.0
# So long the status of the answer waits for a first message or for the refusal of the stream.
FIRST_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class StreamForm:
    """How answers are written."""

    content_type: str
    resumption: Resumption | None

    def answer(self, answer: Message) -> bytes:
        """One answer."""
        if self.content_type == NDJSON:
            return f"{answer_json(answer)}\n".encode()
        number = "" if self.resumption is None else f"id: {self.resumption.number_in(answer)}\n"
        return f"{number}data: {answer_json(answer)}\n\n".encode()

    def problem(self, failed: ProblemError) -> bytes:
        """Why the stream ends."""
        if self.content_type == NDJSON:
            return b'{"problem": ' + failed.body + b"}\n"
        return b"event: problem\ndata: " + failed.body + b"\n\n"

    @property
    def silence(self) -> bytes:
        """What readers skip."""
        return b"\n" if self.content_type == NDJSON else b": nothing new\n\n"


def form_of(rpc: Rpc, accept: str) -> StreamForm:
    """The form that a client accepts."""
    return StreamForm(EVENTS if EVENTS in accept else NDJSON, rpc.resumption)


def resumed(rpc: Rpc, request: Message, headers: Mapping[str, str]) -> Message:
    """The request for what comes after the event that a client saw last. Raises `ProblemError`."""
    last = headers.get(LAST_EVENT_ID, "")
    if last and rpc.resumption is not None:
        # Eighteen digits are a number of 64 bits in any case.
        if not (last.isascii() and last.isdecimal() and len(last) <= 18):
            raise of_http(400, "malformed_request", f"{LAST_EVENT_ID}: {last!r} is no number of an event")
        setattr(request, rpc.resumption.request_field, int(last))
    return request


async def written(answers: AsyncGenerator[Message, None], form: StreamForm) -> AsyncGenerator[bytes, None]:
    """The bytes of a stream. The first comes when it is known whether there is one, and may be empty. Raises `ProblemError`
    for a stream that is refused at once; one that fails later ends with the problem."""
    async with aclosing(answers):
        coming = asyncio.ensure_future(anext(answers, None))
        try:
            done, _ = await asyncio.wait((coming,), timeout=FIRST_SECONDS)
            if done and (first := coming.exception()) is not None:
                raise first
            yield b""
            while True:
                done, _ = await asyncio.wait((coming,), timeout=SILENCE_SECONDS)
                if not done:
                    yield form.silence
                    continue
                try:
                    answer = coming.result()
                except ProblemError as failed:
                    yield form.problem(failed)
                    return
                if answer is None:
                    return
                yield form.answer(answer)
                coming = asyncio.ensure_future(anext(answers, None))
        finally:
            await _cancelled(coming)


class HeldStream(StreamingResponse):
    """A stream over HTTP; what is held for it is given back when it ends, however it does."""

    def __init__(
        self,
        holding: AsyncExitStack,
        pieces: AsyncGenerator[bytes, None],
        media_type: str,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(pieces, headers={**headers, "X-Accel-Buffering": "no"}, media_type=media_type)
        self._holding = holding
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        async with self._holding, aclosing(self._pieces):
            await super().__call__(scope, receive, send)


async def _cancelled(coming: asyncio.Future[Message | None]) -> None:
    """A generator may be closed only when nobody waits for it."""
    coming.cancel()
    with suppress(asyncio.CancelledError, ProblemError, StopAsyncIteration):
        await coming


async def with_first(
    pieces: AsyncGenerator[bytes, None],
) -> AsyncGenerator[bytes, None]:
    """The same pieces; waits for the first one, which may raise, before it gives the iterator."""
    await anext(pieces)
    return pieces
