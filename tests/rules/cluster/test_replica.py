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
    LEDGER_EVENTS,
    OWNER_PARKED,
    ROUTING_REQUESTS,
    STANDINGS,
)
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.routing.domain.solver import solve
from services.rules.cluster import gateway as gateway_module, staging
from services.rules.cluster.gateway import CommandGateway, GameParked
from services.rules.cluster.records import ReplyAddress, command_sent, read_standing
from services.rules.cluster.replica import RulesReplica
from services.rules.cluster.routes import best_runs_found
from services.rules.domain.commands import Command, Pass, RepayDebt, RunTrains
from services.rules.handlers import CarriedOut, Request, Result, StaleSequenceError, TurnedDown
from services.rules.sessions import UnknownGameError
from tests.rules.cluster.brittle import BREAKS, TOO_MUCH
from tests.rules.cluster.house import SECONDS, House, create, until
from tests.rules.tiny import BEST_RUN, PROBLEM

pytestmark = pytest.mark.integration
FIRST = 5
"""Where a new game stands."""


@pytest.fixture
def replica(shared_house: House) -> RulesReplica:
    """The replica of this module."""
    return shared_house.replicas["a"]


@pytest.fixture
def game(shared_house: House, replica: RulesReplica) -> str:
    """A new game, readable on the replica, Ann to move."""
    game_id = create(shared_house.gateway)
    assert replica.rules.reader.reach(game_id, FIRST, SECONDS)
    return game_id


def ask(
    replica: RulesReplica,
    game_id: str,
    command: Command,
    player: str = "ann",
    expected: int = FIRST,
    request_id: str = "",
) -> Result:
    """One request."""
    return replica.rules.execute(
        Request(game_id, player, request_id or uuid4().hex, expected, command), SECONDS
    )


def refusal(result: Result) -> str:
    """Why it was refused."""
    assert isinstance(result, TurnedDown), result
    return result.rejection.code


def test_an_accepted_command_can_be_read_at_once(
    shared_house: House, replica: RulesReplica, game: str
) -> None:
    """Its events are there when the answer is, and one commit with its request is in the log."""
    result = ask(replica, game, RepayDebt(3), request_id="pay")
    assert result == CarriedOut(6, 6)
    assert replica.rules.reader.standing(game).game.cash["ann"] == 97
    assert [event.request_id for event in replica.rules.reader.events(game, FIRST)] == ["pay"]
    assert [commit.request.request_id for commit in shared_house.commits(game)] == ["create", "pay"]


def test_a_refused_command_changes_nothing(shared_house: House, replica: RulesReplica, game: str) -> None:
    """The reason comes back with its clause."""
    result = ask(replica, game, RepayDebt(101))
    assert isinstance(result, TurnedDown)
    assert (result.rejection.code, result.rejection.clause) == ("not_enough_cash", "tiny/1")
    assert refusal(ask(replica, game, Pass(), player="bob")) == "not_your_turn"
    assert len(shared_house.commits(game)) == 1


def test_who_comes_too_late_is_told_where_the_game_stands(replica: RulesReplica, game: str) -> None:
    """And so is who expects a sequence the game has not reached."""
    ask(replica, game, Pass())
    with pytest.raises(StaleSequenceError) as late:
        ask(replica, game, Pass())
    assert late.value.actual == 6


def test_an_unknown_game_is_told(shared_house: House) -> None:
    """Nobody has set it up."""
    with pytest.raises(UnknownGameError):
        shared_house.gateway.execute(Request("nowhere", "ann", "r", 1, Pass()), None, SECONDS)


def test_a_new_game_is_read_where_its_copy_is_behind(shared_house: House, replica: RulesReplica) -> None:
    """Before a game counts as unknown the copy is brought up to date; then it is told at once."""
    for _ in range(5):
        game_id = create(shared_house.gateway)
        assert replica.rules.reader.standing(game_id).game.sequence == FIRST
    with pytest.raises(UnknownGameError):
        replica.rules.reader.standing("nowhere")
    assert not replica.rules.reader.reach("nowhere", 1, SECONDS)


def test_a_replica_whose_copy_has_died_is_not_ready(house: House) -> None:
    """Nobody is sent to it any more."""
    replica = house.open("a")
    assert replica.is_ready
    replica._copy.close()
    assert not replica.is_ready


def test_a_repeat_gets_the_first_outcome(shared_house: House, replica: RulesReplica, game: str) -> None:
    """Also later on and through another gateway; under the same id with other content it is refused."""
    assert ask(replica, game, Pass(), request_id="once") == CarriedOut(6, 6)
    again = Request(game, "ann", "once", FIRST, Pass())
    assert replica.rules.execute(again, SECONDS) == CarriedOut(6, 6, repeated=True)
    ask(replica, game, Pass(), "bob", 6)
    assert shared_house.gateway.execute(again, None, SECONDS) == CarriedOut(6, 6, repeated=True)
    assert refusal(ask(replica, game, RepayDebt(1), request_id="once")) == "request_id_reused"
    assert len(shared_house.commits(game)) == 3


