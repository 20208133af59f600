"""Replicas that keep a part of the log each, on a real Kafka: any of them answers for every game."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import grpc
import pytest
from msgspec.structs import replace

from services.common.auth.tokens import Principal
from services.common.grpc.owner_channel import OwnerChannel, owner_channel
from services.common.kafka.closing import close_topics, open_topics
from services.common.kafka.offsets import closed_topics
from services.common.kafka.topics import COMMANDS
from services.common.partitions import partition_of
from services.gen.signalbox.rules.v1 import command_pb2, rules_pb2 as pb
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub
from services.host.children import free_ports
from services.rules.bootstrap import SERVICE_NAME
from services.rules.cluster.holdings import HoldingTiming
from tests.conftest import REPOSITORY
from tests.rules.cluster.harness import (
    PARTITIONS,
    PLAYERS,
    SECONDS,
    SESSION_MS,
    ClusterHarness,
    game_in,
    new_table,
)
from tests.rules.cluster.node import Node, issuer_in
from tests.waiting import until

pytestmark = pytest.mark.integration

ALL = frozenset(range(PARTITIONS))
FIRST_SEQUENCE = 5
BRIEF = HoldingTiming(look_seconds=0.2, follow_seconds=0.5, keep_seconds=1.5)


class Nodes:
    """Opens nodes, here or in other processes, and calls them as Ann and Bob."""

    def __init__(self, cluster: ClusterHarness) -> None:
        self.cluster = cluster
        self.open_ones: list[Node] = []
        self._processes: list[subprocess.Popen[bytes]] = []
        issuer = issuer_in(cluster.folder)
        self._tokens = {name: issuer.issue(Principal(name, name)).token for name in PLAYERS}

    def _made(self, name: str, timing: HoldingTiming | None = None, copies: int = 2) -> Node:
        (port,) = free_ports(1)
        kafka = replace(self.cluster.kafka, instance=name)
        node = Node(kafka, self.cluster.folder, port, copies, timing)
        self.open_ones.append(node)
        return node

    def open(self, name: str, timing: HoldingTiming | None = None, copies: int = 2) -> Node:
        node = self._made(name, timing, copies)
        node.start()
        return node

    def begin(self, name: str, timing: HoldingTiming) -> tuple[Node, threading.Thread]:
        """A node whose start may take a while, in a thread of its own."""
        node = self._made(name, timing)
        thread = threading.Thread(target=node.start, daemon=True)
        thread.start()
        return node, thread

    def spawn(self, name: str) -> subprocess.Popen[bytes]:
        (port,) = free_ports(1)
        kafka = self.cluster.kafka
        arguments = [",".join(kafka.servers), kafka.topic_prefix, name, str(self.cluster.folder), str(port)]
        command = [sys.executable, "-m", "tests.rules.cluster.node", *arguments]
        process = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE)
        self._processes.append(process)
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        return process

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        for node in self.open_ones:
            node.close()

    def token(self, player: str = PLAYERS[0]) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self._tokens[player]}")]

    def sequence(self, node: Node, game_id: str, at_least: int = 0) -> int:
        request = pb.GetGameRequest(game_id=game_id, at_least_sequence=at_least)
        found = node.stub.GetGame(request, metadata=self.token(), timeout=SECONDS)
        return int(found.game.sequence)

    def move(self, node: Node, game_id: str, expected: int, player: str, seconds: float = SECONDS) -> int:
        return self.move_over(node.stub, game_id, expected, player, seconds)

    def move_over(
        self, stub: RulesStub, game_id: str, expected: int, player: str, seconds: float = SECONDS
    ) -> int:
        request = pb.ExecuteRequest(
            game_id=game_id,
            request_id=f"m{expected}",
            expected_sequence=expected,
            command=command_pb2.Command(pass_turn=command_pb2.Pass()),
        )
        answer = stub.Execute(request, metadata=self.token(player), timeout=seconds)
        assert answer.HasField("accepted"), answer
        return int(answer.accepted.last_sequence)


@pytest.fixture
def nodes(cluster: ClusterHarness) -> Iterator[Nodes]:
    nodes = Nodes(cluster)
    yield nodes
    nodes.close()


def retried(ask: Callable[[], int]) -> int:
    """As a client does: what is UNAVAILABLE, or not known in time, is sent again."""
    results: list[int] = []

    def has_answer() -> bool:
        try:
            results.append(ask())
        except grpc.RpcError as error:
            assert isinstance(error, grpc.Call)
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED), error
            return False
        return True

    until(has_answer)
    return results[0]


def held(node: Node) -> frozenset[int]:
    """What it owns or stands by for."""
    return node.holdings.placement.held_by(node.name)


def owns(node: Node) -> frozenset[int]:
    """What it takes commands for, as it believes."""
    holders = node.holdings.placement.holders
    return frozenset(number for number, names in holders.items() if names[0] == node.name)


def settled(nodes: list[Node], names: set[str]) -> None:
    """Wait until all of them agree who has what, and have it."""

    def agree() -> bool:
        placements = [node.holdings.placement for node in nodes]
        holders = placements[0].holders
        return (
            all(each.holders == holders for each in placements)
            and set(holders) == ALL
            and {name for each in holders.values() for name in each} == names
            and all(node.holdings.is_here(number) for node in nodes for number in held(node))
            and all(node.replica.owned == owns(node) for node in nodes)
        )

    until(agree)


def test_every_replica_answers_for_all_games_and_keeps_its_share(nodes: Nodes) -> None:
    """Reads, choices, events, commands and watches, wherever the game is."""
    opened = [nodes.open(name, BRIEF) for name in "abc"]
    settled(opened, {"a", "b", "c"})
    tables = [new_table(nodes.cluster.gateway, game_in({number})) for number in sorted(ALL)]
    until(lambda: all(node.holdings.followed == held(node) for node in opened))
    assert sum(len(held(node)) for node in opened) == 2 * PARTITIONS
    for table in tables:
        sequence = FIRST_SEQUENCE
        for mover, node in enumerate(opened):
            assert retried(lambda: nodes.sequence(node, table.game_id, sequence)) == sequence  # noqa: B023
            sequence = nodes.move(node, table.game_id, sequence, PLAYERS[mover % 2])
            choices = node.stub.ListChoices(
                pb.ListChoicesRequest(game_id=table.game_id, at_least_sequence=sequence),
                metadata=nodes.token(PLAYERS[(mover + 1) % 2]),
                timeout=SECONDS,
            )
            assert choices.sequence == sequence and choices.choices
            watch = node.stub.WatchGame(
                pb.WatchGameRequest(game_id=table.game_id, after_sequence=sequence - 1),
                metadata=nodes.token(),
                timeout=SECONDS,
            )
            assert next(watch).event.sequence == sequence
            watch.cancel()
    for node in opened:
        for method in ("GetGame", "ListChoices"):
            assert node.forwarded(method, "answered") == len(ALL - held(node))
        assert node.forwarded("Execute", "answered") == len(ALL - node.replica.owned)
    watched = [pb.WatchedGame(game_id=table.game_id) for table in tables]
    for node in opened:
        moves = node.stub.WatchMoves(
            pb.WatchMovesRequest(games=watched), metadata=nodes.token(), timeout=SECONDS
        )
        found = {each.game_id: each.sequence for _, each in zip(tables, moves, strict=False)}
        assert set(found) == {table.game_id for table in tables}
        moves.cancel()


def test_in_topics_that_take_no_commands_yet_everything_is_read(nodes: Nodes) -> None:
    """So that nobody waits for it when they open; then each keeps its share. Another platform filled them."""
    kafka = nodes.cluster.kafka
    before = nodes.open("before")
    tables = [new_table(nodes.cluster.gateway, game_in({number})) for number in sorted(ALL)]
    before.close()
    nodes.open_ones.remove(before)
    close_topics(kafka, [COMMANDS], is_proven=False)
    until(lambda: bool(closed_topics(kafka, [COMMANDS])))
    waiting = [nodes.begin(name, BRIEF) for name in "abc"]
    streams = {f"game/{table.game_id}" for table in tables}
    for node, _ in waiting:
        until(lambda node=node: set(node.replica._copy.log.streams("game/")) == streams)  # type: ignore[misc]
        assert not node.replica.is_ready
    open_topics(kafka, [COMMANDS])
    for _, thread in waiting:
        thread.join(SECONDS)
    opened = [node for node, _ in waiting]
    settled(opened, {"a", "b", "c"})
    for node in opened:
        until(lambda node=node: node.holdings.followed == held(node))  # type: ignore[misc]
        for table in tables:
            assert retried(lambda: nodes.sequence(node, table.game_id)) == FIRST_SEQUENCE  # noqa: B023


def test_one_that_comes_reads_its_share_first_and_the_others_drop_theirs(nodes: Nodes) -> None:
    """Nobody is left with more than his share, and what comes back is whole."""
    first = nodes.open("a", BRIEF)
    tables = [new_table(nodes.cluster.gateway, game_in({number})) for number in sorted(ALL)]
    until(lambda: first.holdings.followed == ALL)
    second, third = nodes.open("b", BRIEF), nodes.open("c", BRIEF)
    settled([first, second, third], {"a", "b", "c"})

    def kept(node: Node) -> set[int]:
        streams = node.replica._copy.log.streams("game/")
        return {partition_of(stream.removeprefix("game/"), PARTITIONS) for stream in streams}

    for node in (first, second, third):
        until(lambda node=node: kept(node) == held(node))  # type: ignore[misc]
    for node in (third, second):
        nodes.open_ones.remove(node)
        node.close()
    until(lambda: all(map(first.holdings.is_here, ALL)))
    for table in tables:
        assert nodes.sequence(first, table.game_id) == FIRST_SEQUENCE
        assert nodes.move(first, table.game_id, FIRST_SEQUENCE, PLAYERS[0]) > FIRST_SEQUENCE


def test_an_owner_is_killed_and_its_standby_takes_over_with_what_it_has(nodes: Nodes) -> None:
    """Reads go on at once; commands after the session, without a commit being read again."""
    left = [nodes.open("a"), nodes.open("b")]
    killed = nodes.spawn("c")
    settled(left, {"a", "b", "c"})
    holders = left[0].holdings.placement.holders
    (of_killed,) = [number for number, names in holders.items() if names[0] == "c"]
    table = new_table(nodes.cluster.gateway, game_in({of_killed}))
    standby = next(node for node in left if node.holdings.is_here(of_killed))
    other = next(node for node in left if node is not standby)
    until(lambda: nodes.sequence(standby, table.game_id) == FIRST_SEQUENCE)
    until(lambda: not other.holdings.is_here(of_killed) or other.holdings._left_at.get(of_killed) is not None)
    before = standby.copied()
    killed.send_signal(signal.SIGKILL)
    assert retried(lambda: nodes.sequence(other, table.game_id)) == FIRST_SEQUENCE
    until(lambda: of_killed in standby.replica.owned, SESSION_MS / 1000 + SECONDS)
    assert standby.copied() == before
    last = retried(lambda: nodes.move(other, table.game_id, FIRST_SEQUENCE, PLAYERS[0], 5.0))
    assert last > FIRST_SEQUENCE
    until(lambda: nodes.sequence(other, table.game_id) == last)


def by_path(node: Node, path: str) -> float:
    """How many answers came to it this way."""
    return node.registry.get_sample_value("signalbox_gateway_answers_total", {"path": path}) or 0.0


def test_a_standby_whose_way_to_the_owner_is_cut_goes_by_the_log(nodes: Nodes) -> None:
    """Until then it gets the answers of the owner."""
    owner, standby = nodes.open("a"), nodes.open("b")
    settled(nodes.open_ones, {"a", "b"})
    table = new_table(nodes.cluster.gateway, game_in(owner.replica.owned))
    until(lambda: nodes.sequence(standby, table.game_id) == FIRST_SEQUENCE)
    last = nodes.move(standby, table.game_id, FIRST_SEQUENCE, PLAYERS[0])
    assert standby.forwarded("Execute", "answered") == 1
    assert (by_path(standby, "direct"), by_path(standby, "log")) == (0, 0)
    assert by_path(owner, "direct") + by_path(owner, "log") == 1
    owner._server.stop(0)
    last = nodes.move(standby, table.game_id, last, PLAYERS[1])
    nodes.move(standby, table.game_id, last, PLAYERS[0])
    assert standby.forwarded("Execute", "answered") == 1
    assert (by_path(standby, "direct"), by_path(standby, "log")) == (0, 2)
    assert len(nodes.cluster.commits(table.game_id)) == 4


def test_an_owner_that_dies_between_commit_and_answer_leaves_one_answer(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standby sends the same request by the log, and the next owner answers it with what was committed."""
    standby = nodes.open("b")
    with monkeypatch.context() as patched:
        # Its copy may have read the commit, and the answer be sent, before its owner's thread comes back from the commit.
        patched.setenv("SIGNALBOX_CRASH_AT", "gateway.before-answer")
        killed = nodes.spawn("a")
    settled([standby], {"a", "b"})
    theirs = ALL - standby.replica.owned
    table = new_table(nodes.cluster.gateway, game_in(theirs))
    until(lambda: nodes.sequence(standby, table.game_id) == FIRST_SEQUENCE)
    last = nodes.move(standby, table.game_id, FIRST_SEQUENCE, PLAYERS[0])
    assert killed.wait(SECONDS) == -signal.SIGKILL
    assert standby.forwarded("Execute", "unreachable") == 1
    commits = nodes.cluster.commits(table.game_id)
    assert [each.request.request_id for each in commits][1:] == [f"m{FIRST_SEQUENCE}"]
    assert last == commits[-1].first_sequence + len(commits[-1].facts) - 1
    assert nodes.sequence(standby, table.game_id, last) == last


