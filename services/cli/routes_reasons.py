"""Prints why an answer is the best."""

from __future__ import annotations

import typer

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import BoundBy, Explanation, RouteSolution, Run

REASONS: dict[BoundBy, str] = {
    "alone": "the best run of each train by itself, added up",
    "prices": "the same, with prices on what several trains want",
    "routes": "every set of routes that could earn more was tried",
    "beside": "the best run of the train without limit beside every set of the others' routes",
    "flows": "the optimum of a program in which trains without a limit are flows",
}


def show_explanation(problem: RouteProblem, solution: RouteSolution, explanation: Explanation) -> None:
    """Print the explanation of `solution` as lines of text."""
    typer.echo("\nno set of runs is worth more than")
    for step in explanation.bounds:
        typer.echo(f"  {step.bound}: {REASONS[step.by]}")
    typer.echo("\nbest run of each train alone")
    taken = {run.train: run for run in solution.runs}
    for alone in explanation.alone:
        certain = "" if alone.proven else ", not proven"
        line = "no run" if alone.run is None else _line(alone.run)
        same = alone.run is not None and taken.get(alone.train) == alone.run
        typer.echo(f"  {alone.train}: {line}{certain}{', as in the answer' if same else ''}")
    _show_joined(solution)
    second = explanation.second
    if second is not None:
        typer.echo(f"\nsecond best: loses {second.loses}, with another run of {second.train}")
        for run in second.runs:
            typer.echo(f"  {run.train}: {_line(run)}")
    elif problem.family == "separate_track" and explanation.complete:
        typer.echo("\nsecond best: there is no other set of runs")
    if not explanation.complete:
        typer.echo("\nthe search ended before all of this was found")


def _show_joined(solution: RouteSolution) -> None:
    """The longer runs of freight trains: what each is paid for."""
    longer = dict.fromkeys(run.joined_trains for run in solution.runs if run.joined_trains)
    if longer:
        typer.echo("\njoined runs")
    for trains in longer:
        parts = [run for run in solution.runs if run.joined_trains == trains]
        counted = " - ".join(stop for part in parts for stop in part.counted_stops) or "no stop of its own"
        bonus = sum(part.bonus for part in parts)
        distance = f" + {bonus} for distance" if bonus else ""
        typer.echo(f"  {' + '.join(trains)}: {sum(part.revenue for part in parts)} for {counted}{distance}")


def _line(run: Run) -> str:
    income = f" + {run.treasury_income} treasury" if run.treasury_income else ""
    return f"{' - '.join(run.stops)} {run.revenue}{income}"
