"""Callers that learn from answers which replica owns which game: they need no hop, and lose nothing where they learned wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import grpc
import pytest

from devtools.brokers.certificates import make_certificates
from services.client.calls import owner_channel_to
from services.client.games import Games
from services.common.grpc.channel import (
    asynchronous_channel,
    asynchronous_replica_channel,
    balanced_channel,
    replica_channel,
)
from services.common.grpc.connections import Connections
from services.common.grpc.loop import on_loop
from services.common.grpc.owner_calls import OwnerCalls, Sent
from services.common.grpc.owner_channel import OwnerChannel, owner_channel
from services.common.grpc.owners import OWNER_KEY, Owners, owner_metadata
from services.common.grpc.tls import TlsSettings
from services.common.partitions import partition_of
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb, rules_pb2_grpc
from services.host.children import free_ports
from services.rules.bootstrap import SERVICE_NAME
from services.rules.cluster.placement import Placement
from tests.rules.cluster.harness import game_in
from tests.rules.cluster.placed import (
    ANN,
    PARTITIONS,
    SECONDS,
    Servers,
    hanging,
    three_servers,
)
from tests.waiting import until

TOKEN = ANN[1].removeprefix("Bearer ")
GET, WATCH = f"/{SERVICE_NAME}/GetGame", f"/{SERVICE_NAME}/WatchGame"
COMMAND = command_pb2.Command(pass_turn=command_pb2.Pass())


def reported_of(game_id: str, address: str) -> list[tuple[str, str]]:
    """What a replica says about a game."""
    return [owner_metadata(partition_of(game_id, PARTITIONS), PARTITIONS, address)]


class Caller(Protocol):
    """Somebody who calls, of either kind."""

    owners: Owners[object]

    def get(self, partition: int, seconds: float = SECONDS) -> int: ...

    def watch(self, partition: int) -> int: ...

    def learn(self, game_id: str, address: str) -> None: ...

    def close(self) -> None: ...


class Waiting:
    """Calls that a thread waits for."""

    def __init__(self, address: str) -> None:
        channel = owner_channel([address], SERVICE_NAME)
        assert isinstance(channel, OwnerChannel)
        self.owners, self._channel = channel.owners, channel
        self._stub = rules_pb2_grpc.RulesStub(channel)

    def get(self, partition: int, seconds: float = SECONDS) -> int:
        request = pb.GetGameRequest(game_id=game_in({partition}))
        return int(self._stub.GetGame(request, metadata=[ANN], timeout=seconds).game.sequence)

    def watch(self, partition: int) -> int:
        request = pb.WatchGameRequest(game_id=game_in({partition}))
        stream = self._stub.WatchGame(request, metadata=[ANN], timeout=SECONDS)
        found = int(next(stream).event.sequence)
        stream.cancel()
        return found

    def learn(self, game_id: str, address: str) -> None:
        self.owners.learn(game_id, reported_of(game_id, address))

    def close(self) -> None:
        self._channel.close()


class Looped:
    """Calls of an event loop."""

    def __init__(self, address: str) -> None:
        self._calls = on_loop(self._opened(address))
        self.owners = self._calls.owners

    async def _opened(self, address: str) -> OwnerCalls:
        def connect(address: str) -> grpc.aio.Channel:
            return asynchronous_replica_channel(address, "localhost")

        connections = Connections(lambda: asynchronous_channel([address], [SERVICE_NAME]))
        return OwnerCalls(connections, connect, SERVICE_NAME)

    def get(self, partition: int, seconds: float = SECONDS) -> int:
        request = pb.GetGameRequest(game_id=game_in({partition}))
        sent = Sent(GET, request, pb.GetGameResponse.FromString, (ANN,), seconds)
        answer = on_loop(self._calls.answer(sent))
        assert isinstance(answer, pb.GetGameResponse)
        return int(answer.game.sequence)

    def watch(self, partition: int) -> int:
        request = pb.WatchGameRequest(game_id=game_in({partition}))
        sent = Sent(WATCH, request, pb.WatchGameResponse.FromString, (ANN,), None)

        async def first() -> int:
            async for answer in self._calls.answers(sent):
                assert isinstance(answer, pb.WatchGameResponse)
                return int(answer.event.sequence)
            return 0

        return on_loop(first())

    def learn(self, game_id: str, address: str) -> None:
        async def learn() -> None:
            self.owners.learn(game_id, reported_of(game_id, address))

        on_loop(learn())

    def close(self) -> None:
        on_loop(self._calls.close())


@pytest.fixture
def servers() -> Iterator[Servers]:
    """See `three_servers`."""
    with three_servers() as opened:
        yield opened


@pytest.fixture(params=[Waiting, Looped])
def caller(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Caller]:
    """Knows the address of server 0 alone, which has no games."""
    caller: Caller = request.param(servers[0].address)
    yield caller
    caller.close()


def proven(caller: Caller, count: int = 1) -> None:
    """Wait until the caller may call so many owners."""
    until(lambda: sum(each.is_proven for each in caller.owners._replicas.values()) == count)


def move_owner(servers: Servers) -> None:
    """Partition 0 goes from server 1 to server 2."""
    for server in servers:
        known = server.places.placement
        server.places.placement = Placement({**known.holders, 0: ("r2", "r1")}, known.addresses)
    servers[2].places.follow(frozenset((0, 1)))
    servers[1].places.follow(frozenset())


def test_after_the_first_call_no_more_hops(servers: Servers, caller: Caller) -> None:
    """Of any game of the partition; watches go straight there too, calls about other partitions do not."""
    asked = servers[0]
    assert caller.get(0) == 1
    proven(caller)
    for _ in range(5):
        assert caller.get(0) == 1
    assert caller.watch(0) == 1
    assert asked.count("GetGame", "answered") == 1 and asked.count("WatchGame", "begun") == 0
    assert caller.get(1) == 2
    assert asked.count("GetGame", "answered") == 2


def test_callers_that_do_not_ask_get_no_address(servers: Servers) -> None:
    """Neither does a caller that knows already, nor is anything said where the owner is known rightly."""
    request = pb.GetGameRequest(game_id=game_in({0}))
    known = servers[1].address
    for server, metadata, expected in (
        (servers[0], [ANN], None),
        (servers[0], [ANN, (OWNER_KEY, known)], None),
        (servers[0], [ANN, (OWNER_KEY, "?")], f"0/{PARTITIONS} {known}"),
        (servers[1], [ANN, (OWNER_KEY, "stale:1")], f"0/{PARTITIONS} {known}"),
    ):
        _, call = server.stub.GetGame.with_call(request, metadata=metadata, timeout=SECONDS)
        assert dict(call.trailing_metadata()).get(OWNER_KEY) == expected


def test_a_moved_game_costs_one_hop(servers: Servers, caller: Caller) -> None:
    """The former owner passes the call on, and says who is."""
    assert caller.get(0) == 1
    proven(caller)
    move_owner(servers)
    assert caller.get(0) == 2
    assert servers[1].count("GetGame", "answered") == 1
    proven(caller)
    assert [caller.get(0) for _ in range(3)] == [2, 2, 2]
    assert servers[1].count("GetGame", "answered") == 1 and servers[0].count("GetGame", "answered") == 1


def test_the_call_after_the_death_of_an_owner_is_answered(servers: Servers, caller: Caller) -> None:
    """By whichever replica finds the game; watches as well."""
    assert caller.get(0) == 1
    proven(caller)
    move_owner(servers)
    servers[1].close()
    began = time.monotonic()
    assert caller.get(0) == 2
    assert caller.watch(0) == 2
    assert time.monotonic() - began < SECONDS / 3
    proven(caller)
    assert caller.get(0) == 2


def test_a_wrong_address_costs_nothing(servers: Servers, caller: Caller) -> None:
    """Nobody there, somebody who says nothing, or a name that leads nowhere: calls go to any replica meanwhile."""
    (port,) = free_ports(1)
    with hanging() as silent:
        for address in (f"127.0.0.1:{port}", silent, "nowhere.invalid:8402"):
            caller.learn(game_in({0}), address)
            began = time.monotonic()
            servers[0].places.placement = Placement({0: ("r1",)}, {"r1": servers[1].address})
            assert caller.get(0, 3.0) == 1
            assert time.monotonic() - began < 2.0
            until(lambda: not any(each.is_probed for each in caller.owners._replicas.values()))


def test_an_owner_that_hangs_leaves_reads_the_rest_of_their_time(servers: Servers, caller: Caller) -> None:
    """One that answered before; the next read goes elsewhere at once."""
    assert caller.get(0) == 1
    proven(caller)
    servers[1].games.hang()
    servers[2].places.follow(frozenset((0, 1)))
    servers[0].places.placement = Placement({0: ("r2",)}, servers[0].places.placement.addresses)
    began = time.monotonic()
    assert caller.get(0, 4.0) == 2
    assert 1.5 < time.monotonic() - began < 4.0
    began = time.monotonic()
    assert caller.get(0, 4.0) == 2
    assert time.monotonic() - began < 1.5
    servers[1].games.go_on()


def test_a_watch_begins_anew_where_its_game_went(servers: Servers) -> None:
    """The stream ends as before, and the next one goes to any replica first."""
    client = Games(",".join(server.address for server in servers), TOKEN)
    game_id = game_in({0})
    watched: list[int] = []
    try:
        client._stub.GetGame(pb.GetGameRequest(game_id=game_id), metadata=[ANN], timeout=SECONDS)
        for event in client.watch(game_id, seconds=SECONDS):
            watched.append(event.sequence)
            if len(watched) == 1:
                move_owner(servers)
            else:
                break
    finally:
        client.close()
    assert watched == [1, 2]


def test_a_client_without_tls_calls_only_whom_it_was_named(servers: Servers) -> None:
    """The token stays where the user sends it."""
    channel = owner_channel_to(servers[0].address, SERVICE_NAME)
    assert isinstance(channel, OwnerChannel)
    stub, request = rules_pb2_grpc.RulesStub(channel), pb.GetGameRequest(game_id=game_in({0}))
    for _ in range(3):
        assert stub.GetGame(request, metadata=[ANN], timeout=SECONDS).game.sequence == 1
    assert channel.owners._replicas == {}
    assert servers[0].count("GetGame", "answered") == 3
    channel.close()


def test_over_tls_an_owner_proves_the_name_of_the_service(tmp_path: Path) -> None:
    """One that cannot gets no call, though its certificate is good for its own address."""
    ours = make_certificates(tmp_path / "ours")
    served = TlsSettings(certificate_file=ours.server.certificate, key_file=ours.server.key)
    trusting = TlsSettings(ca_file=ours.authority)
    with three_servers(served, trusting) as servers:
        for name, expected in (("localhost", True), ("rules.example", False)):
            channel = OwnerChannel(
                balanced_channel([servers[0].address], SERVICE_NAME, trusting),
                lambda address, name=name: replica_channel(address, name, SERVICE_NAME, trusting),  # type: ignore[misc]
                SERVICE_NAME,
            )
            stub = rules_pb2_grpc.RulesStub(channel)
            request = pb.GetGameRequest(game_id=game_in({0}))
            before = servers[0].count("GetGame", "answered")
            assert stub.GetGame(request, metadata=[ANN], timeout=SECONDS).game.sequence == 1
            until(lambda: not any(each.is_probed for each in channel.owners._replicas.values()))  # noqa: B023
            assert stub.GetGame(request, metadata=[ANN], timeout=SECONDS).game.sequence == 1
            assert (servers[0].count("GetGame", "answered") - before == 1) is expected
            channel.close()
