"""Answers that the owner gives to senders in its own process, and by way of it to standbys: the log remains the other way."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import grpc
import pytest

from services.common.auth.tokens import Principal
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb
from services.host.children import free_ports
from services.rules.cluster import peers
from services.rules.cluster.peer_proof import PEER_KEY
from services.rules.cluster.placement import Placement
from services.rules.cluster.records import Blocked, Outcome, Stale
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, CommandRejected, Request
from tests.rules.cluster.harness import (
    SECONDS,
    ClusterHarness,
    answered,
    check_nothing_lost,
    game_in,
    new_table,
)
from tests.rules.cluster.placed import ANN, ISSUER, Server, Servers, hanging, refused, three_servers
from tests.rules.cluster.test_deciding import REPLY, SingleOwner

FIRST = 5
"""Where a new game stands."""


def test_nobody_is_answered_before_the_commit() -> None:
    """Whatever goes to the outcomes; afterwards each once."""
    owner = SingleOwner()
    owner.create()
    rejected = owner.send("g", "bob", "r", FIRST, Pass())
    assert isinstance(rejected, CommandRejected)
    assert owner.answered == []
    owner.commit()
    assert owner.answered == [(REPLY, CommandAccepted(1, FIRST)), (REPLY, rejected)]
    owner.commit()
    assert len(owner.answered) == 2


def test_what_was_not_committed_is_answered_by_nobody() -> None:
    """A transaction that failed is dropped with its answers."""
    owner = SingleOwner()
    owner.create()
    owner.processor.drop(lambda _: True)
    owner.processor.committed()
    assert owner.answered == []


def test_a_refusal_says_what_the_log_says() -> None:
    """Also where the reason is too long for a record."""
    owner = SingleOwner()
    owner.create()
    owner.processor.keep_blocked({"g": "x" * 5_000})
    by_log = owner.send("g", "ann", "r", FIRST, Pass())
    owner.commit()
    assert isinstance(by_log, Blocked)
    assert owner.answered[-1] == (REPLY, by_log)


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Server 2 stands by for partition 0 and has read it."""
    with three_servers() as opened:
        opened[2].places.follow(frozenset((0, 1)))
        yield opened


def execute(server: Server, partition: int, seconds: float = SECONDS) -> int:
    request = pb.ExecuteRequest(
        game_id=game_in({partition}),
        request_id="r",
        expected_sequence=1,
        command=command_pb2.Command(pass_turn=command_pb2.Pass()),
    )
    answer = server.stub.Execute(request, metadata=[ANN], timeout=seconds)
    return int(answer.accepted.first_sequence)


def moved_to(server: Server, address: str) -> None:
    """This server takes the owner of partition 0 to be at the address."""
    addresses = {**server.places.placement.addresses, "r1": address}
    server.places.placement = Placement(server.places.placement.holders, addresses)


def test_a_standby_has_the_owner_carry_commands_out(servers: Servers) -> None:
    """Reads it answers itself, and the owner passes nothing on."""
    _, owner, standby = servers
    assert execute(standby, 0) == 1
    assert standby.answered_by(0) == 2
    assert standby.count("Execute", "answered") == 1
    assert execute(owner, 0) == 1
    assert owner.count("Execute", "answered") == 0


def test_without_a_way_to_the_owner_the_log_is_used(servers: Servers) -> None:
    """At once, and the address is left alone for a while."""
    standby = servers[2]
    (port,) = free_ports(1)
    moved_to(standby, f"127.0.0.1:{port}")
    assert [execute(standby, 0) for _ in range(3)] == [2, 2, 2]
    assert standby.count("Execute", "unreachable") == 1


def test_an_owner_that_takes_connections_and_says_nothing_costs_a_part_of_the_time_once(
    servers: Servers,
) -> None:
    """Then the log is used."""
    standby = servers[2]
    with hanging() as address:
        moved_to(standby, address)
        assert [execute(standby, 0, 6.0) for _ in range(3)] == [2, 2, 2]
    assert standby.count("Execute", "timeout") + standby.count("Execute", "unreachable") == 1


