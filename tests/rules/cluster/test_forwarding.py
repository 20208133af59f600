"""Passing calls on, between servers that say which game is where: no Kafka."""

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
from services.common.auth.tokens import Kind, Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.errors import NotFound, Unavailable
from services.common.grpc.loop import on_loop
from services.common.grpc.server import Guard, HostedService, create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.host.children import free_ports
from services.rules.bootstrap import METHODS, SERVICE_NAME
from services.rules.cluster import peers
from services.rules.cluster.forwarding import PEER_KEY, Forwarder
from services.rules.cluster.peers import Peers
from services.rules.cluster.placement import Placement
from tests.rules.cluster.harness import game_in, until

PARTITIONS = 3
SECONDS = 30.0
ISSUER = TokenIssuer(Ed25519PrivateKey.generate(), 600, SystemClock())
ANN = ("authorization", f"Bearer {ISSUER.issue(Principal('ann', 'Ann')).token}")
RULES = Principal(service_id("rules"), "rules", "service")
MISSING = "missing"
LATE = "not read up to date"


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

    def GetGame(self, request: pb.GetGameRequest, context: grpc.ServicerContext) -> pb.GetGameResponse:
        self.calls += 1
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

    def __init__(self, number: int, here: frozenset[int]) -> None:
        self.games, self.places, self.registry = Games(number), Places(here), CollectorRegistry()
        verifier = TokenVerifier(ISSUER.public_key, SystemClock())
        self.forwarder = Forwarder(
            f"r{number}",
            PARTITIONS,
            self.places,
            Peers(),
            verifier,
            lambda: ISSUER.issue(RULES).token,
            self.registry,
        )
        add = rules_pb2_grpc.add_RulesServicer_to_server
        service = HostedService(SERVICE_NAME, add, self.games, METHODS, self.forwarder)
        self._server, port = create_server([service], Settings(), Telemetry(), guard=Guard(verifier))
        self.address = f"127.0.0.1:{port}"
        self._server.start()
        self._channel = grpc.insecure_channel(self.address)
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


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Of three partitions server 0 has none, 1 has 0 and 2 has 1; 2 stands by for 0 without having read it."""
    opened = [Server(0, frozenset()), Server(1, frozenset((0,))), Server(2, frozenset((1,)))]
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


def execute(server: Server, partition: int, seconds: float = SECONDS) -> int:
    request = pb.ExecuteRequest(
        game_id=game_in({partition}),
        request_id="r",
        expected_sequence=1,
        command=command_pb2.Command(pass_turn=command_pb2.Pass()),
    )
    answer = server.stub.Execute(request, metadata=[ANN], timeout=seconds)
    return int(answer.accepted.first_sequence)


@contextmanager
def hanging() -> Iterator[str]:
    """The address of somebody who takes connections and says nothing."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def test_each_call_is_answered_where_its_game_is(servers: Servers) -> None:
    """From whichever replica is asked; at home nothing is passed on."""
    for server in servers:
        assert server.answered_by(0) == 1
        assert server.answered_by(1) == 2
        assert execute(server, 1) == 2
    assert servers[0].count("GetGame", "answered") == 2
    assert servers[1].count("GetGame", "answered") == 1
    assert servers[1].count("Execute", "answered") == 1
    assert servers[2].count("Execute", "answered") == 0


def test_a_refusal_is_passed_back_as_it_is(servers: Servers) -> None:
    """It is the answer, so nobody else is asked."""
    with refused(grpc.StatusCode.NOT_FOUND, MISSING):
        servers[0].answered_by(0, at_sequence=7)
    with refused(grpc.StatusCode.UNAVAILABLE, LATE):
        servers[0].answered_by(0, at_least_sequence=7)
    assert servers[1].games.calls == 2 and servers[2].games.calls == 0
    assert servers[0].count("GetGame", "refused") == 2
    assert not servers[0].forwarder._peers.at(servers[1].address).is_avoided


def test_after_a_move_the_new_owner_is_asked_once(servers: Servers) -> None:
    """Whom the asked replica takes for the owner says that it is not; then it looks, and asks who is."""
    asked, old, new = servers
    asked.places.next_placement = Placement({0: ("r2",)}, asked.places.placement.addresses)
    old.places.follow(frozenset())
    new.places.follow(frozenset((0,)))
    assert asked.answered_by(0) == 2
    assert asked.places.looks == 1 and old.games.calls == 0
    assert asked.count("GetGame", "not_owner") == 1
    assert asked.answered_by(0) == 2
    assert asked.count("GetGame", "not_owner") == 1


def test_a_call_goes_no_further_than_one_other_replica(servers: Servers) -> None:
    """Two who each take the other for the owner do not send a call to and fro."""
    asked, first, second = servers
    for server in servers:
        server.places.follow(frozenset())
    with refused(grpc.StatusCode.UNAVAILABLE, "no replica that has this game answers"):
        asked.answered_by(0)
    assert asked.count("GetGame", "not_owner") == 2
    assert [each.places.looks for each in (first, second)] == [0, 0]
    with refused(grpc.StatusCode.UNAVAILABLE):
        servers[0].answered_by(2)


def test_a_read_is_answered_by_the_standby_when_the_owner_hangs(servers: Servers) -> None:
    """After a part of its time; the next one goes to the standby at once."""
    asked, _, standby = servers
    standby.places.follow(frozenset((0, 1)))
    with hanging() as address:
        addresses = {**asked.places.placement.addresses, "r1": address}
        asked.places.placement = Placement(asked.places.placement.holders, addresses)
        assert asked.answered_by(0, 4.0) == 2
        began = time.monotonic()
        assert asked.answered_by(0, 4.0) == 2
        assert time.monotonic() - began < 1.0
    assert asked.count("GetGame", "timeout") + asked.count("GetGame", "unreachable") == 1


