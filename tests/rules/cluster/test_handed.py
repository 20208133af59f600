"""Commands that the owner takes from senders in its own process, without the log: what is unusual goes by the log."""

from __future__ import annotations

import signal
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from services.common.kafka.topics import COMMANDS, EVENTS, OUTCOMES, OWNER_DEAD_LETTERS
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.gateway import DIRECT, LOG, GameBlocked
from services.rules.cluster.handed import Handed, HandedCommands, Turns
from services.rules.cluster.records import command_sent
from services.rules.cluster.replica import RulesReplica
from services.rules.cluster.transactions import TransactionalWriter
from services.rules.kernel.commands import Command, Pass
from services.rules.requests import CommandAccepted, CommandRejected, Request
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.cluster.brittle import BREAKS, ENDLESS, KILLS
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
from tests.rules.cluster.test_deciding import REPLY, SingleOwner
from tests.rules.cluster.test_direct_answers import is_stopped
from tests.rules.cluster.test_poison import DEATHS
from tests.rules.cluster.worker import COMMAND_SECONDS, DIRECT_AFTER, ENDS, HARMED, HARMS, PLAYS, STOP_AT
from tests.waiting import until

MOVES = 20


def nobody() -> None:
    """Nothing has to be sent by the log."""
    raise AssertionError("given back")


def handed(number: int) -> Handed:
    """A command that cannot be mistaken for another."""
    request = Request(f"g{number}", "ann", "r", FIRST, Pass())
    return Handed(request, command_sent(request, REPLY), 0, nobody)


def test_who_wants_the_next_turn_too_waits_for_the_other() -> None:
    """Else one that always has something to do would keep the other from ever doing anything."""
    turns, order = Turns(), list[str]()
    waits = threading.Event()

    def other() -> None:
        waits.set()
        with turns:
            order.append("other")

    with turns:
        thread = threading.Thread(target=other)
        thread.start()
        assert waits.wait(SECONDS)
        until(lambda: turns._next.locked())
    with turns:
        order.append("first")
    thread.join()
    assert order == ["other", "first"]


def test_what_comes_meanwhile_is_carried_out_together_and_in_order() -> None:
    """Nothing is taken after the end, and what was taken before it is carried out."""
    begun, may_go_on = threading.Event(), threading.Event()
    batches: list[list[Handed]] = []

    def carry_out(given: deque[Handed]) -> float:
        batches.append(list(given))
        begun.set()
        assert may_go_on.wait(SECONDS)
        return 0.0

    commands = [handed(number) for number in range(8)]
    taking = HandedCommands(carry_out, 4)
    assert taking.offer(commands[0])
    assert begun.wait(SECONDS)
    assert all(map(taking.offer, commands[1:]))
    may_go_on.set()
    taking.close()
    assert [len(batch) for batch in batches] == [1, 4, 3]
    assert [each for batch in batches for each in batch] == commands
    assert not taking.offer(handed(9))


def given(owner: SingleOwner, command: Command, player: str = "ann", request_id: str = "r") -> bool:
    """Whether the owner decides this command without the log."""
    request = Request("g", player, request_id, FIRST, command)
    return owner.processor.execute_handed(request, command_sent(request, REPLY))


def test_a_refusal_is_answered_at_the_commit_and_written_nowhere() -> None:
    """A sender that is not answered asks again."""
    owner = SingleOwner()
    owner.create()
    owner.commit()
    owner.answered.clear()
    assert given(owner, Pass(), player="bob")
    assert (owner.answered, owner.processor.output.outcomes, owner.processor.staged.staged) == ([], [], [])
    owner.commit()
    ((reply, outcome),) = owner.answered
    assert reply == REPLY
    assert isinstance(outcome, CommandRejected)
    assert owner.value("rejected") == 1


def test_a_repeated_request_gets_its_first_outcome() -> None:
    """Whichever way it came first."""
    owner = SingleOwner()
    owner.create()
    assert given(owner, Pass())
    assert given(owner, Pass())
    owner.commit()
    outcomes = [outcome for _, outcome in owner.answered]
    assert CommandAccepted(FIRST + 1, FIRST + 1) in outcomes
    assert CommandAccepted(FIRST + 1, FIRST + 1, repeated=True) in outcomes


