"""Running trains and dividing what they earn in 1824 (VII.9, VII.10)."""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import Parameters, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.verify import RunFault
from services.rules.domain import events as e
from services.rules.domain.bestruns import Reckoning, reckoned
from services.rules.domain.boardview import view_of
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Command, DeclareDividend, RunTrains
from services.rules.domain.depot import kind_name
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import shift
from services.rules.domain.rejections import Refused, refuse_if
from services.rules.domain.routes import OneStopPerHex, RunTerms, route_problem, train_of
from services.rules.domain.runs import RunLaw, resolve_runs
from services.rules.domain.shares import PLAIN_PERCENT, percent_held
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.building import decides
from services.rules.titles.g1824.companies import MINORS
from services.rules.titles.g1824.rulings import plays

RUN_TRAINS = "run_trains"
DECLARE_DIVIDEND = "declare_dividend"
PARAMETERS = Parameters(compare_treasury_income=False)
NO_TRACK = ("route_unknown_track", "1824/VII.2-b")
FAULTS = {
    "unknown_train": ("train_not_owned", "1824/VII.9-a"),
    "unknown_stop": NO_TRACK,
    "unknown_segment": NO_TRACK,
    "train_runs_twice": ("route_runs_twice", "1824/VII.9-a"),
    "route_not_connected": NO_TRACK,
    "route_too_short": ("route_too_short", "1824/VII.2-b"),
    "route_repeats_place": ("route_repeats_place", "1824/VII.9-h"),
    "route_track_reused": ("route_track_reused", "1824/VII.2-d"),
    "route_no_token": ("route_no_token", "1824/VII.2-c"),
    "route_mine_needs_goods_train": ("route_mine_train", "1824/VII.3-a"),
    "goods_route_needs_one_mine": ("route_mine_train", "1824/VII.9-d"),
    "route_mine_in_middle": ("route_mine_train", "1824/VII.3-b"),
    "route_offboard_in_middle": ("route_passes_terminal", "1824/VII.2-g"),
    "route_passes_terminal_track": ("route_passes_terminal", "1824/VII.2-g"),
    "route_passes_blocked_city": ("route_passes_blocked_city", "1824/VII.2-i"),
    "route_too_long": ("route_too_long", "1824/VII.9-b"),
    "trains_share_track": ("trains_share_track", "1824/VII.9-j"),
}


def problem_of(game: Game, data: TitleData, company: str) -> RouteProblem:
    """The best-run question of `company` on the map as it stands."""
    trains = tuple((train, kind_name(train)) for train in game.trains.get(company, ()))
    return route_problem(view_of(data, game), company, trains, game.phase, _cities(game), PARAMETERS)


def question(game: Game, data: TitleData, command: Command | None) -> RouteProblem | None:
    """The problem whose proven answer this command needs (VII.10-e), or the choice of runs could show."""
    running = game.round is not None and game.round.step == RUN_TRAINS
    if not running or not (command is None or isinstance(command, RunTrains)):
        return None
    if command is not None and plays(game, "best_run", "free"):
        return None
    return problem_of(game, data, game.actor)


def _cities(game: Game) -> OneStopPerHex:
    return "cities" if plays(game, "one_stop_per_hex", "cities") else "none"