def proven(channel: OwnerChannel, call: Callable[[], object]) -> None:
    """Call until every owner that was reported to the caller may be called: one that did not answer in time is asked again only
    when somebody calls."""

    def are_proven() -> bool:
        call()
        known = channel.owners._replicas.values()
        return bool(known) and all(each.is_proven for each in known)

    until(are_proven, 2 * SECONDS)


def test_callers_who_learn_the_owners_need_no_hop(nodes: Nodes) -> None:
    """After one call about each partition; when the owner is killed, the next call is answered as well."""
    first = nodes.open("a")
    killed = nodes.spawn("b")
    nodes.open("c")
    settled(nodes.open_ones, {"a", "b", "c"})
    channel = owner_channel([first.address], SERVICE_NAME)
    assert isinstance(channel, OwnerChannel)
    stub = RulesStub(channel)
    games = [new_table(nodes.cluster.gateway, game_in({number})).game_id for number in sorted(ALL)]

    def sequence(game_id: str) -> int:
        request = pb.GetGameRequest(game_id=game_id, at_least_sequence=FIRST_SEQUENCE)
        return int(stub.GetGame(request, metadata=nodes.token(), timeout=SECONDS).game.sequence)

    for game in games:
        assert retried(lambda: sequence(game)) == FIRST_SEQUENCE  # noqa: B023
    proven(channel, lambda: [sequence(game) for game in games])
    before = [node.forwarded("GetGame", "answered") for node in nodes.open_ones]
    for game in 3 * games:
        assert sequence(game) == FIRST_SEQUENCE
    for game in games:
        assert nodes.move_over(stub, game, FIRST_SEQUENCE, PLAYERS[0]) > FIRST_SEQUENCE
    assert [node.forwarded("GetGame", "answered") for node in nodes.open_ones] == before
    assert sum(node.forwarded("Execute", "answered") for node in nodes.open_ones) == 0
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    for game in games:
        assert sequence(game) > FIRST_SEQUENCE
    channel.close()


def test_as_long_as_others_cannot_be_asked_everything_is_kept(nodes: Nodes) -> None:
    """While the setting is turned on in one replica after another, each replica has each game."""
    whole = nodes.cluster.open("whole")
    tables = [new_table(nodes.cluster.gateway, game_in({number})) for number in sorted(ALL)]
    opened = [nodes.open(name, BRIEF, copies=1) for name in "abc"]
    for node in opened:
        until(lambda node=node: all(map(node.holdings.is_here, ALL)))  # type: ignore[misc]
        for table in tables:
            assert nodes.sequence(node, table.game_id) == FIRST_SEQUENCE
    whole.stop()
    settled(opened, {"a", "b", "c"})
    until(lambda: all(node.holdings.followed == held(node) != ALL for node in opened))
    for node in opened:
        for table in tables:
            assert retried(lambda: nodes.sequence(node, table.game_id)) == FIRST_SEQUENCE  # noqa: B023
