"""Passing calls on, between servers that say which game is where: no Kafka."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import grpc
import pytest

from services.common.auth.tokens import Kind, Principal
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.host.children import free_ports
from services.rules.cluster import peers
from services.rules.cluster.peer_proof import PEER_KEY
from services.rules.cluster.placement import Placement
from tests.rules.cluster.harness import game_in
from tests.rules.cluster.placed import (
    ANN,
    ISSUER,
    LATE,
    MISSING,
    RULES,
    SECONDS,
    Server,
    Servers,
    execute,
    hanging,
    refused,
    three_servers,
)
from tests.waiting import until


@pytest.fixture
def servers() -> Iterator[Servers]:
    """See `three_servers`."""
    with three_servers() as opened:
        yield opened


def watched(server: Server, partition: int) -> int:
    request = pb.WatchGameRequest(game_id=game_in({partition}))
    stream = server.stub.WatchGame(request, metadata=[ANN], timeout=SECONDS)
    sequence = next(stream).event.sequence
    stream.cancel()
    return int(sequence)


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


def test_a_replica_whose_clock_is_behind_refuses_nobody(servers: Servers) -> None:
    """The others do not take its token. That is no answer to the player, who may ask again; with the right clock it is well at
    once."""
    asked, owner, standby = servers
    standby.places.follow(frozenset((0, 1)))
    asked.clock.seconds = -3600
    with refused(grpc.StatusCode.UNAVAILABLE, "may be sent again"):
        asked.answered_by(0)
    with refused(grpc.StatusCode.UNAVAILABLE, "may be sent again"):
        execute(asked, 0)
    with refused(grpc.StatusCode.UNAVAILABLE, "watch again"):
        watched(asked, 0)
    assert asked.count("GetGame", "not_trusted") == asked.count("Execute", "not_trusted") == 2
    assert asked.count("WatchGame", "not_trusted") == 1
    assert owner.games.calls == standby.games.calls == 0
    asked.clock.seconds = 0
    assert asked.answered_by(0) in (1, 2)


@pytest.mark.parametrize("token_seconds", [60, 365 * 86_400])
def test_an_owner_whose_clock_is_ahead_leaves_its_games_to_the_standby(
    servers: Servers, token_seconds: int
) -> None:
    """It takes for ended the token of the replica that asks, or, if that is a long one out of a file, the player's."""
    asked, owner, standby = servers
    standby.places.follow(frozenset((0, 1)))
    owner.clock.seconds, asked.token_seconds = 2 * 86_400, token_seconds
    assert asked.answered_by(0) == 2
    assert asked.count("GetGame", "not_trusted") == 1
    assert execute(asked, 0) == 2
    assert watched(asked, 0) == 2
    assert owner.games.calls == 0


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
    until(lambda: asked.forwarder._peers.at(servers[1].address)._streams.calls == 3)
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