def test_what_breaks_its_game_leaves_nothing_and_goes_by_the_log() -> None:
    """So does everything in a game that is blocked."""
    owner = SingleOwner()
    owner.create(title="brittle")
    owner.commit()
    assert not given(owner, RepayDebt(BREAKS))
    assert owner.processor.staged.staged == []
    assert owner.dead_letters() == []
    owner.processor.keep_blocked({"g": "for a reason"})
    assert not given(owner, Pass())


def sent(cluster: ClusterHarness, path: str) -> float:
    """How many commands went this way at replica "a"."""
    name = "signalbox_gateway_commands_sent_total"
    return cluster.registries["a"].get_sample_value(name, {"path": path}) or 0.0


def opened(cluster: ClusterHarness) -> RulesReplica:
    """A replica that owns everything, and takes commands without the log at once."""
    replica = cluster.open("a", direct_after_seconds=0.0)
    until(lambda: len(replica.owned) == PARTITIONS)
    return replica


@pytest.mark.integration
def test_a_game_is_played_without_a_record_of_its_commands(cluster: ClusterHarness) -> None:
    """Moves, refusals and repeats are answered as by the log, which another gateway uses meanwhile."""
    replica = opened(cluster)
    table = new_table(replica._gateway)
    for _ in range(MOVES):
        table.move(SECONDS)
    wrong = Request(table.game_id, "bob", "wrong", table.sequence, Pass())
    assert isinstance(answered(lambda: replica._gateway.execute(wrong)), CommandRejected)
    first = Request(table.game_id, "ann", "m0", FIRST, Pass())
    repeated = answered(lambda: replica._gateway.execute(first))
    assert repeated == CommandAccepted(FIRST + 1, FIRST + 1, repeated=True)
    assert (cluster.values(COMMANDS, pb.CommandSent), cluster.values(OUTCOMES, pb.CommandOutcome)) == ([], [])
    assert (sent(cluster, DIRECT), sent(cluster, LOG)) == (MOVES + 3, 0)
    assert replica.rules.reader.last_sequence(table.game_id) == table.sequence
    table.gateway = cluster.gateway
    table.move(SECONDS)
    table.gateway = replica._gateway
    table.move(SECONDS)
    check_nothing_lost(cluster, [table])


@pytest.mark.integration
def test_soon_after_a_takeover_commands_go_by_the_log(cluster: ClusterHarness) -> None:
    """Where there are notes of those that kill their owner."""
    replica = cluster.open("a")
    until(lambda: len(replica.owned) == PARTITIONS)
    new_table(replica._gateway).move(SECONDS)
    assert (sent(cluster, DIRECT), sent(cluster, LOG)) == (0, 2)


@pytest.mark.integration
def test_a_command_that_breaks_its_game_blocks_it_by_the_log(cluster: ClusterHarness) -> None:
    """Its dead letter names the record."""
    replica = opened(cluster)
    game_id = create(replica._gateway, "brittle")
    request = Request(game_id, "ann", "pay", FIRST, RepayDebt(BREAKS))
    for _ in range(2):
        with pytest.raises(GameBlocked):
            replica._gateway.execute(request)
    ((_, letter),) = cluster.values(OWNER_DEAD_LETTERS, pb.DeadLetter)
    ((partition, command), _) = cluster.values(COMMANDS, pb.CommandSent)
    assert (letter.game_id, letter.partition, letter.offset) == (game_id, partition, 0)
    assert command.request_id == "pay"


@pytest.mark.integration
@pytest.mark.parametrize("is_committed", [False, True])
def test_where_a_transaction_fails_its_commands_go_by_the_log(
    cluster: ClusterHarness, monkeypatch: pytest.MonkeyPatch, is_committed: bool
) -> None:
    """Whether it was written, which its owner may not know: each command is carried out once."""
    replica = opened(cluster)
    table = new_table(replica._gateway)
    finish = TransactionalWriter._finish
    fails = [True]

    def fail_once(writer: TransactionalWriter, offsets: Any, group: object) -> None:
        if not fails:
            finish(writer, offsets, group)
            return
        fails.pop()
        if is_committed:
            finish(writer, offsets, group)
        code = KafkaError._FENCED if is_committed else KafkaError.INVALID_PRODUCER_EPOCH
        raise KafkaException(KafkaError(code, "a test", fatal=is_committed))

    monkeypatch.setattr(TransactionalWriter, "_finish", fail_once)
    before = sent(cluster, LOG)
    table.move(SECONDS)
    assert fails == []
    # Where it is committed its answer may come from the log before its owner gives it back.
    until(lambda: sent(cluster, LOG) == before + 1)
    for _ in range(3):
        table.move(SECONDS)
    until(lambda: len(replica.owned) == PARTITIONS)
    before = sent(cluster, DIRECT)
    table.move(SECONDS)
    assert sent(cluster, DIRECT) == before + 1, "it goes on without the log"
    check_nothing_lost(cluster, [table])


