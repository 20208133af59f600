"""The smallest title: players in turn pay into the bank, run a train or pass; the game ends when all cash is gone."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train
from services.routing.domain.solution import RouteSolution
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, CreateGame, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEnded, RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.part import Part
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Action, Context, Step, Title
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import Score
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.part import MAP
from services.rules.parts.market.part import MARKET
from services.rules.parts.shares.part import SHARES
from services.rules.parts.trains.bestruns import BEST_RUNS, BestRuns, Reckoning, proven_runs
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.parts.trains.events import TrainsRan
from services.rules.parts.trains.part import TRAINS
from services.rules.ports import RoutingUnavailableError
from services.rules.titles.g1824.commands import RepayDebt
from services.rules.titles.g1824.title import TITLE as TITLE_1824

CASH = 100
PROBLEM = RouteProblem(
    company="BK",
    stops=(Stop("A1.0", "city", "A1", 30, ("BK",)), Stop("A3.0", "town", "A3", 10)),
    segments=(Segment("way", "A1.0", "A3.0", ("side",), ("A1", "A2", "A3")),),
    trains=(Train("2-0", "normal", 2),),
    token_stops=("A1.0",),
)
BEST_RUN = TrainRun("2-0", (Hop(("A1", "A2", "A3")),))


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
        # Numba takes a second to be imported, and most processes that have this solver solve nothing.
        from services.routing.domain.solver import solve

        return solve(problem)


def _set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    for player in command.players:
        draft.pay(BANK, player, CASH, "starting_cash")
    draft.emit(RoundStarted("stock", 1, 1, 1, command.players))
    draft.emit(TurnStarted(0))


def _advance(draft: Draft, context: Context) -> None:
    game = draft.game
    if not any(game.money(player) for player in game.players):
        draft.emit(GameEnded("bank", tuple(Score(player, 0) for player in game.players)))


def _check_pay(game: Game, context: Context, player: str, command: RepayDebt) -> None:
    reject_if(command.amount > game.money(player), "not_enough_cash", "tiny/1")


def _pay(draft: Draft, context: Context, player: str, command: RepayDebt) -> None:
    draft.pay(player, BANK, command.amount, "correction")


def _payments(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, RepayDebt(1), "amount", 1, game.money(player))


def _check_pass(game: Game, context: Context, player: str, command: Pass) -> None:
    """Anybody may pass."""


def _pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    current = draft.game.current_round
    draft.emit(TurnStarted((current.position + 1) % len(current.order)))


def _passes(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, Pass())


def _check_run(game: Game, context: Context, player: str, command: RunTrains) -> None:
    if proven_runs(context) is None:
        raise Rejected("routing_unavailable", retryable=True)
    reject_if(command.runs != (BEST_RUN,), "route_not_best", "tiny/2")


def _run(draft: Draft, context: Context, player: str, command: RunTrains) -> None:
    draft.emit(TrainsRan(command.company, (), 40, 0))


def _runs(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, RunTrains("BK", ()), "runs")


STEP = Step(
    "turn",
    {
        RepayDebt: Action(_check_pay, _pay, _payments),
        RunTrains: Action(_check_run, _run, _runs),
        Pass: Action(_check_pass, _pass, _passes),
    },
    lambda game, context: (game.actor,),
)


def _problem(game: Game, data: TitleData, company: str) -> RouteProblem:
    return PROBLEM


def _question(game: Game, data: TitleData, command: Command | None) -> RouteProblem | None:
    return PROBLEM if isinstance(command, RunTrains) else None


def _reckon(game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
    return Reckoning(solution.revenue, solution.treasury_income)


def _load_any(options: tuple[str, ...], rulings: object, players: int = 0) -> TitleData:
    return TITLE_1824.load((), {})


OWN = Part("tiny")
TINY = Title(
    name="tiny",
    parts=(SHARES, MARKET, MAP, TRAINS),
    own=OWN,
    options=(),
    player_counts=range(2, 4),
    rulings=(),
    load=_load_any,
    opening_bank=lambda data, count, rulings: 1000,
    set_up=_set_up,
    advance=_advance,
    step_of=lambda game, context: STEP,
    player_value=lambda game, data, player: game.money(player),
    certificate_limit=lambda game, data: 0,
    capabilities={BEST_RUNS: BestRuns(_problem, _question, _reckon)},
)
