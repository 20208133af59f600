"""Channels between services: gRPC's own retries by the service config, with the server's hints."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from services.common.grpc.channel import ATTEMPTS, balanced_channel, service_config

SERVICE = "signalbox.sample.v1.Sample"
HINT = "grpc-retry-pushback-ms"
SECONDS = 60.0
Answer = Callable[[grpc.ServicerContext], None]


class Scripted:
    """Answers calls with what is listed, one after the other, and then well."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.times: list[float] = []

    def call(self, _request: bytes, context: grpc.ServicerContext) -> bytes:
        """The next answer."""
        self.times.append(time.monotonic())
        if self._answers:
            self._answers.pop(0)(context)
        return b"done"


def fails(code: grpc.StatusCode, hint_ms: int | None = None) -> Answer:
    """An answer with this status and hint."""

    def answer(context: grpc.ServicerContext) -> None:
        if hint_ms is not None:
            context.set_trailing_metadata(((HINT, str(hint_ms)),))
        context.abort(code, "not now")

    return answer


@contextmanager
def serving(scripted: Scripted) -> Iterator[Callable[[], bytes]]:
    """A call of the service through a balanced channel."""
    server = grpc.server(ThreadPoolExecutor(2))
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Call": grpc.unary_unary_rpc_method_handler(scripted.call)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with balanced_channel([f"127.0.0.1:{port}"], SERVICE) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/Call")
        yield lambda: call(b"", timeout=SECONDS)
    server.stop(0).wait()


@pytest.mark.parametrize("code", ["UNAVAILABLE", "RESOURCE_EXHAUSTED", "CANCELLED"])
def test_what_passes_is_tried_again(code: str) -> None:
    """Also CANCELLED, with which a gRPC server sheds calls."""
    scripted = Scripted(*[fails(grpc.StatusCode[code])] * 2)
    with serving(scripted) as call:
        assert call() == b"done"
    assert len(scripted.times) == 3


def test_the_servers_hint_is_waited_for() -> None:
    """Instead of the first pause, which is at most 50 ms."""
    scripted = Scripted(fails(grpc.StatusCode.RESOURCE_EXHAUSTED, 700))
    with serving(scripted) as call:
        assert call() == b"done"
    first, second = scripted.times
    assert 0.69 < second - first < SECONDS / 2


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        (fails(grpc.StatusCode.UNAVAILABLE, -1), 1),
        (fails(grpc.StatusCode.INVALID_ARGUMENT), 1),
        (fails(grpc.StatusCode.ABORTED), 1),
        (fails(grpc.StatusCode.UNAVAILABLE), ATTEMPTS),
    ],
    ids=["hint not to", "malformed", "stale", "down"],
)
def test_what_lasts_is_not_tried_again(answer: Answer, calls: int) -> None:
    """A negative hint, an answer that will not change, and a service that stays down."""
    scripted = Scripted(*[answer] * 10)
    with serving(scripted) as call, pytest.raises(grpc.RpcError):
        call()
    assert len(scripted.times) == calls


def test_the_page_shows_the_service_config(repository: Path) -> None:
    """Clients in other languages take it from there."""
    page = (repository / "docs/clients.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert service_config("signalbox.rules.v1.Rules") in blocks
