"""One replica: what becomes of a command on its way through Kafka and back."""

from __future__ import annotations

from types import SimpleNamespace
from uuid import uuid4

import pytest
from confluent_kafka import KafkaError, KafkaException
from msgspec.structs import replace
from typer.testing import CliRunner

from services.cli.main import app
from services.common.errors import DeadlineExceeded, InvalidRequest, Overloaded, Unavailable
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    COMMANDS,
    EVENTS,
    GAME_STATUSES,
    LEDGER_EVENTS,
    OWNER_DEAD_LETTERS,
    ROUTING_REQUESTS,
)
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.domain.solver import solve
from services.rules.cluster import gateway as gateway_module, staging
from services.rules.cluster.gateway import CommandGateway, GameBlocked
from services.rules.cluster.records import command_sent
from services.rules.cluster.replica import RulesReplica
from services.rules.cluster.routes import best_runs_found
from services.rules.kernel.commands import Command, Pass
from services.rules.parts.trains.commands import RunTrains
from services.rules.requests import (
    CommandAccepted,
    CommandRejected,
    CommandResult,
    Request,
    StaleSequenceError,
)
from services.rules.sessions import UnknownGameError
from services.rules.status import balances_of
from services.rules.titles.g1824.commands import RepayDebt
from tests.rules.cluster.brittle import BREAKS, TOO_MUCH
from tests.rules.cluster.harness import FIRST, SECONDS, ClusterHarness, create, until_read
from tests.rules.tiny import BEST_RUN, PROBLEM
from tests.waiting import until
from tests.watching import watched

pytestmark = pytest.mark.integration


@pytest.fixture
def replica(shared_cluster: ClusterHarness) -> RulesReplica:
    """The replica of this module."""
    return shared_cluster.replicas["a"]


@pytest.fixture
def game(shared_cluster: ClusterHarness, replica: RulesReplica) -> str:
    """A new game, readable on the replica, Ann to move."""
    game_id = create(shared_cluster.gateway)
    until_read(replica, game_id, FIRST)
    return game_id


def ask(
    replica: RulesReplica,
    game_id: str,
    command: Command,
    player: str = "ann",
    expected: int = FIRST,
    request_id: str = "",
) -> CommandResult:
    """One request."""
    return replica.rules.execute(
        Request(game_id, player, request_id or uuid4().hex, expected, command), SECONDS
    )


def refusal(result: CommandResult) -> str:
    """Why it was refused."""
    assert isinstance(result, CommandRejected), result
    return result.rejection.code


