"""Commands through the handlers: idempotent, checked for sequence, all or nothing, told to followers."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from services.rules.domain.commands import CreateGame, Pass, RepayDebt, RunTrains, Undo
from services.rules.domain.decide import Accepted
from services.rules.domain.events import CashMoved
from services.rules.domain.evolve import evolve
from services.rules.handlers import CarriedOut, Request, StaleSequenceError, TurnedDown
from services.rules.sessions import UnknownGameError
from tests.rules.conftest import Desk
from tests.rules.tiny import BEST_RUN


def code(result: object) -> str:
    """Reason code of a refusal."""
    assert isinstance(result, TurnedDown), result
    return result.rejection.code


def test_creating_the_same_game_again_is_a_repeat(desk: Desk) -> None:
    """The lobby may ask twice; another game under the same id is refused."""
    again = desk.create()
    assert isinstance(again, CarriedOut)
    assert (again.first, again.last, again.repeated) == (1, 5, True)
    other = desk.rules.create("g", CreateGame("tiny", ("ann", "cy")))
    assert code(other) == "request_id_reused"


def test_a_game_of_no_title_or_a_wrong_table_is_refused(desk: Desk) -> None:
    """What the title does not know is named before anything is written."""
    assert code(desk.rules.create("h", CreateGame("1899", ("ann", "bob")))) == "unknown_title"
    assert code(desk.rules.create("h", CreateGame("tiny", ("ann",)))) == "player_count"
    assert code(desk.rules.create("h", CreateGame("tiny", ("ann", "bob"), ("fog",)))) == "unknown_option"
    with pytest.raises(UnknownGameError):
        desk.game("h")


def test_a_repeated_request_gives_its_first_outcome(desk: Desk) -> None:
    """Even after the game went on, and after a restart; nothing is applied twice."""
    first = desk.ask("ann", RepayDebt(10), "r1", expected=5)
    desk.do("ann", Pass())
    desk.reopen()
    again = desk.ask("ann", RepayDebt(10), "r1", expected=5)
    assert isinstance(first, CarriedOut)
    assert again == CarriedOut(first.first, first.last, repeated=True)
    assert desk.game().money("ann") == 90


@pytest.mark.parametrize(
    ("player", "expected", "command"),
    [("ann", 5, RepayDebt(11)), ("bob", 5, RepayDebt(10)), ("ann", 6, RepayDebt(10)), ("ann", 5, Pass())],
)
def test_a_request_id_with_other_content_is_refused(
    desk: Desk, player: str, expected: int, command: RepayDebt | Pass
) -> None:
    """Another amount, player, sequence or command under a used id changes nothing."""
    desk.ask("ann", RepayDebt(10), "r1", expected=5)
    assert code(desk.ask(player, command, "r1", expected=expected)) == "request_id_reused"
    assert desk.game().money("ann") == 90


def test_a_refused_request_may_be_sent_again(desk: Desk) -> None:
    """A refusal is not remembered: the same id may be accepted later."""
    assert code(desk.ask("bob", Pass(), "r1")) == "not_your_turn"
    desk.do("ann", Pass())
    assert isinstance(desk.ask("bob", Pass(), "r1"), CarriedOut)


def test_a_stale_sequence_is_told_with_the_actual_one(desk: Desk) -> None:
    """Too old and too new both fail and change nothing."""
    for expected in (4, 6):
        with pytest.raises(StaleSequenceError) as stale:
            desk.ask("ann", Pass(), f"r{expected}", expected=expected)
        assert stale.value.actual == 5
    assert desk.game().sequence == 5


def test_strangers_and_waiting_players_may_not_move(desk: Desk) -> None:
    """Who does not sit at the table, and whose turn it is not, are told apart."""
    assert code(desk.refusal("eve", Pass())) == "not_a_player"
    assert code(desk.refusal("bob", Pass())) == "not_your_turn"


def test_a_held_game_takes_no_command_until_released(desk: Desk) -> None:
    """The ledger's hold refuses everything, also undo, and keeps repeats answering."""
    desk.ask("ann", RepayDebt(10), "r1", expected=5)
    desk.rules.hold("g", "difference")
    assert code(desk.refusal("ann", Pass())) == "ledger_hold"
    assert code(desk.refusal("ann", Undo(5))) == "ledger_hold"
    assert isinstance(desk.ask("ann", RepayDebt(10), "r1", expected=5), CarriedOut)
    desk.rules.release("g")
    desk.do("ann", Pass())


