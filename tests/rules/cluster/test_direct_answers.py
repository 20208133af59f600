"""Answers that the owner gives to senders in its own process, and by way of it to standbys: the log remains the other way."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from confluent_kafka import KafkaError, KafkaException

from services.common.auth.tokens import Principal
from services.common.kafka.copy import LogCopy
from services.common.kafka.topics import EVENTS
from services.common.kafka.written import WrittenCommit
from services.gen.signalbox.log.v1 import log_pb2
from services.gen.signalbox.rules.v1 import rules_pb2 as pb
from services.host.children import free_ports
from services.rules.cluster import peers
from services.rules.cluster.peer_proof import PEER_KEY
from services.rules.cluster.placement import Placement
from services.rules.cluster.records import Blocked
from services.rules.cluster.transactions import TransactionalWriter
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, CommandRejected, Request
from tests.rules.cluster.harness import (
    FIRST,
    PARTITIONS,
    SECONDS,
    ClusterHarness,
    answered,
    check_nothing_lost,
    create,
    game_in,
    new_table,
    until_read,
)
from tests.rules.cluster.placed import ANN, ISSUER, Server, Servers, execute, hanging, refused, three_servers
from tests.rules.cluster.test_deciding import REPLY, SingleOwner
from tests.rules.cluster.worker import PLAYS, READ_LATE, STOP_AT, TRANSACTION_MS, reading_late
from tests.waiting import until

ROUNDS = 5


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


def is_stopped(process: subprocess.Popen[bytes]) -> bool:
    return Path(f"/proc/{process.pid}/stat").read_text().split()[2] == "T"


def answers(cluster: ClusterHarness, path: str) -> float:
    """How many answers came this way at replica "a"."""
    found = cluster.registries["a"].get_sample_value("signalbox_gateway_answers_total", {"path": path})
    return found or 0.0


@pytest.mark.integration
def test_the_owner_answers_senders_in_its_process_directly_and_others_by_the_log(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer each. What was accepted can be read at once where it was answered."""
    # Otherwise a copy may read a commit before its owner comes to put it.
    monkeypatch.setattr(LogCopy, "_take_over", reading_late(0.3))
    replica = cluster.open("a")
    near, far = new_table(replica._gateway), new_table(cluster.gateway)
    given = 0
    for _ in range(ROUNDS):
        moved = near.move(SECONDS)
        assert replica.rules.reader.last_sequence(near.game_id) == near.sequence
        given += len(moved.events)
        if moved.events:
            assert list(moved.events) == replica.rules.reader.events(near.game_id, near.sequence - 1)
        far.move(SECONDS)
        until_read(replica, far.game_id, far.sequence)
        out_of_turn = Request(near.game_id, "nobody", uuid4().hex, near.sequence, Pass())
        assert isinstance(answered(lambda: replica._gateway.execute(out_of_turn)), CommandRejected)  # noqa: B023
    assert given
    assert answers(cluster, "direct") > answers(cluster, "log")
    assert answers(cluster, "direct") + answers(cluster, "log") == 1 + 2 * ROUNDS
    check_nothing_lost(cluster, [near, far])


