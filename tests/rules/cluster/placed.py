"""Servers of rules that say which game is where, without Kafka; each answers with its number."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import CollectorRegistry

from services.common.auth.identity import service_id
from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import NotFound, Unavailable
from services.common.grpc.channel import single_channel
from services.common.grpc.loop import on_loop
from services.common.grpc.server import Guard, HostedService, create_server
from services.common.grpc.tls import PLAIN, TlsSettings
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.rules.bootstrap import METHODS, SERVICE_NAME
from services.rules.cluster.forwarding import Forwarder
from services.rules.cluster.peers import Peers
from services.rules.cluster.placement import Placement
from tests.rules.cluster.harness import game_in

PARTITIONS = 3
SECONDS = 30.0
# As long as the tests of a session may take: `ANN` comes in by a token from its beginning.
ISSUER = TokenIssuer(Ed25519PrivateKey.generate(), 86_400, SystemClock())
ANN = ("authorization", f"Bearer {ISSUER.issue(Principal('ann', 'Ann')).token}")
RULES = Principal(service_id("rules"), "rules", "service")
MISSING = "missing"
LATE = "not read up to date"


class ShiftedClock:
    """Is wrong by so many seconds."""

    def __init__(self) -> None:
        self.seconds = 0

    def now_ms(self) -> int:
        return SystemClock().now_ms() + self.seconds * 1000


class Places:
    """What one replica believes, until it looks anew."""

    def __init__(self, here: frozenset[int]) -> None:
        self.placement = Placement()
        self.next_placement: Placement | None = None
        self.followed = here
        self.looks = 0
        self._listeners: list[Callable[[], None]] = []

    def is_here(self, partition: int) -> bool:
        return partition in self.followed

    def look(self) -> None:
        self.looks += 1
        self.placement = self.next_placement or self.placement

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def follow(self, partitions: frozenset[int]) -> None:
        self.followed = partitions
        for listener in self._listeners:
            listener()


class Games(rules_pb2_grpc.RulesServicer):
    """Answers with the number of its server as the sequence."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.calls = 0
        self._goes_on = threading.Event()
        self._goes_on.set()

    def hang(self) -> None:
        """Reads get no answer until `go_on`."""
        self._goes_on.clear()

    def go_on(self) -> None:
        """Answer."""
        self._goes_on.set()

    def GetGame(self, request: pb.GetGameRequest, context: grpc.ServicerContext) -> pb.GetGameResponse:
        self.calls += 1
        self._goes_on.wait(SECONDS)
        if request.at_sequence:
            raise NotFound(MISSING)
        if request.at_least_sequence:
            raise Unavailable(LATE)
        response = pb.GetGameResponse()
        response.game.sequence = self._number
        return response

    def Execute(self, request: pb.ExecuteRequest, context: grpc.ServicerContext) -> pb.ExecuteResponse:
        self.calls += 1
        return pb.ExecuteResponse(accepted=pb.Accepted(first_sequence=self._number))

    async def WatchGame(
        self, request: pb.WatchGameRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[pb.WatchGameResponse]:
        response = pb.WatchGameResponse()
        response.event.sequence = self._number
        yield response
        await asyncio.sleep(SECONDS)

    async def WatchMoves(
        self, request: pb.WatchMovesRequest, context: grpc.ServicerContext
    ) -> AsyncIterator[pb.WatchMovesResponse]:
        for game in request.games:
            yield pb.WatchMovesResponse(game_id=game.game_id, sequence=self._number)
        await asyncio.sleep(SECONDS)


class Server:
    """One replica: its games, what it believes, its metrics, and a way to call it."""

    def __init__(
        self, number: int, here: frozenset[int], served: TlsSettings = PLAIN, trusting: TlsSettings = PLAIN
    ) -> None:
        self.games, self.places, self.registry = Games(number), Places(here), CollectorRegistry()
        self.clock, self.token_seconds = ShiftedClock(), 60
        issuer = TokenIssuer(ISSUER.keys, 60, self.clock)
        verifier = TokenVerifier(ISSUER.public_key, self.clock)
        self.forwarder = Forwarder(
            f"r{number}",
            PARTITIONS,
            self.places,
            Peers(trusting),
            verifier,
            lambda: issuer.issue(RULES, self.token_seconds).token,
            self.registry,
        )
        add = rules_pb2_grpc.add_RulesServicer_to_server
        service = HostedService(SERVICE_NAME, add, self.games, METHODS, self.forwarder)
        settings = Settings(tls=served)
        self._server, port = create_server([service], settings, Telemetry(), guard=Guard(verifier))
        self.address = f"localhost:{port}"
        self._server.start()
        self._channel = single_channel(self.address, trusting)
        self.stub = rules_pb2_grpc.RulesStub(self._channel)

    def answered_by(self, partition: int, seconds: float = SECONDS, **options: int) -> int:
        request = pb.GetGameRequest(game_id=game_in({partition}), **options)
        return int(self.stub.GetGame(request, metadata=[ANN], timeout=seconds).game.sequence)

    def count(self, method: str, result: str) -> float:
        labels = {"method": method, "result": result}
        return self.registry.get_sample_value("signalbox_forwarded_calls_total", labels) or 0.0

    def close(self) -> None:
        self._channel.close()
        self._server.stop(0.1)
        on_loop(self.forwarder.close())


Servers = list[Server]


@contextmanager
def three_servers(served: TlsSettings = PLAIN, trusting: TlsSettings = PLAIN) -> Iterator[Servers]:
    """Of three partitions server 0 has none, 1 has 0 and 2 has 1; 2 stands by for 0 without having read it."""
    opened = [
        Server(number, here, served, trusting)
        for number, here in enumerate((frozenset[int](), frozenset((0,)), frozenset((1,))))
    ]
    addresses = {f"r{number}": server.address for number, server in enumerate(opened)}
    holders = {0: ("r1", "r2"), 1: ("r2", "r1")}
    for server in opened:
        server.places.placement = Placement(holders, addresses)
    yield opened
    for server in opened:
        server.close()


@contextmanager
def refused(code: grpc.StatusCode, text: str = "", within: float = SECONDS) -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(grpc.RpcError) as caught:
        yield
    error = caught.value
    assert isinstance(error, grpc.Call)
    assert error.code() is code, error
    assert text in (error.details() or "")
    assert time.monotonic() - began < within


@contextmanager
def hanging() -> Iterator[str]:
    """The address of somebody who takes connections and says nothing."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def execute(server: Server, partition: int, seconds: float = SECONDS) -> int:
    """Have a command carried out for a game of the partition; the number of the server that did it."""
    request = pb.ExecuteRequest(
        game_id=game_in({partition}),
        request_id="r",
        expected_sequence=1,
        command=command_pb2.Command(pass_turn=command_pb2.Pass()),
    )
    answer = server.stub.Execute(request, metadata=[ANN], timeout=seconds)
    return int(answer.accepted.first_sequence)
