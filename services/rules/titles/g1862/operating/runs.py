"""Running a company's trains in 1862 (7.3, 7.8), and the steps in which its trains run and their earnings are divided."""

from __future__ import annotations

from services.routing.domain.solution import RouteSolution, Run as SolvedRun
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected, reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.boardview import view_of
from services.rules.parts.trains.bestruns import Reckoning, proven_runs, reckoned
from services.rules.parts.trains.commands import RunTrains, TrainRun
from services.rules.parts.trains.running import run_step
from services.rules.parts.trains.runs import as_run, judged_runs
from services.rules.parts.trains.state import Run, phase_of, train_turn, trains_of
from services.rules.titles.g1862.companies import decider, in_receivership
from services.rules.titles.g1862.finalrounds import repeat_runs
from services.rules.titles.g1862.operating.counting import count_in_turn, in_direction
from services.rules.titles.g1862.operating.dividends import DIVIDE as DIVIDE
from services.rules.titles.g1862.operating.routes import (
    law_of,
    must_run_best,
    problem_of as problem_of,
    train_of,
)
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.trains.depots import runnable_trains


def demands_best(game: Game) -> bool:
    """Whether the company at turn must run for the most (1862/7.3-c)."""
    return must_run_best(game, game.actor)


def reckon(game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
    """What the rules make of the best runs known of the company at turn, where all trains count the most.

    By the ruling that counts train by train they may bring less; that is no disagreement with routing."""

    def judged(proposed: tuple[TrainRun, ...]) -> tuple[Run, ...]:
        return tuple(as_run(run) for run in _judged(game, data, RunTrains(game.actor, proposed)))

    return reckoned(problem_of(game, data, game.actor), solution, judged)


def _judged(game: Game, data: TitleData, command: RunTrains) -> tuple[SolvedRun, ...]:
    """The runs with the most that they earn together; a run that breaks a rule is refused with its own reason."""
    symbol, names = command.company, [run.train for run in command.runs]
    owned, licensed = trains_of(game).owned.get(symbol, ()), runnable_trains(game, symbol)
    for name in names:
        reject_if(name not in owned, "train_not_owned", "1862/7.8.4-a", name)
        reject_if(name not in licensed, "1862.licence_missing", "1862/7.8.4-a", name)
    reject_if(len(set(names)) != len(names), "route_runs_twice", "1862/7.8-a")
    trains = tuple(train_of(game, data, train) for train in names)
    view, law = view_of(data, game), law_of(game, data, symbol)
    return view.once(
        ("runs", command, phase_of(game), trains, law.terms),
        lambda: judged_runs(view, symbol, trains, command.runs, phase_of(game), law),
    )


def _resolved(game: Game, data: TitleData, command: RunTrains) -> tuple[Run, ...]:
    """The runs with what they earn at this table; a run that breaks a rule is refused with its own reason."""
    judged = _judged(game, data, command)
    if not plays(game, "counting_of_stops", "train_by_train"):
        return tuple(as_run(run, names_counted=True) for run in judged)
    return view_of(data, game).once(
        ("runs in turn", command, phase_of(game), judged),
        lambda: _counted_in_turn(game, data, command, judged),
    )


def _counted_in_turn(
    game: Game, data: TitleData, command: RunTrains, judged: tuple[SolvedRun, ...]
) -> tuple[Run, ...]:
    """The runs with what they bring where stops are counted train by train, in the order and direction given."""
    proposed = [
        in_direction(as_run(run), each.hops[0].hexes[0])
        for run, each in zip(judged, command.runs, strict=True)
    ]
    return tuple(each.run for each in count_in_turn(game, data, proposed, judged))


def _check_best(game: Game, context: Context, command: RunTrains, runs: tuple[Run, ...]) -> None:
    if not must_run_best(game, command.company):
        return
    best = proven_runs(context)
    if best is None:
        raise Rejected("routing_unavailable", "1862/7.3-c", retryable=True)
    earned = sum(run.revenue + run.treasury_income for run in runs)
    found = best.revenue + best.treasury_income
    if earned < found:
        possible = _brought(game, context.data, best)
        reject_if(earned < possible, "route_not_best", "1862/7.3-c", f"{earned} against {possible}")


def _brought(game: Game, data: TitleData, best: RouteSolution) -> int:
    """What the best runs known bring at this table, subsidies included; nothing where the rules refuse them."""
    brought = reckoned(
        problem_of(game, data, game.actor),
        best,
        lambda proposed: _resolved(game, data, RunTrains(game.actor, proposed)),
    )
    return brought.revenue + brought.treasury_income


def _players(game: Game, context: Context) -> tuple[str, ...]:
    """Who decides for the company; where nobody holds a share of it, the holder of the priority card (1862/8.0-b)."""
    return (decider(game, context.data, game.actor) or game.priority,)


def _is_waiting(game: Game, context: Context) -> bool:
    """Whether there are trains to run and somewhere to go; else the company automatically earns nothing (1862/7.8-d)."""
    symbol = game.actor
    if train_turn(game).ran or not runnable_trains(game, symbol) or _rests_after_merger(game, symbol):
        return False
    return view_of(context.data, game).route_exists(symbol) or _is_asked_in_vain(game, symbol)


def _rests_after_merger(game: Game, symbol: str) -> bool:
    """Whether the merger of this turn left the company without a director and, by one ruling, it does not run for that."""
    merged = "merged" in game.turn.actions and in_receivership(game, symbol)
    return merged and plays(game, "run_after_merger", "not_in_receivership")


def _is_asked_in_vain(game: Game, symbol: str) -> bool:
    """By one ruling a company that ran before is asked for its runs, though a new start may have left it without a route."""
    return plays(game, "idle_turns", "asked") and bool(trains_of(game).last_runs.get(symbol))


RUN = run_step(_players, _resolved, _is_waiting, _check_best, repeat_runs)