@pytest.mark.integration
def test_direct_answers_that_are_lost_forged_late_or_repeated_change_nothing(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lost ones come by the log, with what a copy is given before it reads it; nobody waits for the others."""
    replica = cluster.open("a")
    sent: list[log_pb2.CommandOutcome] = []
    monkeypatch.setattr(replica._processor, "_answered", sent.append)
    monkeypatch.setattr(replica._copy, "put", lambda _: None)
    table = new_table(replica._gateway)
    table.move(SECONDS)
    refused_by_owner = Request(table.game_id, "ann", uuid4().hex, table.sequence, Pass())
    for _ in range(2):
        assert isinstance(answered(lambda: replica._gateway.execute(refused_by_owner)), CommandRejected)
    assert (answers(cluster, "direct"), answers(cluster, "log")) == (0, 4)
    until(lambda: len(sent) == 2)
    for reply_id in ("nobody", *(each.reply_id for each in sent)):
        replica._gateway.answered(log_pb2.CommandOutcome(reply_id=reply_id, stale=log_pb2.Stale(actual=1)))
    table.move(SECONDS)
    assert (answers(cluster, "direct"), answers(cluster, "log")) == (0, 5)
    check_nothing_lost(cluster, [table])


@pytest.mark.integration
def test_a_commit_of_which_nothing_is_known_is_answered_by_the_log_alone(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction is committed, and its owner learns that it may not be: it puts nothing, and takes the partition anew."""
    replica = cluster.open("a")
    table = new_table(replica._gateway)
    finish, put = TransactionalWriter._finish, LogCopy.put
    unknown = [True]
    at_put: list[int] = []

    def lose_answer(writer: TransactionalWriter, offsets: Any, group: object) -> None:
        finish(writer, offsets, group)
        if unknown:
            unknown.pop()
            raise KafkaException(KafkaError(KafkaError._FENCED, "the answer is lost", fatal=True))

    def note_put(copy: LogCopy, written: Sequence[WrittenCommit]) -> None:
        # That of the game's beginning may be put only now.
        at_put.extend(each.commit.first_sequence for each in written if each.commit.first_sequence > 1)
        put(copy, written)

    monkeypatch.setattr(TransactionalWriter, "_finish", lose_answer)
    monkeypatch.setattr(LogCopy, "put", note_put)
    before = answers(cluster, "log")
    table.move(SECONDS)
    assert answers(cluster, "log") == before + 1
    assert at_put == []
    table.move(SECONDS)
    until(lambda: at_put == [table.sequence])
    check_nothing_lost(cluster, [table])


@pytest.mark.integration
def test_an_owner_that_stands_still_in_a_transaction_delays_nobody_elses_answers(
    cluster: ClusterHarness,
) -> None:
    """Accepted ones and others, at the other owner and at a gateway that reads the log."""
    sleeper = cluster.spawn("a", **{STOP_AT: "2", TRANSACTION_MS: "600000"})
    other = cluster.open("b")
    until(lambda: bool(other.owned) and len(other.owned) < PARTITIONS)
    table = new_table(other._gateway, game_in(other.owned))
    with ThreadPoolExecutor() as pool:
        held_up = pool.submit(create, other._gateway, game_id=game_in(set(range(PARTITIONS)) - other.owned))
        until(lambda: is_stopped(sleeper))
        for gateway in (other._gateway, cluster.gateway):
            table.gateway = gateway
            for _ in range(3):
                table.move(SECONDS)
        assert not held_up.done()
        sleeper.kill()
        held_up.result()


@pytest.mark.integration
@pytest.mark.parametrize(
    "point", ["owner.after-commit:2", "copy.before-put:2", "copy.after-put:2", "gateway.before-answer:2"]
)
def test_an_owner_that_dies_between_commit_and_answer_has_carried_the_command_out_once(
    cluster: ClusterHarness, point: str
) -> None:
    """The same request gets the first outcome from the next owner; a restarted one has everything in its copy."""
    killed = cluster.spawn("a", SIGNALBOX_CRASH_AT=point, **{PLAYS: "2", READ_LATE: "0.5"})
    assert killed.wait(SECONDS) == -signal.SIGKILL
    replica = cluster.open("a")
    (game_id,) = {each.stream.removeprefix("game/") for _, each in cluster.values(EVENTS, log_pb2.Commit)}
    move = Request(game_id, "ann", "m0", FIRST, Pass())
    repeated = answered(lambda: replica._gateway.execute(move))
    assert repeated == CommandAccepted(FIRST + 1, FIRST + 1, repeated=True)
    assert replica.rules.reader.last_sequence(game_id) == FIRST + 1
    assert len(cluster.commits(game_id)) == 2
