"""The least harmful move, which a clock makes for a seat: which one it is, and that it is carried out like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.adapters.directions import direction_message, read_direction
from services.rules.adapters.messages import MalformedMessageError
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import AnswerOffer, Command, Pass
from services.rules.kernel.directing.commands import ActForSeat, Direct, LeastMove, Suspend
from services.rules.kernel.game import Game
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.leastmove import least_harmful
from services.rules.parts.leastharm import least_harm_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.bestruns import BEST_RUNS
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, RunTrains
from services.rules.parts.trains.state import PART, TrainsState
from services.rules.requests import CommandAccepted, Request
from services.rules.titles.g1824.commands import DiscardTrain, ExchangeCompany, RepayDebt
from services.rules.titles.g1824.title import TITLE as G1824
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.title import TITLE as G1862
from services.rules.titles.g1865.title import TITLE as G1865
from tests.rules.conftest import TITLES, Desk
from tests.rules.directing.directors import directed, facts, refusal
from tests.rules.tiny import PROBLEM, STEP, TINY

LEAST = ActForSeat("ann", LeastMove())
TRAIN = BuyTrain("BK", "3-0", 180)
ONE, TWO = SellCertificates("SB", 1), SellCertificates("BK", 2)


def least(cash: int, *offered: tuple[Command, int]) -> Command:
    """The least harmful of these commands with their costs, by who has so much cash."""
    game = Game()
    game.cash = {"ann": cash, "BK": 30}
    found = tuple(Choice("ann", command, cost=cost) for command, cost in offered)
    data = G1824.load((), {}, 3)
    return least_harmful(found, game, data, least_harm_of(G1824)).command


@pytest.mark.parametrize(
    ("cash", "offered", "wanted"),
    [
        (0, [(TRAIN, 180), (Pass(), 0)], Pass()),
        (0, [(AnswerOffer(True), 0), (AnswerOffer(False), 0)], AnswerOffer(False)),
        (
            0,
            [(DeclareDividend("BK", kind), 0) for kind in ("withhold", "half", "pay")],
            DeclareDividend("BK", "pay"),
        ),
        (150, [(TWO, 0), (ONE, 0), (TRAIN, 180)], TRAIN),
        (149, [(TWO, 0), (ONE, 0), (TRAIN, 180)], ONE),
        (149, [(TRAIN, 180)], TRAIN),
        (500, [(BuyTrain("BK", "2-0", 1, "SB"), 1), (TRAIN, 180)], TRAIN),
        (0, [(DiscardTrain("BK", "3-1"), 0), (DiscardTrain("BK", "2-1"), 0)], DiscardTrain("BK", "2-1")),
        (0, [(RepayDebt(1), 0), (TWO, 0), (ONE, 0)], ONE),
        (0, [(ONE, 0), (ExchangeCompany("A", "BK"), 0)], ExchangeCompany("A", "BK")),
    ],
)
def test_which_move_does_least_harm(cash: int, offered: list[tuple[Command, int]], wanted: Command) -> None:
    """To pass, to decline, to pay out; a train that can be paid before shares are sold, else the smallest sale, before a debt is
    repaid coin by coin; the cheapest train is given up."""
    assert least(cash, *offered) == wanted


def test_a_new_train_of_1862_is_one_of_the_bank() -> None:
    """It comes before one of another company, whose director would have to agree; without a warranty."""
    new = [BuyNewTrain("WNR", "B-0", 180, "express", warranties) for warranties in (1, 0)]
    used = BuyTrain("WNR", "A-0", 100, "SVR")
    game = Game()
    game.cash = {"WNR": 500}
    found = (Choice("ann", used, cost=100), Choice("ann", new[0], cost=230), Choice("ann", new[1], cost=180))
    data = G1862.load((), {}, 3)
    assert least_harmful(found, game, data, least_harm_of(G1862)).command == new[1]


def test_a_train_comes_from_the_bank_then_from_who_keeps_another() -> None:
    """What lies in the bank's pool is the bank's too: the cheaper one of both. A company's only train comes last."""
    game = Game()
    game.cash = {"FA": 1000}
    game.parts[PART] = TrainsState(owned={"FMS": ("3-0",), "SFS": ("3-1", "4-0")})
    only, spare = BuyTrain("FA", "3-0", 1, "FMS"), BuyTrain("FA", "3-1", 1, "SFS")
    new, used = BuyTrain("FA", "5-0", 500, BANK), BuyTrain("FA", "3-2", 200, POOL)
    found = [Choice("ann", command, cost=command.price) for command in (only, spare, new, used)]
    data = G1865.load((), {}, 3)
    for wanted in (used, new, spare, only):
        taken = least_harmful(tuple(found), game, data, least_harm_of(G1865))
        assert taken.command == wanted
        found.remove(taken)


def test_who_may_pass_passes(desk: Desk) -> None:
    """The log says who decided it, and a repeat gets the first outcome although the seat is not asked any more."""
    command = Direct(LEAST, "overdue")
    request = Request("g", "house-clock", "c1", desk.game().sequence, command)
    done = desk.rules.execute(request)
    assert isinstance(done, CommandAccepted)
    assert [(each.kind, each.author) for each in desk.game().decisions] == [("act_for_seat", "house-clock")]
    assert desk.game().actor == "bob"
    repeated = desk.rules.execute(request)
    assert isinstance(repeated, CommandAccepted)
    assert (repeated.first, repeated.last, repeated.repeated) == (done.first, done.last, True)


def test_trains_run_for_the_most(without_pass: Desk) -> None:
    """Routing is asked for the best runs; while it does not answer the move can be made later."""
    desk = without_pass
    desk.solver.silent = True
    assert refusal(desk, LEAST) == "routing_unavailable"
    desk.solver.silent = False
    directed(desk, LEAST)
    assert [each.revenue for each in facts(desk) if hasattr(each, "revenue")] == [40]


@pytest.fixture
def without_pass(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A game whose players have to run: Ann is asked."""
    step = replace(STEP, actions={RunTrains: STEP.actions[RunTrains]})
    best_runs = replace(TINY.capabilities[BEST_RUNS], question=lambda *_: PROBLEM)
    title = replace(TINY, step_of=lambda game, context: step, capabilities={BEST_RUNS: best_runs})
    monkeypatch.setitem(TITLES, "tiny", title)
    desk = Desk()
    desk.create()
    return desk


def test_a_seat_without_a_choice_makes_no_move(desk: Desk) -> None:
    """Somebody else is asked, or nobody."""
    assert refusal(desk, ActForSeat("bob", LeastMove())) == "not_your_turn"
    assert refusal(desk, ActForSeat("sue", LeastMove())) == "unknown_seat"
    directed(desk, Suspend())
    assert refusal(desk, LEAST) == "wrong_step"


def test_it_goes_over_the_wire_without_a_command() -> None:
    """Both at once cannot be read."""
    message = direction_message(Direct(LEAST, "overdue"))
    assert message.act_for_seat.least
    assert read_direction(message, 5) == Direct(LEAST, "overdue")
    message.act_for_seat.command.pass_turn.SetInParent()
    with pytest.raises(MalformedMessageError, match="beside a command"):
        read_direction(message, 5)
