"""Ledger replicas as processes, with rules over gRPC: killed, taken over from, asked by players and operators."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import grpc
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.common.auth.tokens import Principal, TokenIssuer, TokenVerifier
from services.common.clock import SystemClock
from services.common.grpc.server import Guard, create_server
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb, ledger_pb2_grpc
from services.rules.bootstrap import hosted
from tests.common.faust.followers import eventually

from .rules_on_kafka import RulesOnKafka
from .worker import WorkerConfig

pytestmark = pytest.mark.integration
GAMES = tuple(f"game-{each}" for each in range(6))
KILLS = 3
SECONDS = 60.0


class RulesOverGrpc:
    """The rules of a rules_on_kafka behind a port."""

    def __init__(self, rules_on_kafka: RulesOnKafka) -> None:
        issuer = TokenIssuer(Ed25519PrivateKey.generate(), 3600, SystemClock())
        verifier = TokenVerifier(issuer.public_key, SystemClock())
        self.token = issuer.issue(Principal("ledger", "ledger")).token
        service = hosted(rules_on_kafka.desk.rules, verifier)
        self._server, port = create_server([service], Settings(), Telemetry(), guard=Guard(verifier))
        self.address = f"127.0.0.1:{port}"
        self._server.start()

    def stop(self) -> None:
        """Stop the server."""
        self._server.stop(0)


class Worker:
    """One replica; `kill` is SIGKILL, after which `start` restarts it on the same file."""

    def __init__(self, config: WorkerConfig) -> None:
        self.config = config
        self.start()

    def start(self) -> None:
        """Start the process; it serves when this returns."""
        port = self._begin() or (self._begin() if self._process.wait() == EXIT_HUNG else "")
        assert port, (Path(self.config.folder) / "log").read_text()
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.stub: Any = ledger_pb2_grpc.LedgerStub(self._channel)

    def _begin(self) -> str:
        """The port of a new process, "" where it ends before it has one."""
        config = msgspec.json.encode(self.config).decode()
        with (Path(self.config.folder) / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.ledger.cluster.worker", config],
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip().decode()

    def kill(self) -> None:
        """Kill it."""
        self._channel.close()
        self._process.kill()
        self._process.communicate()

    def stop(self) -> int:
        """Stop it; returns its exit code."""
        self._channel.close()
        self._process.terminate()
        self._process.communicate(timeout=SECONDS)
        return self._process.returncode

    def stored(self) -> dict[str, int]:
        """The last sequence of each game in its file."""
        (file,) = Path(self.config.folder).glob("ledger-*.db")
        with sqlite3.connect(file, timeout=SECONDS) as connection:
            rows = connection.execute("SELECT game_id, last_sequence FROM ledger_books").fetchall()
        connection.close()
        return dict(rows)


@pytest.fixture
def rules_on_kafka(kafka: KafkaSettings) -> RulesOnKafka:
    """Rules with its games begun, nothing config yet."""
    rules_on_kafka = RulesOnKafka(kafka)
    rules_on_kafka.create(*GAMES)
    return rules_on_kafka


@pytest.fixture
def rules(rules_on_kafka: RulesOnKafka) -> Iterator[RulesOverGrpc]:
    """The rules of the rules_on_kafka over gRPC."""
    served = RulesOverGrpc(rules_on_kafka)
    yield served
    served.stop()


@contextmanager
def workers(
    kafka: KafkaSettings, rules: RulesOverGrpc, folder: Path, count: int, *, is_operator: bool = False
) -> Iterator[list[Worker]]:
    """A number of replicas; killed at the end if they still run."""
    with ExitStack() as ending:
        started = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir()
            config = WorkerConfig(
                replace(kafka, instance=f"ledger-{number}"), str(own), rules.address, rules.token, is_operator
            )
            worker = Worker(config)
            ending.callback(worker.kill)
            started.append(worker)
        yield started


def all_followed(rules_on_kafka: RulesOnKafka, running: list[Worker]) -> bool:
    """Whether each game is in some replica's file up to its last sequence."""
    files = [each.stored() for each in running]
    return all(
        max(file.get(game, 0) for file in files) == rules_on_kafka.published.statuses[game][-1].sequence
        for game in GAMES
    )


