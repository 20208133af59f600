"""How `signalbox routes solve` shows an answer for direct routes."""

from __future__ import annotations

from rich import box
from rich.table import Table

from services.routing.domain.direct.answer import Goal
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution


def direct_table(problem: RouteProblem, solution: RouteSolution) -> Table:
    """A row for every direct route by its goal, then what the trains cover."""
    table = Table(title=f"direct routes of {problem.company}", box=box.SIMPLE, title_justify="left")
    for heading in ("goal", "stops"):
        table.add_column(heading, overflow="fold")
    for heading in ("cost", "traffic"):
        table.add_column(heading, justify="right")
    table.add_column("", overflow="fold")
    for goal in solution.goals:
        for number, route in enumerate(goal.routes):
            name, note = ("", "") if number else (goal.stop, _note(goal))
            table.add_row(name, " - ".join(route.stops), str(route.cost), str(route.traffic), note)
        if not goal.routes:
            table.add_row(goal.stop, "", "", "", _note(goal))
    table.add_section()
    for covered in solution.covered:
        table.add_row(covered.train or "beside", "", "", str(covered.traffic), "covered")
    total = f"of {problem.parameters.traffic} covered"
    table.add_row("total", "", "", str(solution.revenue), total)
    return table


def _note(goal: Goal) -> str:
    if goal.proven:
        return ""
    return f"not proven: costs {goal.least_cost} at least, brings {goal.most_traffic} at most"