@pytest.mark.integration
@pytest.mark.parametrize("point", ["after-decide", "before-commit", "after-commit"])
def test_an_owner_that_dies_has_carried_the_command_out_once_or_never(
    cluster: ClusterHarness, point: str
) -> None:
    """Its caller asks again, and is answered by the next owner. Every point is in the simulated runs."""
    killed = cluster.spawn("a", SIGNALBOX_CRASH_AT=f"owner.{point}:3", **{PLAYS: "9", DIRECT_AFTER: "0"})
    assert killed.wait(SECONDS) == -signal.SIGKILL
    replica = cluster.open("b")
    games = {each.stream.removeprefix("game/") for _, each in cluster.values(EVENTS, pb.Commit)}
    for game_id in games:
        count = len(cluster.commits(game_id))
        move = Request(game_id, "ann" if count % 2 else "bob", f"m{count - 1}", FIRST + count - 1, Pass())
        assert isinstance(answered(lambda move=move: replica._gateway.execute(move)), CommandAccepted)  # type: ignore[misc]
    check_nothing_lost(cluster, [])


@pytest.mark.integration
def test_an_owner_that_falls_asleep_cannot_commit_when_it_wakes(cluster: ClusterHarness) -> None:
    """Its partitions have another owner by then, and its command is carried out there."""
    sleeper = cluster.spawn("a", **{STOP_AT: "6", PLAYS: "30", DIRECT_AFTER: "0"})
    until(lambda: is_stopped(sleeper))
    other = cluster.open("b", direct_after_seconds=0.0)
    until(lambda: len(other.owned) == PARTITIONS)
    table = new_table(other._gateway)
    for _ in range(3):
        table.move(SECONDS)
    sleeper.send_signal(signal.SIGCONT)
    until(lambda: 0 < len(other.owned) < PARTITIONS)
    for _ in range(3):
        table.move(SECONDS)
    until(lambda: len(cluster.values(EVENTS, pb.Commit)) == 31 + 7)
    check_nothing_lost(cluster, [table])


@pytest.mark.integration
def test_partitions_move_while_commands_go_without_the_log(cluster: ClusterHarness) -> None:
    """To a second owner and back; the one that was asked answers."""
    first = opened(cluster)
    tables = [new_table(first._gateway, game_in({number})) for number in range(PARTITIONS)]

    def play(number: int) -> None:
        for _ in range(MOVES * 5):
            tables[number].move(SECONDS)

    with ThreadPoolExecutor(PARTITIONS) as pool:
        playing = [pool.submit(play, number) for number in range(PARTITIONS)]
        second = cluster.open("b", direct_after_seconds=0.0)
        until(lambda: bool(second.owned) and len(first.owned | second.owned) == PARTITIONS)
        second.stop()
        for each in playing:
            each.result()
    until(lambda: len(first.owned) == PARTITIONS)
    assert sent(cluster, DIRECT) > 0
    check_nothing_lost(cluster, tables)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("amount", "ends"),
    [(KILLS, [-signal.SIGKILL] * DEATHS), (ENDLESS, [EXIT_HUNG] * 2)],
    ids=["kills", "without end"],
)
def test_a_command_that_ends_its_owner_is_sent_by_the_log_the_next_time(
    cluster: ClusterHarness, tmp_path: Path, amount: int, ends: list[int]
) -> None:
    """Where it is noted, and its game blocked: it costs as many lives as by the log alone."""
    lives = tmp_path / "ends"
    environment = {HARMS: str(amount), DIRECT_AFTER: "4", COMMAND_SECONDS: "1", ENDS: str(lives)}
    cluster.spawn("a", **environment)
    until(lambda: lives.exists() and "blocked" in lives.read_text())
    assert lives.read_text().split() == [*map(str, ends), "blocked"]
    assert len(cluster.commits(HARMED)) == 1