def test_an_accepted_command_can_be_read_at_once(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """Its events are there when the answer is, and one commit with its request is in the log."""
    result = ask(replica, game, RepayDebt(3), request_id="pay")
    assert result == CommandAccepted(6, 6)
    assert replica.rules.reader.game_at(game).game.cash["ann"] == 97
    assert [event.request_id for event in replica.rules.reader.events(game, FIRST)] == ["pay"]
    assert [commit.request.request_id for commit in shared_cluster.commits(game)] == ["create", "pay"]


def test_a_refused_command_changes_nothing(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """The reason comes back with its clause."""
    result = ask(replica, game, RepayDebt(101))
    assert isinstance(result, CommandRejected)
    assert (result.rejection.code, result.rejection.clause) == ("not_enough_cash", "tiny/1")
    assert refusal(ask(replica, game, Pass(), player="bob")) == "not_your_turn"
    assert len(shared_cluster.commits(game)) == 1


def test_a_stale_command_gets_the_actual_sequence(replica: RulesReplica, game: str) -> None:
    """And so is who expects a sequence the game has not reached."""
    ask(replica, game, Pass())
    with pytest.raises(StaleSequenceError) as late:
        ask(replica, game, Pass())
    assert late.value.actual == 6


def test_an_unknown_game_raises(shared_cluster: ClusterHarness) -> None:
    """Nobody has set it up."""
    with pytest.raises(UnknownGameError):
        shared_cluster.gateway.execute(Request("nowhere", "ann", "r", 1, Pass()), None, SECONDS)


def test_a_new_game_is_read_where_its_copy_is_behind(
    shared_cluster: ClusterHarness, replica: RulesReplica
) -> None:
    """Before a game counts as unknown the copy is brought up to date; then the answer comes at once."""
    for _ in range(5):
        game_id = create(shared_cluster.gateway)
        assert replica.rules.reader.game_at(game_id).game.sequence == FIRST
    with pytest.raises(UnknownGameError):
        replica.rules.reader.game_at("nowhere")


def test_a_replica_whose_copy_has_died_is_not_ready(cluster: ClusterHarness) -> None:
    """Nobody is sent to it any more."""
    replica = cluster.open("a")
    assert replica.is_ready
    replica._copy.close()
    assert not replica.is_ready


def test_a_repeat_gets_the_first_outcome(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """Also later on and through another gateway; under the same id with other content it is refused."""
    assert ask(replica, game, Pass(), request_id="once") == CommandAccepted(6, 6)
    again = Request(game, "ann", "once", FIRST, Pass())
    assert replica.rules.execute(again, SECONDS) == CommandAccepted(6, 6, repeated=True)
    ask(replica, game, Pass(), "bob", 6)
    assert shared_cluster.gateway.execute(again, None, SECONDS) == CommandAccepted(6, 6, repeated=True)
    assert refusal(ask(replica, game, RepayDebt(1), request_id="once")) == "request_id_reused"
    assert len(shared_cluster.commits(game)) == 3


def test_a_game_is_set_up_once(shared_cluster: ClusterHarness) -> None:
    """The same again is a repeat; refusals come back as from the handlers."""
    game_id = create(shared_cluster.gateway)
    create(shared_cluster.gateway, game_id=game_id)
    assert len(shared_cluster.commits(game_id)) == 1
    command = shared_cluster.gateway
    with pytest.raises(AssertionError):
        create(command, title="1899")


def test_best_runs_come_with_the_command(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """A worse run is refused, the best one carried out; nobody whose turn it is not sets the solver to work."""
    asked = shared_cluster.solver.asked
    refused = ask(replica, game, RunTrains("BK", ()))
    assert refusal(refused) == "route_not_best"
    assert isinstance(refused, CommandRejected) and refused.best_runs == solve(PROBLEM)
    assert isinstance(ask(replica, game, RunTrains("BK", (BEST_RUN,))), CommandAccepted)
    assert shared_cluster.solver.asked == asked + 2
    ask(replica, game, RunTrains("BK", (BEST_RUN,)), player="bob", expected=6)
    assert shared_cluster.solver.asked == asked + 2


def test_without_routing_the_run_is_refused(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """It may be tried again."""
    shared_cluster.solver.silent = True
    try:
        assert refusal(ask(replica, game, RunTrains("BK", (BEST_RUN,)))) == "routing_unavailable"
    finally:
        shared_cluster.solver.silent = False


def test_a_sender_is_not_believed(shared_cluster: ClusterHarness, game: str) -> None:
    """Best runs for another problem, or with wrong figures, count as none."""
    honest = best_runs_found(PROBLEM, solve(PROBLEM))
    other = pb.BestRunsFound(problem_key="0" * 64, solution=honest.solution)
    dear = pb.BestRunsFound(problem_key=honest.problem_key, solution=honest.solution)
    dear.solution.revenue += 10
    run = RunTrains("BK", (BEST_RUN,))
    for forged in (other, dear):
        request = Request(game, "ann", uuid4().hex, FIRST, run)
        assert refusal(shared_cluster.gateway.execute(request, forged, SECONDS)) == "routing_unavailable"
    request = Request(game, "ann", uuid4().hex, FIRST, run)
    assert isinstance(shared_cluster.gateway.execute(request, honest, SECONDS), CommandAccepted)


def test_status_and_question_go_with_the_events(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """In the same transaction, for those who follow."""
    ask(replica, game, RepayDebt(2))
    statuses = [each for _, each in shared_cluster.values(GAME_STATUSES, pb.GameStatus)]
    received = [status for status in statuses if status.game_id == game]
    assert [status.sequence for status in received] == [FIRST, 6]
    found = replica.rules.reader.game_at(game)
    assert found.game.money("ann") == 98
    assert balances_of(found.loaded.data, found.game).agree_with(received[-1].balances_digest)
    assert received[-1].recorded_time_ms == shared_cluster.commits(game)[-1].recorded_time_ms
    wanted = [
        each for _, each in shared_cluster.values(ROUTING_REQUESTS, pb.RoutesWanted) if each.game_id == game
    ]
    assert wanted == []


def test_an_unreadable_command_is_dead_lettered(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """Its partition goes on, the record is blocked, and a sender with a readable address gets the outcome."""
    shared_cluster.send(COMMANDS, game, b"\xff\xff\xff")
    newer = command_sent(Request(game, "ann", "new", FIRST, Pass()), "nobody")
    newer.schema_version = 2
    shared_cluster.send(COMMANDS, game, newer.SerializeToString())
    assert isinstance(ask(replica, game, Pass()), CommandAccepted)
    letters = {
        each.value: each.reason for _, each in shared_cluster.values(OWNER_DEAD_LETTERS, pb.DeadLetter)
    }
    assert letters[b"\xff\xff\xff"].startswith("no CommandSent: ")
    assert letters[newer.SerializeToString()] == "CommandSent: schema_version 2 is not 1"


def test_a_newer_sender_gets_an_error(
    shared_cluster: ClusterHarness, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While versions are mixed."""

    def newer(*sent: object, **named: object) -> pb.CommandSent:
        message = command_sent(*sent, **named)  # type: ignore[arg-type]
        message.schema_version = 2
        return message

    monkeypatch.setattr(gateway_module, "command_sent", newer)
    with pytest.raises(InvalidRequest, match="schema_version 2 is not 1"):
        shared_cluster.gateway.execute(Request(game, "ann", "new", FIRST, Pass()), None, SECONDS)


def test_a_game_whose_rules_break_is_blocked_alone(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """It takes no commands any more, nothing of the broken one is left, and games beside it go on."""
    broken = create(shared_cluster.gateway, "brittle")
    until_read(replica, broken, FIRST)
    for _ in range(2):
        with pytest.raises(GameBlocked, match="ZeroDivisionError: unlucky"):
            ask(replica, broken, RepayDebt(BREAKS))
    with pytest.raises(GameBlocked):
        ask(replica, broken, Pass())
    assert isinstance(ask(replica, game, Pass()), CommandAccepted)
    assert len(shared_cluster.commits(broken)) == 1
    letters = [
        each for _, each in shared_cluster.values(OWNER_DEAD_LETTERS, pb.DeadLetter) if each.game_id == broken
    ]
    assert [each.reason for each in letters] == ["ZeroDivisionError: unlucky"]


def test_an_operator_lets_a_blocked_game_go_on(shared_cluster: ClusterHarness, replica: RulesReplica) -> None:
    """`signalbox dead-letters release` reaches the owner: the game takes commands again, and nothing says any more that it is
    blocked."""
    broken = create(shared_cluster.gateway, "brittle")
    until_read(replica, broken, FIRST)
    with pytest.raises(GameBlocked):
        ask(replica, broken, RepayDebt(BREAKS))
    environment = {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(shared_cluster.kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": shared_cluster.kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(shared_cluster.kafka.partitions),
    }
    released = CliRunner().invoke(app, ["dead-letters", "release", "rules.owner", broken], env=environment)
    assert (released.exit_code, released.stdout.splitlines()[-1]) == (0, f"{broken}: released")
    assert isinstance(ask(replica, broken, Pass()), CommandAccepted)
    again = CliRunner().invoke(app, ["dead-letters", "release", "rules.owner", broken], env=environment)
    assert again.exit_code == 1 and "is not blocked by rules.owner" in again.stderr


def test_a_game_with_an_unreadable_event_is_blocked(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """The log of one game is damaged; the others do not notice."""
    damaged = uuid4().hex
    commit = pb.Commit(
        stream=f"game/{damaged}",
        first_sequence=1,
        facts=[pb.Fact(type="magic", schema_version=1)],
        append_id="x",
    )
    shared_cluster.send(EVENTS, damaged, commit.SerializeToString())
    until(lambda: bool(replica._copy.log.read(f"game/{damaged}")))
    with pytest.raises(GameBlocked, match="no event is called 'magic'"):
        shared_cluster.gateway.execute(Request(damaged, "ann", "r", 1, Pass()), None, SECONDS)
    assert isinstance(ask(replica, game, Pass()), CommandAccepted)


def test_what_no_record_can_hold_is_refused(
    shared_cluster: ClusterHarness, replica: RulesReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a reason; the game stands where it stood and goes on."""
    monkeypatch.setattr(staging, "VALUE_BYTES_MAX", 10_000)
    game_id = create(shared_cluster.gateway, "brittle")
    until_read(replica, game_id, FIRST)
    with pytest.raises(InvalidRequest, match="bytes of events are more than"):
        ask(replica, game_id, RepayDebt(TOO_MUCH))
    assert isinstance(ask(replica, game_id, RepayDebt(1)), CommandAccepted)
    assert len(shared_cluster.commits(game_id)) == 2


def test_a_held_game_waits_for_its_release(
    shared_cluster: ClusterHarness, replica: RulesReplica, game: str
) -> None:
    """The ledger's word is followed, and a wish for a new book is none; a repeat still gets its first outcome."""
    ask(replica, game, Pass(), request_id="before")
    for held, code in ((True, "ledger_hold"), (False, "")):
        change = pb.HoldChanged(schema_version=1, game_id=game, held=held, detail="a coin is missing")
        shared_cluster.send(LEDGER_EVENTS, game, change.SerializeToString())
        assert replica._holds.wait_current(SECONDS)
        wish = pb.HoldChanged(schema_version=1, game_id=game, held=not held, rebuild_asked=True)
        shared_cluster.send(LEDGER_EVENTS, game, wish.SerializeToString())
        assert replica._holds.wait_current(SECONDS)
        result = ask(replica, game, Pass(), "bob", 6)
        assert isinstance(result, CommandRejected if held else CommandAccepted), (code, result)
        assert ask(replica, game, Pass(), request_id="before") == CommandAccepted(6, 6, repeated=True)


def test_watchers_are_rung_from_the_log(replica: RulesReplica, game: str) -> None:
    """A watcher sees what was committed, by any owner."""
    seen = watched(replica.rules.reader, game, FIRST)
    ask(replica, game, Pass(), request_id="one")
    assert next(seen).request_id == "one"


def test_without_an_owner_the_outcome_is_unknown(own_kafka: KafkaSettings) -> None:
    """Never "failed": the command may still be carried out, and the same request may be sent again."""
    gateway = CommandGateway(own_kafka)
    gateway.start()
    try:
        with pytest.raises(DeadlineExceeded, match="same request may be sent again"):
            gateway.execute(Request("g", "ann", "r", 1, Pass()), None, 0.2)
    finally:
        gateway.close()


def test_without_kafka_the_service_is_unavailable(
    own_kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller learns it as soon as it is certain that the command was not taken."""
    monkeypatch.setattr(gateway_module, "DELIVERY_SECONDS", 0.5)
    gateway = CommandGateway(replace(own_kafka, servers=("127.0.0.1:9",)))
    monkeypatch.setattr(
        gateway_module,
        "ends",
        lambda *_: {(f"{own_kafka.topic_prefix}rules.outcomes", n): 0 for n in range(3)},
    )
    gateway.start()
    try:
        with pytest.raises(Unavailable, match="same request may be sent again"):
            gateway.execute(Request("g", "ann", "r", 1, Pass()), None, SECONDS)
    finally:
        gateway.close()


def test_a_producer_that_fails_for_good_costs_one_command(
    shared_cluster: ClusterHarness, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sender may send it again, and it goes through."""
    gateway = CommandGateway(replace(shared_cluster.kafka, instance="troubled"))
    gateway.start()

    def broken(*_: object, **__: object) -> None:
        raise KafkaException(KafkaError(KafkaError._FATAL))

    monkeypatch.setattr(gateway._producer, "_producer", SimpleNamespace(produce=broken, purge=int, flush=int))
    request = Request(game, "ann", "again", FIRST, Pass())
    try:
        with pytest.raises(Unavailable, match="same request may be sent again"):
            gateway.execute(request, None, SECONDS)
        assert gateway.execute(request, None, SECONDS) == CommandAccepted(6, 6)
    finally:
        gateway.close()


def test_too_many_at_once_are_turned_away(own_kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is sent."""
    monkeypatch.setattr(gateway_module, "IN_FLIGHT_MAX", 0)
    with pytest.raises(Overloaded):
        CommandGateway(own_kafka).execute(Request("g", "ann", "r", 1, Pass()))