def test_a_game_is_set_up_once(shared_house: House) -> None:
    """The same again is a repeat; refusals come back as from the handlers."""
    game_id = create(shared_house.gateway)
    create(shared_house.gateway, game_id=game_id)
    assert len(shared_house.commits(game_id)) == 1
    command = shared_house.gateway
    with pytest.raises(AssertionError):
        create(command, title="1899")


def test_best_runs_come_with_the_command(shared_house: House, replica: RulesReplica, game: str) -> None:
    """A worse run is refused, the best one carried out; nobody whose turn it is not sets the solver to work."""
    asked = shared_house.solver.asked
    refused = ask(replica, game, RunTrains("BK", ()))
    assert refusal(refused) == "route_not_best"
    assert isinstance(refused, TurnedDown) and refused.best_runs == solve(PROBLEM)
    assert isinstance(ask(replica, game, RunTrains("BK", (BEST_RUN,))), CarriedOut)
    assert shared_house.solver.asked == asked + 2
    ask(replica, game, RunTrains("BK", (BEST_RUN,)), player="bob", expected=6)
    assert shared_house.solver.asked == asked + 2


def test_without_routing_the_run_is_refused(shared_house: House, replica: RulesReplica, game: str) -> None:
    """It may be tried again."""
    shared_house.solver.silent = True
    try:
        assert refusal(ask(replica, game, RunTrains("BK", (BEST_RUN,)))) == "routing_unavailable"
    finally:
        shared_house.solver.silent = False


def test_a_sender_is_not_believed(shared_house: House, game: str) -> None:
    """Best runs for another problem, or with wrong figures, count as none."""
    honest = best_runs_found(PROBLEM, solve(PROBLEM))
    other = pb.BestRunsFound(problem_key="0" * 64, solution=honest.solution)
    dear = pb.BestRunsFound(problem_key=honest.problem_key, solution=honest.solution)
    dear.solution.revenue += 10
    run = RunTrains("BK", (BEST_RUN,))
    for forged in (other, dear):
        request = Request(game, "ann", uuid4().hex, FIRST, run)
        assert refusal(shared_house.gateway.execute(request, forged, SECONDS)) == "routing_unavailable"
    request = Request(game, "ann", uuid4().hex, FIRST, run)
    assert isinstance(shared_house.gateway.execute(request, honest, SECONDS), CarriedOut)


def test_standing_and_question_go_with_the_events(
    shared_house: House, replica: RulesReplica, game: str
) -> None:
    """In the same transaction, for those who follow."""
    ask(replica, game, RepayDebt(2))
    standings = [
        read_standing(each.SerializeToString()) for _, each in shared_house.values(STANDINGS, pb.Standing)
    ]
    told = [standing for game_id, standing in standings if game_id == game]
    assert [standing.sequence for standing in told] == [FIRST, 6]
    assert told[-1].cash["ann"] == 98
    assert told[-1].recorded_time_ms == shared_house.commits(game)[-1].recorded_time_ms
    wanted = [
        each for _, each in shared_house.values(ROUTING_REQUESTS, pb.RoutesWanted) if each.game_id == game
    ]
    assert wanted == []


def test_an_unreadable_command_is_put_aside(shared_house: House, replica: RulesReplica, game: str) -> None:
    """Its partition goes on, the record is parked, and who waits under a readable address is told."""
    shared_house.send(COMMANDS, game, b"\xff\xff\xff")
    newer = command_sent(Request(game, "ann", "new", FIRST, Pass()), ReplyAddress(0, "nobody"), 0)
    newer.schema_version = 2
    shared_house.send(COMMANDS, game, newer.SerializeToString())
    assert isinstance(ask(replica, game, Pass()), CarriedOut)
    parked = {each.value: each.reason for _, each in shared_house.values(OWNER_PARKED, pb.Parked)}
    assert parked[b"\xff\xff\xff"].startswith("no CommandSent: ")
    assert parked[newer.SerializeToString()] == "CommandSent: schema_version 2 is not 1"


