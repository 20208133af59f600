"""Names behind which the replicas are replaced: callers ask for them again in time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest

from services.client.calls import RECONNECTING
from services.common.grpc.channel import Options, balancing, service_config

SERVICE = "signalbox.sample.v1.Sample"
BEFORE, AFTER = "127.0.0.2", "127.0.0.3"
# Far less than gRPC's half a minute.
SECONDS = 12.0
ADDRESS_RECORD, HEADER_BYTES, QUESTION_TAIL_BYTES = 1, 12, 4


class Names:
    """A server of names that answers every question with one address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            asked, caller = self._socket.recvfrom(512)
            end = asked.index(b"\0", HEADER_BYTES) + 1 + QUESTION_TAIL_BYTES
            is_address = int.from_bytes(asked[end - 4 : end - 2], "big") == ADDRESS_RECORD
            # Answered, without an error: one question, and one record or none.
            header = asked[:2] + b"\x81\x80" + b"\0\1" + bytes([0, is_address]) + b"\0\0\0\0"
            # Of the name in the question, an address of the internet, good for no second, four bytes.
            record = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(self.address)
            self._socket.sendto(header + asked[HEADER_BYTES:end] + (record if is_address else b""), caller)


@contextmanager
def replica(address: str, port: int = 0) -> Iterator[int]:
    """A server that answers with its address; yields its port."""
    server = grpc.server(ThreadPoolExecutor(2))
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Call": grpc.unary_unary_rpc_method_handler(lambda _request, _context: address.encode())
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    found = server.add_insecure_port(f"{address}:{port}")
    assert found
    server.start()
    try:
        yield found
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize(
    "options", [RECONNECTING, balancing(["rules.test:1"], service_config(SERVICE))], ids=["player", "service"]
)
def test_a_replica_that_comes_back_with_another_address_is_found(options: Options) -> None:
    """Also when the name was asked for a moment before, as in an upgrade that goes from one replica to the next."""
    names = Names(BEFORE)
    with replica(BEFORE) as port:
        channel = grpc.insecure_channel(f"dns://127.0.0.1:{names.port}/rules.test:{port}", options=options)
        call: Callable[..., bytes] = channel.unary_unary(f"/{SERVICE}/Call")
        assert call(b"", timeout=SECONDS, wait_for_ready=True) == BEFORE.encode()
        names.address = AFTER
    with channel, replica(AFTER, port):
        assert call(b"", timeout=SECONDS, wait_for_ready=True) == AFTER.encode()
