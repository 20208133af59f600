"""A channel that is made anew: how often it looks, what becomes of calls, and of the connections it leaves."""

from __future__ import annotations

import socket

import grpc
import pytest

from services.common.grpc.renewed import LOOK_EVERY_SECONDS, RenewedChannel

SECONDS = 60.0
# Length, type, flags and stream of an empty frame of settings: without one a client takes nobody for an HTTP/2 server.
EMPTY_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


class Clock:
    """Stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def channel_to_nobody() -> grpc.Channel:
    """A channel that is not called."""
    return grpc.insecure_channel("127.0.0.1:1")


def test_it_looks_once_in_a_while_and_not_after_its_end() -> None:
    """However many calls there are, one of them in a second asks for another channel; a closed one never does."""
    clock = Clock()
    first, second = channel_to_nobody(), channel_to_nobody()
    answers = [None, second, None]
    looked_at: list[float] = []

    def renew() -> grpc.Channel | None:
        looked_at.append(clock.now)
        return answers[len(looked_at) - 1]

    with RenewedChannel(first, renew, clock) as channel:
        expected = [first, first, second, second]
        for turn, at_that_time in enumerate(expected):
            clock.now = turn * LOOK_EVERY_SECONDS
            assert all(channel.present() is at_that_time for _ in range(10))
    assert looked_at == [LOOK_EVERY_SECONDS * turn for turn in (1, 2, 3)]
    clock.now += 10 * LOOK_EVERY_SECONDS
    assert channel.present() is second
    assert len(looked_at) == 3
    with pytest.raises(ValueError, match="closed"):
        channel.unary_unary("/Sample/ask")(b"")
    first.close()


def accepted(listener: socket.socket) -> socket.socket:
    """The next connection, greeted."""
    connection, _ = listener.accept()
    connection.settimeout(SECONDS)
    connection.sendall(EMPTY_SETTINGS)
    return connection


def ends(connection: socket.socket) -> bool:
    """Whether the other side ends the connection; waits for it."""
    while connection.recv(4096):
        pass
    return True


def test_an_earlier_channel_lives_as_long_as_its_calls() -> None:
    """A call that nobody answers keeps its connection when others use a new one; with the call the connection ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(SECONDS)
        target = f"127.0.0.1:{listener.getsockname()[1]}"
        unshared = [("grpc.use_local_subchannel_pool", 1)]
        clock = Clock()
        with RenewedChannel(
            grpc.insecure_channel(target, unshared),
            lambda: grpc.insecure_channel(target, unshared),
            clock,
        ) as channel:
            rpc: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/Sample/ask")
            earlier = rpc.future(b"", timeout=10 * SECONDS)
            with accepted(listener) as connection:
                clock.now = LOOK_EVERY_SECONDS
                later = rpc.future(b"", timeout=10 * SECONDS)
                with accepted(listener):
                    assert earlier.running()
                    earlier.cancel()
                    assert ends(connection)
                    assert later.running()
                    later.cancel()