def test_a_newer_sender_is_told_that_it_is_not_understood(
    shared_house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While versions are mixed."""

    def newer(*sent: object, **named: object) -> pb.CommandSent:
        message = command_sent(*sent, **named)  # type: ignore[arg-type]
        message.schema_version = 2
        return message

    monkeypatch.setattr(gateway_module, "command_sent", newer)
    with pytest.raises(InvalidRequest, match="schema_version 2 is not 1"):
        shared_house.gateway.execute(Request(game, "ann", "new", FIRST, Pass()), None, SECONDS)


def test_a_game_whose_rules_break_is_parked_alone(
    shared_house: House, replica: RulesReplica, game: str
) -> None:
    """It takes no commands any more, nothing of the broken one is left, and games beside it go on."""
    broken = create(shared_house.gateway, "brittle")
    replica.rules.reader.reach(broken, FIRST, SECONDS)
    for _ in range(2):
        with pytest.raises(GameParked, match="ZeroDivisionError: unlucky"):
            ask(replica, broken, RepayDebt(BREAKS))
    with pytest.raises(GameParked):
        ask(replica, broken, Pass())
    assert isinstance(ask(replica, game, Pass()), CarriedOut)
    assert len(shared_house.commits(broken)) == 1
    parked = [each for _, each in shared_house.values(OWNER_PARKED, pb.Parked) if each.game_id == broken]
    assert [each.reason for each in parked] == ["ZeroDivisionError: unlucky"]


def test_an_operator_lets_a_parked_game_go_on(shared_house: House, replica: RulesReplica) -> None:
    """`signalbox parked release` reaches the owner: the game takes commands again, and nothing says any more that it is
    parked."""
    broken = create(shared_house.gateway, "brittle")
    replica.rules.reader.reach(broken, FIRST, SECONDS)
    with pytest.raises(GameParked):
        ask(replica, broken, RepayDebt(BREAKS))
    environment = {
        "SIGNALBOX_KAFKA_SERVERS": ",".join(shared_house.kafka.servers),
        "SIGNALBOX_KAFKA_TOPIC_PREFIX": shared_house.kafka.topic_prefix,
        "SIGNALBOX_KAFKA_PARTITIONS": str(shared_house.kafka.partitions),
    }
    released = CliRunner().invoke(app, ["parked", "release", "rules.owner", broken], env=environment)
    assert (released.exit_code, released.stdout.splitlines()[-1]) == (0, f"{broken}: goes on")
    assert isinstance(ask(replica, broken, Pass()), CarriedOut)
    again = CliRunner().invoke(app, ["parked", "release", "rules.owner", broken], env=environment)
    assert again.exit_code == 1 and "is not parked by rules.owner" in again.stderr


def test_a_game_with_an_unreadable_event_is_parked(
    shared_house: House, replica: RulesReplica, game: str
) -> None:
    """The log of one game is damaged; the others do not notice."""
    damaged = uuid4().hex
    commit = pb.Commit(
        stream=f"game/{damaged}",
        first_sequence=1,
        facts=[pb.Fact(type="magic", schema_version=1)],
        append_id="x",
    )
    shared_house.send(EVENTS, damaged, commit.SerializeToString())
    until(lambda: bool(replica._copy.log.read(f"game/{damaged}")))
    with pytest.raises(GameParked, match="no event is called 'magic'"):
        shared_house.gateway.execute(Request(damaged, "ann", "r", 1, Pass()), None, SECONDS)
    assert isinstance(ask(replica, game, Pass()), CarriedOut)


def test_what_no_record_can_hold_is_refused(
    shared_house: House, replica: RulesReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a reason; the game stands where it stood and goes on."""
    monkeypatch.setattr(staging, "VALUE_BYTES_MAX", 10_000)
    game_id = create(shared_house.gateway, "brittle")
    replica.rules.reader.reach(game_id, FIRST, SECONDS)
    with pytest.raises(InvalidRequest, match="bytes of events are more than"):
        ask(replica, game_id, RepayDebt(TOO_MUCH))
    assert isinstance(ask(replica, game_id, RepayDebt(1)), CarriedOut)
    assert len(shared_house.commits(game_id)) == 2


def test_a_held_game_waits_for_its_release(shared_house: House, replica: RulesReplica, game: str) -> None:
    """The ledger's word is followed; a repeat still gets its first outcome."""
    ask(replica, game, Pass(), request_id="before")
    for held, code in ((True, "ledger_hold"), (False, "")):
        change = pb.HoldChanged(schema_version=1, game_id=game, held=held, detail="a coin is missing")
        shared_house.send(LEDGER_EVENTS, game, change.SerializeToString())
        assert replica._holds.wait_current(SECONDS)
        result = ask(replica, game, Pass(), "bob", 6)
        assert isinstance(result, TurnedDown if held else CarriedOut), (code, result)
        assert ask(replica, game, Pass(), request_id="before") == CarriedOut(6, 6, repeated=True)


def test_watchers_are_rung_from_the_log(replica: RulesReplica, game: str) -> None:
    """A watcher sees what was committed, whoever committed it."""
    seen = replica.rules.reader.watch(game, FIRST, lambda: True)
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
    shared_house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sender may send it again, and it goes through."""
    gateway = CommandGateway(replace(shared_house.kafka, instance="troubled"))
    gateway.start()

    def broken(*_: object, **__: object) -> None:
        raise KafkaException(KafkaError(KafkaError._FATAL))

    monkeypatch.setattr(gateway._producer, "_producer", SimpleNamespace(produce=broken, purge=int, flush=int))
    request = Request(game, "ann", "again", FIRST, Pass())
    try:
        with pytest.raises(Unavailable, match="same request may be sent again"):
            gateway.execute(request, None, SECONDS)
        assert gateway.execute(request, None, SECONDS) == CarriedOut(6, 6)
    finally:
        gateway.close()


def test_too_many_at_once_are_turned_away(own_kafka: KafkaSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is sent."""
    monkeypatch.setattr(gateway_module, "IN_FLIGHT_MAX", 0)
    with pytest.raises(Overloaded):
        CommandGateway(own_kafka).execute(Request("g", "ann", "r", 1, Pass()))
