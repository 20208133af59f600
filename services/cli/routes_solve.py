"""`signalbox routes solve`: the best runs for a problem given as JSON."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import msgspec
import typer
from msgspec.structs import replace
from rich import box
from rich.console import Console
from rich.table import Table

from services.cli.compile_notice import notice_if_compiling
from services.cli.routes_direct import direct_table
from services.cli.routes_options import Address, AsJson, DeadlineMs, ProblemFile, TokenFile
from services.cli.routes_reasons import show_explanation
from services.cli.solving import NoAnswerError, OnBetter, Solved, solve_here, solve_there, with_deadline
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution, Run, maximised_value
from services.routing.domain.solver import ignore_solution, warm_up
from services.routing.domain.validation import validate_problem
from services.routing.json_form import problem_from_json, solution_to_json

UNPROVEN = 1
BAD_PROBLEM = 2
NO_ANSWER = 3
STANDARD_INPUT = "-"
CONTENT_MAX = 64 * 1024 * 1024
LEAST_WIDTH = 100


def register(app: typer.Typer) -> None:
    """Add the command `solve` to `app`."""

    @app.command("solve")
    def solve_command(
        problem: ProblemFile,
        as_json: AsJson = False,
        deadline_ms: DeadlineMs = None,
        address: Address = "",
        token_file: TokenFile = None,
    ) -> None:
        """Find the best runs for a problem (docs/routes-json.md).

        Exit 0: proven; 1: the best found, with a bound; 2: an invalid problem, shown with the path and a reason code; 3: the
        service gave no answer."""
        raise typer.Exit(solve_file(problem, as_json, deadline_ms, address, token_file))


def solve_file(
    source: str,
    as_json: bool = False,
    deadline_ms: int | None = None,
    address: str = "",
    token_file: Path | None = None,
    explain: bool = False,
) -> int:
    """Solve the problem in `source` and print the answer, with its explanation if asked; returns the exit code."""
    try:
        token = token_file.read_text(encoding="ascii").strip() if token_file else ""
    except (OSError, UnicodeError) as error:
        typer.echo(f"{token_file}: cannot be read: {error}", err=True)
        return NO_ANSWER
    try:
        problem = with_deadline(problem_from_json(_content(source)), deadline_ms)
        if explain:
            problem = replace(problem, options=replace(problem.options, explain=True))
        validate_problem(problem)
        solved = _solved(problem, address, token)
    except OSError as error:
        typer.echo(f"{source}: {error.strerror or error}", err=True)
        return BAD_PROBLEM
    except ProblemError as error:
        typer.echo(f"{source}: {error} ({error.reason})", err=True)
        return BAD_PROBLEM
    except NoAnswerError as error:
        typer.echo(f"{source}: no answer: {error}", err=True)
        return NO_ANSWER
    if as_json:
        sys.stdout.write(as_object(solved) + "\n")
    else:
        _show(problem, solved)
        if solved.solution.explanation is not None:
            show_explanation(problem, solved.solution, solved.solution.explanation)
    return 0 if solved.solution.proven else UNPROVEN


def _content(source: str) -> bytes:
    if source == STANDARD_INPUT:
        content = sys.stdin.buffer.read(CONTENT_MAX + 1)
    else:
        with Path(source).open("rb") as file:
            content = file.read(CONTENT_MAX + 1)
    if len(content) > CONTENT_MAX:
        raise ProblemError("$", "too_large", f"more than {CONTENT_MAX} bytes")
    return content


def _solved(problem: RouteProblem, address: str, token: str) -> Solved:
    """The answer; on a terminal the best and the bound so far are shown meanwhile."""
    console = Console(stderr=True)
    watched = console.is_terminal
    if not address:
        with notice_if_compiling():
            warm_up()
    with console.status("searching") if watched else nullcontext() as status:

        def show(better: RouteSolution) -> None:
            if status is not None:
                best = maximised_value(better, problem.parameters.compare_treasury_income)
                status.update(f"best {best}, at most {better.upper_bound}")

        heard: OnBetter | None = show if watched else None
        if address:
            return solve_there(problem, address, heard, token)
        return solve_here(problem, heard or ignore_solution)


def as_object(solved: Solved) -> str:
    """What `--json` prints: the solution and, as the last key, `milliseconds`."""
    fields = msgspec.json.decode(solution_to_json(solved.solution))
    return msgspec.json.encode(fields | {"milliseconds": round(solved.milliseconds, 3)}).decode()


def _show(problem: RouteProblem, solved: Solved) -> None:
    solution = solved.solution
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, LEAST_WIDTH)
    table = direct_table if problem.family == "direct_routes" else _run_table
    console.print(table(problem, solution))
    if solution.order:
        typer.echo(f"to be given in the order {', '.join(solution.order)}: it decides which runs are joined")
    typer.echo(f"{verdict(solution)}, {solution.nodes_explored} nodes, {solved.milliseconds:.1f} ms")


def _run_table(problem: RouteProblem, solution: RouteSolution) -> Table:
    table = Table(title=f"best runs of {problem.company}", box=box.SIMPLE, title_justify="left")
    for heading in ("train", "stops"):
        table.add_column(heading, overflow="fold")
    table.add_column("value", justify="right")
    table.add_column("counted", overflow="fold")
    table.add_column("treasury", justify="right")
    runs = {run.train: run for run in solution.runs}
    for train in problem.trains:
        run = runs.get(train.id)
        if run is None:
            table.add_row(train.id, "no run", "", "", "")
        else:
            counted = _counted(problem, run)
            income = str(run.treasury_income) if run.treasury_income else ""
            table.add_row(_label(run), " - ".join(run.stops), str(run.revenue), counted, income)
    table.add_section()
    income = str(solution.treasury_income) if solution.treasury_income else ""
    table.add_row("total", "", str(solution.revenue), "", income)
    return table


def _label(run: Run) -> str:
    """The train, and the trains of the longer run that it is a part of."""
    return f"{run.train} in {'+'.join(run.joined_trains)}" if run.joined_trains else run.train


def _counted(problem: RouteProblem, run: Run) -> str:
    if problem.family == "one_network":
        return " - ".join(run.counted_stops) + (f" + {run.bonus} for distance" if run.bonus else "")
    mines = {stop.id for stop in problem.stops if stop.kind == "mine"}
    paying = [stop for stop in run.stops if stop not in mines]
    counted = "all" if list(run.counted_stops) == paying else " - ".join(run.counted_stops)
    return counted + (f" + {run.bonus} for {', '.join(run.bonuses) or 'track'}" if run.bonus else "")


def verdict(solution: RouteSolution) -> str:
    """Whether better runs, or more direct routes, may exist, in words."""
    if solution.proven:
        return "proven"
    open_goals = [goal.stop for goal in solution.goals if not goal.proven]
    if open_goals:
        return f"not proven: there may be other routes to {', '.join(open_goals)}"
    return f"not proven: at most {solution.upper_bound}"
