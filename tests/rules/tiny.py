"""The smallest title: players in turn pay into the bank, run a train or pass; the game ends when all cash is gone."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.rules.domain import commands as c, events as e
from services.rules.domain.choice import Choice
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.rejections import Refused, refuse_if
from services.rules.domain.title import Action, Context, Step, Title
from services.rules.domain.titledata import TitleData
from services.rules.ports import RoutingUnavailableError
from services.rules.titles.g1824.title import TITLE as TITLE_1824

CASH = 100
PROBLEM = RouteProblem(
    company="BK",
    stops=(Stop("A1.0", "city", "A1", 30, ("BK",)), Stop("A3.0", "town", "A3", 10)),
    segments=(Segment("way", "A1.0", "A3.0", ("side",), ("A1", "A2", "A3")),),
    trains=(Train("2-0", "normal", 2),),
    token_stops=("A1.0",),
)
BEST_RUN = c.TrainRun("2-0", (c.Hop(("A1", "A2", "A3")),))


class LocalSolver:
    """The solver without a wire; it can be made to fall silent and counts what it is asked."""

    def __init__(self) -> None:
        self.silent = False
        self.asked = 0

    def solve(self, problem: RouteProblem) -> RouteSolution:
        """See `RouteSolver`."""
        self.asked += 1
        if self.silent:
            raise RoutingUnavailableError("silent")
        return solve(problem)


def _set_up(draft: Draft, context: Context, command: c.CreateGame) -> None:
    for player in command.players:
        draft.pay(e.BANK, player, CASH, "starting_cash")
    draft.emit(e.RoundStarted("stock", 1, 1, 1, command.players))
    draft.emit(e.TurnStarted(0))


def _advance(draft: Draft, context: Context) -> None:
    game = draft.game
    if not any(game.money(player) for player in game.players):
        draft.emit(e.GameEnded("bank", tuple(e.Score(player, 0) for player in game.players)))


def _check_pay(game: Game, context: Context, player: str, command: c.RepayDebt) -> None:
    refuse_if(command.amount > game.money(player), "not_enough_cash", "tiny/1")


def _pay(draft: Draft, context: Context, player: str, command: c.RepayDebt) -> None:
    draft.pay(player, e.BANK, command.amount, "correction")


def _payments(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, c.RepayDebt(1), "amount", 1, game.money(player))


def _check_pass(game: Game, context: Context, player: str, command: c.Pass) -> None:
    """Anybody may pass."""


def _pass(draft: Draft, context: Context, player: str, command: c.Pass) -> None:
    current = draft.game.current_round
    draft.emit(e.TurnStarted((current.position + 1) % len(current.order)))


def _passes(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, c.Pass())


def _check_run(game: Game, context: Context, player: str, command: c.RunTrains) -> None:
    if context.best_runs is None:
        raise Refused("routing_unavailable", retryable=True)
    refuse_if(command.runs != (BEST_RUN,), "route_not_best", "tiny/2")


def _run(draft: Draft, context: Context, player: str, command: c.RunTrains) -> None:
    draft.emit(e.TrainsRan(command.company, (), 40, 0))


def _runs(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, c.RunTrains("BK", ()), "runs")


STEP = Step(
    "turn",
    {
        c.RepayDebt: Action(_check_pay, _pay, _payments),
        c.RunTrains: Action(_check_run, _run, _runs),
        c.Pass: Action(_check_pass, _pass, _passes),
    },
    lambda game, context: (game.actor,),
)


def _load_any(options: tuple[str, ...], rulings: object) -> TitleData:
    return TITLE_1824.load((), {})


TINY = Title(
    name="tiny",
    options=(),
    player_counts=range(2, 4),
    rulings=(),
    load=_load_any,
    opening_bank=lambda data, count, rulings: 1000,
    set_up=_set_up,
    advance=_advance,
    step_of=lambda game, context: STEP,
    player_value=lambda game, data, player: game.money(player),
    route_problem=lambda game, data, company: PROBLEM,
    route_question=lambda game, data, command: PROBLEM if isinstance(command, c.RunTrains) else None,
)
