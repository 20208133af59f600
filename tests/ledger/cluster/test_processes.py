"""Ledger replicas as processes, with rules over gRPC: killed, taken over from, asked by players and operators."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import STANDINGS
from services.common.process.hanging import HUNG
from services.gen.signalbox.ledger.v1 import ledger_pb2 as pb, ledger_pb2_grpc
from services.gen.signalbox.rules.v1.rules_pb2_grpc import add_RulesServicer_to_server
from services.rules.cluster.records import standing_message
from services.rules.grpc_server import RulesServicer
from tests.common.faust.desk import eventually

from .house import House
from .worker import Told

pytestmark = pytest.mark.integration
GAMES = tuple(f"game-{each}" for each in range(6))
KILLS = 3
SECONDS = 20.0


class RulesOverGrpc:
    """The rules of a house behind a port."""

    def __init__(self, house: House) -> None:
        issuer = TokenIssuer(Ed25519PrivateKey.generate(), 3600, SystemClock())
        verifier = TokenVerifier(issuer.public_key, SystemClock())
        self.token = issuer.issue(Principal("ledger", "ledger")).token
        self._server = grpc.server(ThreadPoolExecutor(4))
        add_RulesServicer_to_server(RulesServicer(house.desk.rules, verifier), self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def stop(self) -> None:
        """Nobody answers any more."""
        self._server.stop(None).wait()


class Worker:
    """One replica; `kill` is SIGKILL, after which `start` begins it anew over the same file."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.start()

    def start(self) -> None:
        """Start the process; it may be asked when this returns."""
        port = self._begin() or (self._begin() if self._process.wait() == HUNG else "")
        assert port, (Path(self.told.folder) / "log").read_text()
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.stub: Any = ledger_pb2_grpc.LedgerStub(self._channel)

    def _begin(self) -> str:
        """The port of a new process, "" where it ends before it has one."""
        told = msgspec.json.encode(self.told).decode()
        with (Path(self.told.folder) / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.ledger.cluster.worker", told],
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip().decode()

    def kill(self) -> None:
        """It is gone without a word."""
        self._channel.close()
        self._process.kill()
        self._process.communicate()

    def stop(self) -> int:
        """It ends as it should; its exit code."""
        self._channel.close()
        self._process.terminate()
        self._process.communicate(timeout=SECONDS)
        return self._process.returncode

    def stored(self) -> dict[str, int]:
        """The last sequence of each game in its file."""
        (file,) = Path(self.told.folder).glob("ledger-*.db")
        with sqlite3.connect(file, timeout=10) as connection:
            rows = connection.execute("SELECT game_id, last_sequence FROM ledger_books").fetchall()
        connection.close()
        return dict(rows)


@pytest.fixture
def house(kafka: KafkaSettings) -> House:
    """Rules with its games begun, nothing told yet."""
    house = House(kafka)
    house.create(*GAMES)
    return house


@pytest.fixture
def rules(house: House) -> Iterator[RulesOverGrpc]:
    """The rules of the house over gRPC."""
    served = RulesOverGrpc(house)
    yield served
    served.stop()


@contextmanager
def workers(
    kafka: KafkaSettings, rules: RulesOverGrpc, folder: Path, count: int, *, is_operator: bool = False
) -> Iterator[list[Worker]]:
    """So many replicas; killed at the end if they still live."""
    with ExitStack() as ending:
        started = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir()
            told = Told(
                replace(kafka, instance=f"ledger-{number}"), str(own), rules.address, rules.token, is_operator
            )
            worker = Worker(told)
            ending.callback(worker.kill)
            started.append(worker)
        yield started


def all_followed(house: House, running: list[Worker]) -> bool:
    """Whether each game stands in some replica's file up to its last sequence."""
    files = [each.stored() for each in running]
    return all(
        max(file.get(game, 0) for file in files) == house.told.standings[game][-1].sequence for game in GAMES
    )


def test_killed_replicas_lose_and_double_nothing(
    kafka: KafkaSettings, house: House, rules: RulesOverGrpc, tmp_path: Path
) -> None:
    """Two replicas are killed in turn while records come; in the end every book is that of rules, on both, nobody held."""
    draw = Random(5)
    house.tell()
    with workers(kafka, rules, tmp_path, 2) as running:
        for _ in range(KILLS):
            house.play(*GAMES)
            house.tell(times=2)
            victim = draw.choice(running)
            victim.kill()
            house.play(*GAMES)
            house.tell()
            victim.start()
        eventually(lambda: all_followed(house, running), "the books of all games")
        for worker in running:
            for game in GAMES:
                standing = house.told.standings[game][-1]
                found = worker.stub.GetBalances(pb.GetBalancesRequest(game_id=game), timeout=SECONDS)
                money = {
                    each.account.holder: each.amount
                    for each in found.balances
                    if each.account.unit == pb.UNIT_MONEY and each.account.holder in standing.cash
                }
                assert (found.sequence, money) == (standing.sequence, dict(standing.cash))
            assert list(worker.stub.ListHolds(pb.ListHoldsRequest(), timeout=SECONDS).holds) == []
        assert [each.stop() for each in running] == [0, 0]


def answers(stub: Any) -> bool:
    """Whether it has a way to rules."""
    try:
        stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0]), timeout=SECONDS)
    except grpc.RpcError as problem:
        assert problem.code() is grpc.StatusCode.UNAVAILABLE
        return False
    return True


def test_reads_are_current_or_say_how_far_they_are(
    kafka: KafkaSettings, house: House, rules: RulesOverGrpc, tmp_path: Path
) -> None:
    """A game that came to no replica over Kafka is read as rules has it; without rules as far as it was known."""
    with workers(kafka, rules, tmp_path, 1) as (worker,):
        first = house.told.standings[GAMES[0]][-1].sequence
        eventually(lambda: answers(worker.stub), "the connection to rules")
        assert worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0])).sequence == first
        with pytest.raises(grpc.RpcError) as unknown:
            worker.stub.GetBalances(pb.GetBalancesRequest(game_id="nowhere"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND
        house.play(GAMES[0])
        rules.stop()
        known = worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[0]), timeout=SECONDS)
        assert known.sequence == first
        with pytest.raises(grpc.RpcError) as away:
            worker.stub.GetBalances(pb.GetBalancesRequest(game_id=GAMES[1]), timeout=SECONDS)
        assert away.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("is_operator", [True, False])
def test_operators_release_and_rebuild(
    kafka: KafkaSettings, house: House, rules: RulesOverGrpc, tmp_path: Path, is_operator: bool
) -> None:
    """A held game is released and its book made again for an operator, and for nobody else."""
    house.tell()
    house.write(GAMES[1], standing_message(GAMES[1], house.standing(GAMES[1], ann_more=7)), STANDINGS)
    house.flush()
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
        assert rebuilt.sequence == house.told.standings[GAMES[1]][-1].sequence
        assert worker.stub.ReleaseHold(release).hold.reason == "difference"
        assert not worker.stub.ListHolds(held).holds
        with pytest.raises(grpc.RpcError) as again:
            worker.stub.ReleaseHold(release)
        assert again.value.code() is grpc.StatusCode.NOT_FOUND
