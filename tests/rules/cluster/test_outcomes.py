"""Outcomes on their way back: those of healthy owners wait for nobody, and nothing is carried out after its deadline."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from services.common.clock import ManualClock
from services.common.kafka.topics import COMMANDS, OUTCOMES
from services.common.partitions import partition_of
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.gateway import CommandGateway
from services.rules.cluster.records import command_sent
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandRejected, Request
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
)
from tests.rules.cluster.worker import SESSION, STOP_AT_OUTCOME, TRANSACTION_MS
from tests.waiting import until

pytestmark = pytest.mark.integration


def refused(gateway: CommandGateway, game_id: str) -> bool:
    """Whether a command out of turn comes back as refused."""
    request = Request(game_id, "bob", uuid4().hex, FIRST, Pass())
    return isinstance(answered(lambda: gateway.execute(request, None, SECONDS)), CommandRejected)


def test_an_owner_that_stands_still_holds_up_no_outcome_of_others(cluster: ClusterHarness) -> None:
    """It sleeps in a transaction with an outcome for a gateway; the other owner's reach that gateway all the same.

    When it is dead its transaction is aborted, and its successor's reach the gateway as well."""
    # A busy machine may need longer for the other owner's than the session that others have.
    sleeper = cluster.spawn("a", **{STOP_AT_OUTCOME: "1", TRANSACTION_MS: "600000", SESSION: "20000"})
    other = cluster.open("b")
    until(lambda: bool(other.owned) and len(other.owned) < PARTITIONS)
    theirs = min(set(range(PARTITIONS)) - other.owned)
    # Accepted commands of a gateway that follows the events have no outcome.
    waiting = create(other._gateway, game_id=game_in({theirs}))
    going_on = create(other._gateway, game_id=game_in(other.owned))
    with ThreadPoolExecutor() as pool:
        held_up = pool.submit(refused, cluster.gateway, waiting)
        until(lambda: Path(f"/proc/{sleeper.pid}/stat").read_text().split()[2] == "T")
        assert refused(cluster.gateway, going_on) and refused(other._gateway, going_on)
        assert not held_up.done()
        sleeper.kill()
        assert held_up.result()


def test_a_clock_that_is_behind_hinders_nobody(cluster: ClusterHarness) -> None:
    """A gateway whose clock is years behind hears from the owner what time it is, and its commands are carried out."""
    cluster.open("a")
    registry = CollectorRegistry()
    gateway = CommandGateway(replace(cluster.kafka, instance="wrong"), registry, ManualClock())
    gateway.start()
    try:
        table = new_table(gateway)
        table.move(SECONDS)
    finally:
        gateway.close()
    assert registry.get_sample_value("signalbox_gateway_expired_early_total") == 2
    check_nothing_lost(cluster, [table])


def test_an_old_command_is_not_carried_out(cluster: ClusterHarness) -> None:
    """One that lay in the log until long after its sender had stopped waiting. Its outcome is in its own partition."""
    cluster.open("a")
    table = new_table(cluster.gateway)
    late = command_sent(Request(table.game_id, "ann", "late", FIRST, Pass()), "nobody", deadline_ms=1)
    cluster.send(COMMANDS, table.game_id, late.SerializeToString())
    table.move(SECONDS)
    outcomes = {each.reply_id: (number, each) for number, each in cluster.values(OUTCOMES, pb.CommandOutcome)}
    partition, outcome = outcomes["nobody"]
    assert outcome.WhichOneof("body") == "expired"
    assert partition == partition_of(table.game_id, PARTITIONS)
    check_nothing_lost(cluster, [table])