def test_a_flood_goes_by_the_log(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than so many calls wait for one owner."""
    monkeypatch.setattr(peers, "CALLS_MAX", 0)
    assert execute(servers[2], 0) == 2
    assert servers[2].count("Execute", "overloaded") == 1


def test_an_oversized_answer_is_not_taken(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is used."""
    standby = servers[2]
    monkeypatch.setattr(standby.forwarder._peers, "_answer_bytes_max", 1)
    assert execute(standby, 0) == 2
    assert servers[1].games.calls == 1


def test_an_owner_that_does_not_trust_the_standby_is_no_hindrance(servers: Servers) -> None:
    """Its token is refused, and the owner carries out nothing that way."""
    _, owner, standby = servers
    standby.clock.seconds = -3600
    assert execute(standby, 0) == 2
    assert standby.count("Execute", "not_trusted") == 1
    assert owner.games.calls == 0


@pytest.mark.parametrize("player", [None, "ann"])
def test_a_command_from_somebody_who_is_no_replica_is_refused(servers: Servers, player: str | None) -> None:
    """With a forged token, or a good one of a player."""
    token = "forged" if player is None else ISSUER.issue(Principal(player, "x")).token
    metadata = [ANN, (PEER_KEY, f"Bearer {token}")]
    request = pb.ExecuteRequest(game_id=game_in({0}), request_id="r", expected_sequence=1)
    with refused(grpc.StatusCode.PERMISSION_DENIED, PEER_KEY):
        servers[1].stub.Execute(request, metadata=metadata, timeout=SECONDS)
    assert servers[1].games.calls == 0


def answers(cluster: ClusterHarness, path: str) -> float:
    """How many answers came this way at replica "a"."""
    found = cluster.registries["a"].get_sample_value("signalbox_gateway_answers_total", {"path": path})
    return found or 0.0


@pytest.mark.integration
def test_the_owner_answers_senders_in_its_process_directly_and_others_by_the_log(
    cluster: ClusterHarness,
) -> None:
    """One answer each; which of the two comes first does not matter."""
    replica = cluster.open("a")
    near, far = new_table(replica._gateway), new_table(cluster.gateway)
    for _ in range(5):
        near.move(SECONDS)
        far.move(SECONDS)
        out_of_turn = Request(near.game_id, "nobody", uuid4().hex, near.sequence, Pass())
        assert isinstance(answered(lambda: replica._gateway.execute(out_of_turn)), CommandRejected)  # noqa: B023
    assert answers(cluster, "direct") > 0
    # What was accepted can be read at once where it was answered.
    assert answers(cluster, "log") >= 6
    assert answers(cluster, "direct") + answers(cluster, "log") == 11
    check_nothing_lost(cluster, [near, far])


@pytest.mark.integration
def test_direct_answers_that_are_lost_forged_late_or_repeated_change_nothing(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lost ones come by the log; nobody waits for the others."""
    replica = cluster.open("a")
    sent: list[tuple[str, Outcome]] = []
    monkeypatch.setattr(replica._processor, "_answered", lambda *answer: sent.append(answer))
    table = new_table(replica._gateway)
    table.move(SECONDS)
    assert (answers(cluster, "direct"), answers(cluster, "log")) == (0, 2)
    for reply_id in ("nobody", *(each for each, _ in sent), *(each for each, _ in sent)):
        replica._gateway.answered(reply_id, Stale(1))
    rejected = answered(
        lambda: replica._gateway.execute(Request(table.game_id, "ann", uuid4().hex, table.sequence, Pass()))
    )
    assert isinstance(rejected, CommandRejected)
    assert (answers(cluster, "direct"), answers(cluster, "log")) == (0, 3)
    check_nothing_lost(cluster, [table])
