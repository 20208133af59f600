"""Many owners: partitions change hands, owners die or fall asleep, and no command is lost or carried out twice."""

from __future__ import annotations

import signal
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from confluent_kafka import TopicPartition

from services.common.partitions import partition_of
from services.rules.adapters.snapshots import state_bytes
from services.rules.cluster import transactions
from services.rules.cluster.replica import RulesReplica
from services.rules.cluster.transactions import BatchAborted, Outgoing, TransactionalWriter
from services.rules.kernel.commands import Pass
from services.rules.requests import CommandAccepted, Request
from tests.rules.cluster.harness import (
    PARTITIONS,
    SECONDS,
    ClusterHarness,
    Table,
    check_nothing_lost,
    create,
    new_table,
    until_read,
)
from tests.rules.cluster.worker import DIE_WHEN_REVOKED, SESSION, STOP_AT, TRANSACTION_MS
from tests.waiting import until

pytestmark = pytest.mark.integration
TABLES = 6
LONG_SESSION_MS = 120_000
LONG_MS = "600000"
MOVES = 40


def tables_of(cluster: ClusterHarness, *replicas: RulesReplica) -> list[Table]:
    """Some tables, at least one in every partition; they play through a gateway of their own and through the replicas'."""
    names = [f"game{number}" for number in range(TABLES)]
    assert {partition_of(name, PARTITIONS) for name in names} == set(range(PARTITIONS))
    gateways = [cluster.gateway, *(replica._gateway for replica in replicas)]
    return [new_table(gateways[place % len(gateways)], name) for place, name in enumerate(names)]


def play(table: Table, moves: int, stride: float = 0.0) -> None:
    """So many moves, one after another."""
    for _ in range(moves):
        table.move()
        if stride:
            time.sleep(stride)


def test_partitions_are_shared_and_handed_over(cluster: ClusterHarness) -> None:
    """A second owner gets some of them; when the first leaves, the second has all, and no move waits for a session to end."""
    first = cluster.open("a", LONG_SESSION_MS)
    until(lambda: len(first.owned) == PARTITIONS)
    tables = tables_of(cluster)
    with ThreadPoolExecutor(TABLES) as pool:
        playing = [pool.submit(play, table, MOVES, 0.02) for table in tables]
        second = cluster.open("b", LONG_SESSION_MS)
        until(lambda: bool(second.owned) and len(first.owned | second.owned) == PARTITIONS)
        assert not first.owned & second.owned
        began = time.monotonic()
        first.stop()
        until(lambda: len(second.owned) == PARTITIONS)
        assert time.monotonic() - began < LONG_SESSION_MS / 2_000
        for each in playing:
            each.result()
    check_nothing_lost(cluster, tables)


def test_an_owner_is_killed_while_it_gives_partitions_up(cluster: ClusterHarness) -> None:
    """And is back before its session has ended: Kafka gives it those that it was to keep, and the others to nobody, until a
    member that sees that joins anew."""
    session = {SESSION: str(LONG_SESSION_MS)}
    dying = cluster.spawn("b", **session, **{DIE_WHEN_REVOKED: "yes"})
    tables = tables_of(cluster)
    first = cluster.open("a", LONG_SESSION_MS)
    assert dying.wait(SECONDS) == -signal.SIGKILL
    began = time.monotonic()
    cluster.spawn("b", **session)
    for table in tables:
        play(table, 2)
    assert time.monotonic() - began < LONG_SESSION_MS / 2_000
    until(lambda: bool(first.owned))
    check_nothing_lost(cluster, tables)


def test_an_owner_is_killed_in_mid_stream(cluster: ClusterHarness) -> None:
    """Everything acknowledged is there once, every command has one outcome, and the survivor goes on where it ended."""
    killed = cluster.spawn("a")
    survivor = cluster.open("b")
    until(lambda: bool(survivor.owned))
    tables = tables_of(cluster, survivor)
    with ThreadPoolExecutor(TABLES) as pool:
        playing = [pool.submit(play, table, MOVES, 0.01) for table in tables]
        until(lambda: sum(table.moves for table in tables) > MOVES)
        killed.send_signal(signal.SIGKILL)
        for each in playing:
            each.result()
    until(lambda: len(survivor.owned) == PARTITIONS)
    check_nothing_lost(cluster, tables)