def test_an_unknown_game_is_named(desk: Desk) -> None:
    """A command for no game raises and names the id."""
    with pytest.raises(UnknownGameError, match="nowhere"):
        desk.rules.execute(Request("nowhere", "ann", "r", 1, Pass()))


def test_the_better_run_is_shown_and_the_best_accepted(desk: Desk) -> None:
    """A run that earns less is refused with the runs that earn more."""
    refused = desk.refusal("ann", RunTrains("BK", ()))
    assert refused.rejection.code == "route_not_best"
    assert refused.best_runs is not None
    assert (refused.best_runs.revenue, refused.best_runs.runs[0].stops) == (40, ("A1.0", "A3.0"))
    desk.do("ann", RunTrains("BK", (BEST_RUN,)))


def test_silent_routing_refuses_runs_only(desk: Desk) -> None:
    """Without routing a run can be tried again later; everything else goes on."""
    desk.solver.silent = True
    refused = desk.refusal("ann", RunTrains("BK", (BEST_RUN,)))
    assert (refused.rejection.code, refused.rejection.retryable) == ("routing_unavailable", True)
    desk.do("ann", RepayDebt(1))
    desk.solver.silent = False
    desk.do("ann", RunTrains("BK", (BEST_RUN,)))


def test_only_who_may_act_sets_the_solver_to_work(desk: Desk) -> None:
    """Neither strangers nor waiting players can cost the routing service time."""
    for player in ("bob", "eve"):
        desk.refusal(player, RunTrains("BK", (BEST_RUN,)))
    assert desk.solver.asked == 0


def test_followers_hear_every_event_with_balances_before_the_caller(desk: Desk) -> None:
    """Events come whole, in order and with the request they belong to."""
    desk.ask("ann", RepayDebt(10), "r1")
    events = desk.follower.events
    assert [event.sequence for event in events] == list(range(1, 7))
    assert [event.request_id for event in events] == ["create"] * 5 + ["r1"]
    assert events[-1].WhichOneof("body") == "cash_moved"
    latest = desk.follower.balances[-1]
    assert (latest.sequence, latest.cash["ann"], latest.cash["bank"]) == (6, 90, 810)


def test_a_failing_follower_stops_nobody_and_is_reported(desk: Desk) -> None:
    """What is committed stays committed; the alarm names the game and the sequence."""
    desk.follower.broken = True
    assert desk.do("ann", RepayDebt(1)) == 6
    assert desk.alarm.failures == [("g", 6)]


def test_of_two_with_the_same_expectation_one_wins(desk: Desk) -> None:
    """Eight racing requests from one sequence: one is carried out, seven are stale."""
    won: list[object] = []
    lost: list[StaleSequenceError] = []
    start = Barrier(8)

    def race(number: int) -> None:
        start.wait()
        try:
            won.append(desk.ask("ann", RepayDebt(1 + number), f"race-{number}", expected=5))
        except StaleSequenceError as stale:
            lost.append(stale)

    racers = [Thread(target=race, args=(number,)) for number in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert (len(won), len(lost)) == (1, 7)
    assert desk.game().sequence == 6


def test_another_writer_of_the_log_is_noticed_and_followed(desk: Desk) -> None:
    """A second service on the same log makes the first one stale once; then it has read what happened."""
    assert desk.game().sequence == 5
    other = Desk()
    other.log, other.snapshots = desk.log, desk.snapshots
    other.reopen()
    other.do("ann", RepayDebt(7))
    with pytest.raises(StaleSequenceError) as stale:
        desk.ask("ann", Pass(), "late")
    assert stale.value.actual == 6
    assert desk.game().money("ann") == 93
    desk.do("ann", Pass())


def test_what_a_trusted_tool_decided_is_recorded_once(desk: Desk) -> None:
    """Importers append their own decision over the latest state, with the same idempotency."""
    fact = CashMoved("ann", "bank", 5, "correction")
    decided = Accepted((fact,), evolve(desk.game(), fact))
    request = Request("g", "ann", "import-1", 5, Pass())
    assert desk.rules.record(request, decided) == CarriedOut(6, 6)
    assert desk.rules.record(request, decided) == CarriedOut(6, 6, repeated=True)
    assert desk.game().money("ann") == 95
