"""Commands that kill their owner, that come to no end, or that can never be decided: none stops more than its own game."""

from __future__ import annotations

import signal
import threading
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.dead_letters import STILL_BLOCKED
from services.cli.main import app
from services.common.errors import InvalidRequest
from services.common.kafka.topics import OWNER_DEAD_LETTERS, SKIPS
from services.common.partitions import partition_of
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.cluster.attempts import DEATHS_ALONE
from services.rules.cluster.gateway import CommandGateway, GameBlocked
from services.rules.requests import Request
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.cluster.brittle import ENDLESS, EXHAUSTS, KILLS
from tests.rules.cluster.harness import (
    PARTITIONS,
    SECONDS,
    ClusterHarness,
    answered,
    create,
    game_in,
    new_table,
)
from tests.rules.cluster.worker import COMMAND_SECONDS, ENDS
from tests.waiting import until

pytestmark = pytest.mark.integration
FIRST = 5
"""Where a new game stands."""
DEATHS = DEATHS_ALONE + 2
"""Over one command: in a transaction like any other, in the first after a takeover, and alone."""


def blocked(gateway: CommandGateway, game_id: str, amount: int) -> str:
    """Send this command until its game is said to be blocked; returns why."""
    request = Request(game_id, "ann", f"pay {amount}", FIRST, RepayDebt(amount))
    with pytest.raises(GameBlocked) as problem:
        answered(lambda: gateway.execute(request, None, SECONDS))
    return str(problem.value)


def run_signalbox(cluster: ClusterHarness, *arguments: str) -> tuple[int, str]:
    """Exit code and output of an operator's command."""
    environment = {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(cluster.kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": cluster.kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(cluster.kafka.partitions),
    }
    done = CliRunner().invoke(app, arguments, env=environment)
    return done.exit_code, done.output


def test_a_command_that_kills_and_one_without_end_block_their_games_alone(
    cluster: ClusterHarness, tmp_path: Path
) -> None:
    """Whatever the process knew is gone with it, so its successors find the command by what it had noted in Kafka.

    The games of the same partition go on, and these once they are released as docs/operations.md says."""
    ends = tmp_path / "ends"
    games = [game_in({0}) for _ in range(3)]
    cluster.spawn("a", **{COMMAND_SECONDS: "1", ENDS: str(ends)})
    for game_id in games:
        create(cluster.gateway, "brittle", game_id)
    why = blocked(cluster.gateway, games[0], KILLS)
    assert "2 processes died while they carried this command out alone" in why
    assert ends.read_text().split() == [str(-signal.SIGKILL)] * DEATHS
    assert "the command came to no end" in blocked(cluster.gateway, games[1], ENDLESS)
    assert ends.read_text().split()[DEATHS:] == [str(EXIT_HUNG)]
    assert blocked(cluster.gateway, games[0], KILLS) == why, "the next owner knows it without a death"
    assert len(ends.read_text().split()) == DEATHS + 1
    table = new_table(cluster.gateway, game_in({0}))
    table.move()
    letters = [each for _, each in cluster.values(OWNER_DEAD_LETTERS, pb.DeadLetter)]
    assert [each.game_id for each in letters] == games[:2]
    assert [len(cluster.commits(each)) for each in games] == [1, 1, 1]
    release = partial(run_signalbox, cluster, "dead-letters", "release", "rules.owner")
    for game_id in games[:2]:
        assert release(game_id) == (0, f"{game_id}: released\n")
        request = Request(game_id, "ann", "pay 1", FIRST, RepayDebt(1))
        answered(partial(cluster.gateway.execute, request, None, SECONDS))
        assert len(cluster.commits(game_id)) == 2
        assert release(game_id)[0] == STILL_BLOCKED, "there is nothing to release any more"


def test_an_operator_skips_a_command(shared_cluster: ClusterHarness) -> None:
    """One that is tried again and again, since nothing says that it is the game's fault. Who skipped it and why is kept."""
    gateway = shared_cluster.gateway
    game_id = create(gateway, "brittle")
    partition = partition_of(game_id, PARTITIONS)
    signalbox = partial(run_signalbox, shared_cluster, "commands")
    assert signalbox("list") == (0, "no command waits\n")
    stuck: list[Exception] = []

    def send() -> None:
        try:
            gateway.execute(Request(game_id, "ann", "pay", FIRST, RepayDebt(EXHAUSTS)), None, SECONDS)
        except InvalidRequest as problem:
            stuck.append(problem)

    sender = threading.Thread(target=send)
    sender.start()
    until(lambda: signalbox("list")[0] == 1)
    code, shown = signalbox("list")
    assert (code, game_id in shown, "RepayDebt" in shown) == (1, True, True)
    row = next(line for line in shown.splitlines() if game_id in line)
    offset = row.replace("│", " ").split()[1]
    why = ("--operator", "olga", "--reason", "it exhausts the memory")
    assert signalbox("skip", str(partition), offset, *why)[0] == 0
    sender.join()
    assert [str(each) for each in stuck] == [
        "the command was dead-lettered: skipped by olga: it exhausts the memory"
    ]
    (skip,) = [each for _, each in shared_cluster.values(SKIPS, pb.CommandSkip)]
    assert (skip.game_id, skip.operator, skip.partition) == (game_id, "olga", partition)
    assert pb.CommandSent.FromString(skip.value).request_id == "pay"
    code, said = signalbox("skip", str(partition), offset, *why)
    assert (code, "the owner is at" in said) == (2, True)
    assert signalbox("skip", str(PARTITIONS), "0", *why)[0] == 2
    answered(lambda: gateway.execute(Request(game_id, "ann", "pay 1", FIRST, RepayDebt(1)), None, SECONDS))