def test_an_owner_dies_with_an_open_transaction(cluster: ClusterHarness) -> None:
    """Killed between sending the offsets and the commit: it is aborted, not waited for, and its command done by the next."""
    cluster.spawn("a", **{"SIGNALBOX_CRASH_AT": "owner.before-commit:8", TRANSACTION_MS: LONG_MS})
    survivor = cluster.open("b")
    until(lambda: bool(survivor.owned))
    tables = tables_of(cluster, survivor)
    with ThreadPoolExecutor(TABLES) as pool:
        for each in [pool.submit(play, table, MOVES // 2) for table in tables]:
            each.result()
    until(lambda: len(survivor.owned) == PARTITIONS)
    check_nothing_lost(cluster, tables)


def test_an_owner_falls_asleep_before_its_commit(cluster: ClusterHarness) -> None:
    """Others abort its open transaction and do its commands; awake again, it cannot commit, and restarts."""
    sleeper = cluster.spawn("a", **{STOP_AT: "8"})
    other = cluster.open("b")
    until(lambda: bool(other.owned))
    tables = tables_of(cluster)
    with ThreadPoolExecutor(TABLES) as pool:
        for each in [pool.submit(play, table, MOVES // 2) for table in tables]:
            each.result()
        until(lambda: len(other.owned) == PARTITIONS)
        assert Path(f"/proc/{sleeper.pid}/stat").read_text().split()[2] == "T"
        sleeper.send_signal(signal.SIGCONT)
        until(lambda: len(other.owned) < PARTITIONS)
        for each in [pool.submit(play, table, 3) for table in tables]:
            each.result()
    check_nothing_lost(cluster, tables)


def test_an_aborted_transaction_leaves_no_trace(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers never see its events, the game goes back to where it stood, and the commands are carried out after all."""
    replica = cluster.open("a")
    table = new_table(cluster.gateway)
    aborted: list[int] = []
    written = TransactionalWriter.write

    def write_and_abort(
        writer: TransactionalWriter,
        records: Sequence[Outgoing],
        offsets: Sequence[TopicPartition],
        group: object,
    ) -> None:
        if len(aborted) == 2:
            written(writer, records, offsets, group)
            return
        aborted.append(1)
        writer._producer.begin_transaction()
        for record in records:
            writer._produce(record)
        writer._producer.flush()
        writer._producer.abort_transaction()
        raise BatchAborted("by the test", False)

    monkeypatch.setattr(TransactionalWriter, "write", write_and_abort)
    assert table.move(SECONDS) == CommandAccepted(6, 6)
    assert len(aborted) == 2
    until_read(replica, table.game_id, 6)
    assert [event.sequence for event in replica.rules.reader.events(table.game_id, 5)] == [6]
    monkeypatch.setattr(TransactionalWriter, "write", written)
    play(table, 3)
    check_nothing_lost(cluster, [table])


def test_a_client_that_hangs_is_given_up(cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a transaction never comes back: the owner restarts with another client, which fences the first, and the
    command is carried out once. What hangs does no harm when it comes back after all."""
    finish = TransactionalWriter._finish
    hanging, let_go, came_back = threading.Event(), threading.Event(), threading.Event()

    def hang_once(writer: TransactionalWriter, offsets: Sequence[TopicPartition], group: object) -> None:
        if hanging.is_set():
            finish(writer, offsets, group)
            return
        hanging.set()
        let_go.wait(SECONDS)
        try:
            finish(writer, offsets, group)
        finally:
            came_back.set()

    replica = cluster.open("a")
    table = new_table(cluster.gateway)
    monkeypatch.setattr(transactions, "FINISH_SECONDS", 1.0)
    monkeypatch.setattr(TransactionalWriter, "_finish", hang_once)
    play(table, 3)
    assert hanging.is_set()
    let_go.set()
    assert came_back.wait(SECONDS)
    play(table, 3)
    until(lambda: len(replica.owned) == PARTITIONS)
    check_nothing_lost(cluster, [table])


def test_kafka_refuses_what_one_command_leads_to(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guilty command is found among those decided with it: its game alone is blocked."""
    cluster.open("a")
    tables = tables_of(cluster)
    guilty = tables[0].game_id
    written = TransactionalWriter.write

    def refuse_guilty(
        writer: TransactionalWriter,
        records: Sequence[Outgoing],
        offsets: Sequence[TopicPartition],
        group: object,
    ) -> None:
        records = list(records)
        if any(record.topic.endswith("rules.events") and record.key == guilty.encode() for record in records):
            raise BatchAborted("by the test", True)
        written(writer, records, offsets, group)

    monkeypatch.setattr(TransactionalWriter, "write", refuse_guilty)
    request = Request(guilty, "ann", "guilty", 5, Pass())
    with ThreadPoolExecutor(TABLES) as pool:
        refused = pool.submit(cluster.gateway.execute, request, None, SECONDS)
        for each in [pool.submit(play, table, 5) for table in tables[1:]]:
            each.result()
        with pytest.raises(Exception, match="Kafka rejected the records of this command 2 times"):
            refused.result()
    check_nothing_lost(cluster, tables)


def test_a_replica_comes_back_with_an_empty_copy(cluster: ClusterHarness, tmp_path: Path) -> None:
    """Everything is read from Kafka again, and it goes on as if nothing had happened."""
    first = cluster.open("a")
    table = new_table(cluster.gateway)
    play(table, 10)
    until_read(first, table.game_id, table.sequence)
    before = state_bytes(first.rules.reader.game_at(table.game_id).game)
    first.stop()
    for file in tmp_path.glob("*.copy.db*"):
        file.unlink()
    second = cluster.open("a")
    assert state_bytes(second.rules.reader.game_at(table.game_id).game) == before
    play(table, 3)
    check_nothing_lost(cluster, [table])


def test_an_owner_whose_copy_is_damaged_leaves_its_games_to_others(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not ready any more, and no command waits for it; the damage blocks no game."""
    broken = cluster.open("a")
    until(lambda: len(broken.owned) == PARTITIONS)
    tables = tables_of(cluster)
    for table in tables:
        until_read(broken, table.game_id, 5)
    damage = sqlite3.DatabaseError("database disk image is malformed")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT_INDEX

    def damaged(*_: object) -> NoReturn:
        raise damage

    monkeypatch.setattr(broken._copy.log, "outcome", damaged)
    sound = cluster.open("b")
    with ThreadPoolExecutor(TABLES) as pool:
        for each in [pool.submit(play, table, 3) for table in tables]:
            each.result()
    until(lambda: len(sound.owned) == PARTITIONS)
    assert not broken.is_ready and sound.is_ready
    check_nothing_lost(cluster, tables)


def test_players_move_between_replicas(cluster: ClusterHarness) -> None:
    """Each asks the other replica in turn and sees at least what was seen before."""
    replicas: list[RulesReplica] = [cluster.open("a"), cluster.open("b")]
    game_id = create(cluster.gateway)
    sequence = 5
    for move in range(20):
        here, there = replicas[move % 2], replicas[(move + 1) % 2]
        request = Request(game_id, ("ann", "bob")[move % 2], f"m{move}", sequence, Pass())
        result = here.rules.execute(request, SECONDS)
        assert isinstance(result, CommandAccepted)
        sequence = result.last
        assert here.rules.reader.last_sequence(game_id) == sequence
        until_read(there, game_id, sequence)
        assert there.rules.reader.events(game_id, sequence - 1)[0].request_id == f"m{move}"
    check_nothing_lost(cluster, [])