def test_an_owner_that_hangs_costs_a_command_its_time_and_other_games_nothing(servers: Servers) -> None:
    """The caller learns why, and that the same request may be sent again."""
    asked = servers[0]
    with hanging() as address:
        addresses = {**asked.places.placement.addresses, "r1": address}
        asked.places.placement = Placement({0: ("r1",), 1: ("r2",)}, addresses)
        problems: list[BaseException] = []

        def wait() -> None:
            try:
                execute(asked, 0, 3.0)
            except grpc.RpcError as problem:
                problems.append(problem)

        threads = [threading.Thread(target=wait) for _ in range(20)]
        for thread in threads:
            thread.start()
        until(lambda: asked.forwarder._peers.at(address)._calls == len(threads))
        began = time.monotonic()
        assert execute(asked, 1, 3.0) == 2
        assert time.monotonic() - began < 1.0
        for thread in threads:
            thread.join()
    codes = {problem.code() for problem in problems if isinstance(problem, grpc.Call)}
    assert len(problems) == len(threads)
    assert codes <= {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}


def test_so_many_calls_wait_for_one_replica_and_no_more(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next is refused at once, whatever it asks."""
    monkeypatch.setattr(peers, "CALLS_MAX", 0)
    with refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "wait for the replica"):
        servers[0].answered_by(0)
    assert servers[0].count("GetGame", "overloaded") == 1


@pytest.mark.parametrize(
    ("token", "kind"),
    [("forged", None), (None, "player"), (None, "operator"), ("service:ledger", "service")],
)
def test_nobody_else_passes_for_a_replica(servers: Servers, token: str | None, kind: Kind | None) -> None:
    """Neither with a forged token nor with a good one of somebody else."""
    if kind is not None:
        token = ISSUER.issue(Principal(token or "ann", "x", kind)).token
    metadata = [ANN, (PEER_KEY, f"Bearer {token}")]
    with refused(grpc.StatusCode.PERMISSION_DENIED, PEER_KEY):
        servers[1].stub.GetGame(pb.GetGameRequest(game_id=game_in({0})), metadata=metadata, timeout=SECONDS)
    assert servers[1].games.calls == 0


def test_a_replica_needs_the_players_token_as_well(servers: Servers) -> None:
    """One that passes calls on cannot speak for players by itself."""
    metadata = [(PEER_KEY, f"Bearer {ISSUER.issue(RULES).token}")]
    with refused(grpc.StatusCode.UNAUTHENTICATED):
        servers[1].stub.GetGame(pb.GetGameRequest(game_id=game_in({0})), metadata=metadata, timeout=SECONDS)


def test_watchers_of_many_games_get_one_stream_from_all_replicas(servers: Servers) -> None:
    """Of a replica that has one of the games, and of one that has none."""
    for server in servers[:2]:
        games = {game_in({0}): 1, game_in({1}): 2, game_in({0}): 1}
        request = pb.WatchMovesRequest(games=[pb.WatchedGame(game_id=each) for each in games])
        stream = server.stub.WatchMoves(request, metadata=[ANN], timeout=SECONDS)
        found = {each.game_id: each.sequence for _, each in zip(games, stream, strict=False)}
        assert found == games
        stream.cancel()


def test_a_watch_ends_when_its_game_moves_and_begins_again_elsewhere(servers: Servers) -> None:
    """For those at the replica itself, and for those whose stream came through another one."""
    asked, owner, new = servers
    request = pb.WatchGameRequest(game_id=game_in({0}))
    streams = [each.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS) for each in (asked, owner)]
    for stream in streams:
        assert next(stream).event.sequence == 1
    owner.places.follow(frozenset())
    new.places.follow(frozenset((0, 1)))
    for stream in streams:
        with refused(grpc.StatusCode.UNAVAILABLE, "watch again", 5.0):
            next(stream)
    asked.places.placement = Placement({0: ("r2",)}, asked.places.placement.addresses)
    stream = asked.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS)
    assert next(stream).event.sequence == 2
    stream.cancel()


def test_watches_of_one_replica_use_several_connections(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection carries a hundred calls: so many watchers would keep each other, and all else, waiting."""
    monkeypatch.setattr(peers, "STREAMS_OF_CONNECTION", 2)
    monkeypatch.setattr(peers, "STREAM_CONNECTIONS_MAX", 2)
    asked = servers[0]
    request = pb.WatchGameRequest(game_id=game_in({0}))
    streams = [asked.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS) for _ in range(4)]
    assert [next(stream).event.sequence for stream in streams] == [1] * 4
    with refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "watchers"):
        next(asked.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS))
    streams[0].cancel()
    until(lambda: sum(asked.forwarder._peers.at(servers[1].address)._streams.values()) == 3)
    assert next(asked.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS)).event.sequence == 1
    for stream in streams:
        stream.cancel()


def test_an_unreachable_replica_is_asked_last(servers: Servers) -> None:
    """As long as it was not reached a moment ago."""
    asked, _, standby = servers
    standby.places.follow(frozenset((0, 1)))
    (port,) = free_ports(1)
    addresses = {**asked.places.placement.addresses, "r1": f"127.0.0.1:{port}"}
    asked.places.placement = Placement(asked.places.placement.holders, addresses)
    assert asked.answered_by(0) == 2
    assert asked.answered_by(0) == 2
    assert asked.count("GetGame", "unreachable") == 1
    assert execute(asked, 0) == 2