def reckon(game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
    """What the rules make of the best runs known of the company at turn."""
    company = game.actor
    return reckoned(
        problem_of(game, data, company),
        solution,
        lambda told: _resolved(game, data, RunTrains(company, told)),
    )


def _resolved(game: Game, data: TitleData, command: RunTrains) -> tuple[e.Run, ...]:
    """The runs with what they earn, computed here; a run that breaks a rule is refused with its own reason."""
    company = command.company
    for run in command.runs:
        refuse_if(run.train not in game.trains.get(company, ()), "train_not_owned", "1824/VII.9-a", run.train)
    names = [run.train for run in command.runs]
    refuse_if(len(set(names)) != len(names), "route_runs_twice", "1824/VII.9-a")
    trains = tuple(train_of(data, train, kind_name(train)) for train in names)
    view, phase, cities = view_of(data, game), game.phase, _cities(game)
    law = RunLaw(RunTerms(one_stop_per_hex=cities), _reason, NO_TRACK)
    return view.once(
        ("runs", command, phase, cities),
        lambda: resolve_runs(view, company, trains, command.runs, phase, law),
    )


def _reason(fault: RunFault) -> tuple[str, str]:
    return FAULTS[fault.reason]


def _check_run(game: Game, context: Context, player: str, command: RunTrains) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    runs = _resolved(game, context.data, command)
    if plays(game, "best_run", "free"):
        return
    best = context.best_runs
    if best is None:
        raise Refused("routing_unavailable", "1824/VII.10-e", retryable=True)
    revenue = sum(run.revenue for run in runs)
    if revenue < best.revenue:
        possible = reckon(game, context.data, best).revenue
        refuse_if(revenue < possible, "route_not_best", "1824/VII.10-e", f"{revenue} against {possible}")


def _perform_run(draft: Draft, context: Context, player: str, command: RunTrains) -> None:
    runs = _resolved(draft.game, context.data, command)
    revenue = sum(run.revenue for run in runs)
    income = sum(run.treasury_income for run in runs)
    draft.emit(e.TrainsRan(command.company, runs, revenue, income))


def _run_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, RunTrains(game.actor, ()), "runs")


def kinds_of_dividend(data: TitleData, company: str) -> tuple[e.DividendKind, ...]:
    """How this kind of company may divide its revenue (VII.10-f, IV.2-j, IV.3-k)."""
    return ("half",) if data.companies[company].kind in MINORS else ("pay", "withhold")


def _check_dividend(game: Game, context: Context, player: str, command: DeclareDividend) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    allowed = kinds_of_dividend(context.data, command.company)
    refuse_if(command.kind not in allowed, "dividend_kind", "1824/VII.10-f", command.kind)


def _perform_dividend(draft: Draft, context: Context, player: str, command: DeclareDividend) -> None:
    divide(draft, context.data, command.company, command.kind)


def divide(draft: Draft, data: TitleData, company: str, kind: e.DividendKind) -> None:
    """Pay mine income into the treasury, pay or keep the revenue, and move the marker of a major."""
    revenue, income = draft.game.turn.revenue, draft.game.turn.treasury_income
    draft.pay(e.BANK, company, income, "mine_income", company)
    per_share = _pay(draft, data, company, kind, revenue)
    draft.emit(e.DividendDeclared(company, kind, revenue, per_share))
    if data.companies[company].kind in MINORS:
        return
    if kind == "pay" and revenue > 0:
        shift(draft, data, company, data.market.moves.dividend, "dividend")
    else:
        shift(draft, data, company, data.market.moves.no_dividend, "withheld")


def _pay(draft: Draft, data: TitleData, company: str, kind: e.DividendKind, revenue: int) -> int:
    if kind == "withhold":
        draft.pay(e.BANK, company, revenue, "revenue_withheld", company)
        return 0
    if kind == "half":
        owner = draft.game.companies[company].director
        draft.pay(e.BANK, owner, revenue // 2, "dividend", company)
        draft.pay(e.BANK, company, revenue - revenue // 2, "revenue_withheld", company)
        return revenue // 2
    per_share = revenue // PLAIN_PERCENT
    for player in draft.game.players:
        shares = percent_held(draft.game, data, player, company) // PLAIN_PERCENT
        draft.pay(e.BANK, player, per_share * shares, "dividend", company)
    return per_share


def _dividend_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for kind in kinds_of_dividend(context.data, game.actor):
        yield Choice(player, DeclareDividend(game.actor, kind))


RUN_STEP = Step(RUN_TRAINS, {RunTrains: Action(_check_run, _perform_run, _run_candidates)}, decides)
DIVIDEND_STEP = Step(
    DECLARE_DIVIDEND,
    {DeclareDividend: Action(_check_dividend, _perform_dividend, _dividend_candidates)},
    decides,
)