def test_killed_replicas_lose_and_double_nothing(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, rules: RulesOverGrpc, tmp_path: Path
) -> None:
    """Two replicas are killed in turn while records come; in the end every book is that of rules, on both, no game held."""
    draw = Random(5)
    rules_on_kafka.publish()
    with workers(kafka, rules, tmp_path, 2) as running:
        for _ in range(KILLS):
            rules_on_kafka.play(*GAMES)
            rules_on_kafka.publish(times=2)
            victim = draw.choice(running)
            victim.kill()
            rules_on_kafka.play(*GAMES)
            rules_on_kafka.publish()
            victim.start()
        eventually(lambda: all_followed(rules_on_kafka, running), "the books of all games")
        for worker in running:
            for game in GAMES:
                status = rules_on_kafka.published.statuses[game][-1]
                cash = rules_on_kafka.published.balances[game][status.sequence].cash
                found = worker.stub.GetBalances(pb.GetBalancesRequest(game_id=game), timeout=SECONDS)
                money = {
                    each.account.holder: each.amount
                    for each in found.balances
                    if each.account.unit == pb.UNIT_MONEY and each.account.holder in cash
                }
                assert (found.sequence, money) == (status.sequence, cash)
            assert list(worker.stub.ListHolds(pb.ListHoldsRequest(), timeout=SECONDS).holds) == []
        assert [each.stop() for each in running] == [0, 0]


def answers(stub: Any) -> bool:
    """Whether it reaches rules."""
    try:
        stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0]), timeout=SECONDS)
    except grpc.RpcError as problem:
        assert problem.code() is grpc.StatusCode.UNAVAILABLE
        return False
    return True


def test_reads_are_current_or_say_how_far_they_are(
    kafka: KafkaSettings, rules_on_kafka: RulesOnKafka, rules: RulesOverGrpc, tmp_path: Path
) -> None:
    """A game without records on Kafka is read as rules has it; without rules as far as it was booked."""
    with workers(kafka, rules, tmp_path, 1) as (worker,):
        first = rules_on_kafka.published.statuses[GAMES[0]][-1].sequence
        eventually(lambda: answers(worker.stub), "the connection to rules")
        assert worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0])).sequence == first
        with pytest.raises(grpc.RpcError) as unknown:
            worker.stub.GetBalances(pb.GetBalancesRequest(game_id="nowhere"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND
        rules_on_kafka.play(GAMES[0])
        rules.stop()
        known = worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0]), timeout=SECONDS)
        assert known.sequence == first
        with pytest.raises(grpc.RpcError) as away:
            worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[1]), timeout=SECONDS)
        assert away.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("is_operator", [True, False])
def test_operators_release_and_rebuild(
    kafka: KafkaSettings,
    rules_on_kafka: RulesOnKafka,
    rules: RulesOverGrpc,
    tmp_path: Path,
    is_operator: bool,
) -> None:
    """A held game is released and its book rebuilt for an operator only."""
    rules_on_kafka.publish()
    rules_on_kafka.write(GAMES[1], rules_on_kafka.status(GAMES[1], ann_more=7), GAME_STATUSES)
    rules_on_kafka.flush()
    with workers(kafka, rules, tmp_path, 1, is_operator=is_operator) as (worker,):
        held = pb.ListHoldsRequest()
        eventually(lambda: worker.stub.ListHolds(held).holds, "the hold")
        release, rebuild = pb.ReleaseHoldRequest(game_id=GAMES[1]), pb.RebuildBookRequest(game_id=GAMES[1])
        if not is_operator:
            for call, request in ((worker.stub.ReleaseHold, release), (worker.stub.RebuildBook, rebuild)):
                with pytest.raises(grpc.RpcError) as denied:
                    call(request)
                assert denied.value.code() is grpc.StatusCode.PERMISSION_DENIED
            assert [each.game_id for each in worker.stub.ListHolds(held).holds] == [GAMES[1]]
            return
        rebuilt = worker.stub.RebuildBook(rebuild)
        assert rebuilt.sequence == rules_on_kafka.published.statuses[GAMES[1]][-1].sequence
        assert worker.stub.ReleaseHold(release).hold.reason == "difference"
        assert not worker.stub.ListHolds(held).holds
        with pytest.raises(grpc.RpcError) as again:
            worker.stub.ReleaseHold(release)
        assert again.value.code() is grpc.StatusCode.NOT_FOUND
