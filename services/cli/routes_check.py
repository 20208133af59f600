"""`signalbox routes check`: compares our best runs with those of a recorded game."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from services.cli.compile_notice import notice_if_compiling
from services.cli.solving import NoAnswerError, solve_here, with_deadline
from services.common.process.garbage import without_collections
from services.routing.domain.problem import Parameters
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import ignore_solution, warm_up
from services.rules.importer.dialect import title_named
from services.rules.importer.files import read_record
from services.rules.importer.record import NotAGameError, Record
from services.rules.importer.replay import RecordedRun, Replay, play
from services.rules.kernel.game import Game, Round
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import presentation_of
from services.rules.parts.trains.bestruns import problem_for
from services.rules.parts.trains.state import trains_of
from services.rules.titles import TITLES

NOT_GOOD = 1
NO_GAME = 2
HEADINGS = ("action", "round", "company", "trains", "taken", "best", "", "nodes", "build ms", "solve ms")
WIDTHS = (6, 7, 7, 26, 9, 9, 16, 9, 9, 9)
LEFT = (1, 2, 3, 6)
TIMES = {
    "milliseconds": "building and solving",
    "build_milliseconds": "building alone",
    "core_milliseconds": "time of one core for both",
}


class CheckedRun(Struct, frozen=True):
    """One run: what people took, what their routes earn, and the best. Money in whole units, times in milliseconds:
    `core_ms` is what building and solving took of a core, however busy the machine is with other things.

    `shown` are the trains as people call them. `taken` and `taken_treasury_income` are what the recorded routes earn here;
    `recorded` and `recorded_treasury_income` what the file booked for them."""

    action: int
    id: int
    round: str
    company: str
    trains: tuple[str, ...]
    shown: tuple[str, ...]
    recorded: int
    recorded_treasury_income: int
    taken: int
    taken_treasury_income: int
    best: int
    best_treasury_income: int
    upper_bound: int
    proven: bool
    comparison: str
    nodes: int
    build_ms: float
    solve_ms: float
    core_ms: float

    @property
    def misrecorded(self) -> bool:
        """Whether the file booked something else than its routes earn."""
        earned = (self.taken, self.taken_treasury_income)
        return (self.recorded, self.recorded_treasury_income) != earned


def register(app: typer.Typer, titles: Mapping[str, Title] = TITLES) -> None:
    """Add the command `check` to `app`; it knows the titles given, by name."""

    @app.command("check")
    def check_command(
        file: Annotated[
            Path, typer.Argument(metavar="GAMEFILE", help="A game in 18xx.games' JSON format, plain or .gz.")
        ],
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
        deadline_ms: Annotated[
            int, typer.Option(min=0, help="Milliseconds to search for each run, 0 without end.")
        ] = 0,
    ) -> None:
        """Replay a recorded game and compare every run with the best one, solved here on one core after warming up.

        taken: what the recorded routes earn, and what goes to the treasury alone after `+`. build ms and solve ms: making
        the problem from the game, and solving and verifying it, each time as a question never asked before.

        Exit 0: every best run is proven and none is below the recorded one; 1: otherwise, or the game does not replay;
        2: there is no game, or its title is not installed."""
        raise typer.Exit(check(file, titles, as_json, deadline_ms))


def check(file: Path, titles: Mapping[str, Title], as_json: bool = False, deadline_ms: int = 0) -> int:
    """Check the game in `file` and print; returns the exit code."""
    checked: list[CheckedRun] = []
    try:
        record = read_record(file)
        title = _title_of(record, titles)
        if not as_json:
            typer.echo(_line(HEADINGS))
        show = None if as_json else _show_run
        replay = _replay(record, title, deadline_ms, checked, show)
    except NotAGameError as error:
        typer.echo(f"{file}: {error}", err=True)
        return NO_GAME
    except NoAnswerError as error:
        typer.echo(f"{file}: {error}", err=True)
        return NOT_GOOD
    found = summary(checked)
    if as_json:
        whole = {"title": record.title, "actions": replay.actions, "runs": checked, "summary": found}
        sys.stdout.write(msgspec.json.encode(whole).decode() + "\n")
    else:
        _show_summary(found)
    refusal = replay.refusal
    if refusal is not None:
        reason = f"{refusal.rejection.code}: {refusal.rejection.message}"
        typer.echo(f"{file}: action {refusal.line} (id {refusal.id}) rejected: {reason}", err=True)
    all_well = refusal is None and found["proven"] == found["runs"] and not found["below"]
    return 0 if all_well else NOT_GOOD


def _title_of(record: Record, titles: Mapping[str, Title]) -> Title:
    title = title_named(titles, record.title)
    if title is None:
        raise NotAGameError(f"the title {record.title!r} is not installed")
    return title


def _replay(
    record: Record,
    title: Title,
    deadline_ms: int,
    checked: list[CheckedRun],
    show: Callable[[CheckedRun], None] | None,
) -> Replay:
    def on_run(run: RecordedRun, game: Game, data: TitleData) -> None:
        checked.append(checked_run(title, run, game, data, deadline_ms))
        if show is not None:
            show(checked[-1])

    with notice_if_compiling():
        warm_up()
    return play(record, title, time.perf_counter, as_recorded=True, on_run=on_run)


def checked_run(
    title: Title, run: RecordedRun, game: Game, data: TitleData, deadline_ms: int = 0
) -> CheckedRun:
    """Build and solve the question that `run` answered on the map of `game`. Raises `NoAnswerError`."""
    with without_collections():
        began, core_began = time.perf_counter(), time.thread_time()
        problem = problem_for(title, game, data, run.company)
        build_ms = (time.perf_counter() - began) * 1000
        solved = solve_here(with_deadline(problem, deadline_ms), ignore_solution)
        core_ms = (time.thread_time() - core_began) * 1000
    solution, trains = solved.solution, trains_of(game).owned.get(run.company, ())
    return CheckedRun(
        action=run.line,
        id=run.id,
        round=_round(title, game.current_round),
        company=run.company,
        trains=trains,
        shown=tuple(presentation_of(title).train_name(data, game, each) for each in trains),
        recorded=run.recorded,
        recorded_treasury_income=run.recorded_treasury_income,
        taken=run.ours,
        taken_treasury_income=run.our_treasury_income,
        best=solution.revenue,
        best_treasury_income=solution.treasury_income,
        upper_bound=solution.upper_bound,
        proven=solution.proven,
        comparison=_comparison(run, solution, problem.parameters),
        nodes=solution.nodes_explored,
        build_ms=round(build_ms, 4),
        solve_ms=round(solved.milliseconds, 4),
        core_ms=round(core_ms, 4),
    )


def _round(title: Title, at: Round) -> str:
    """The round as players call it, for example `OR 3.2`."""
    name = presentation_of(title).short_round_name(at.kind)
    return f"{name} {at.turn}.{at.number}" if name == "OR" else f"{name} {at.turn}"


def _comparison(run: RecordedRun, solution: RouteSolution, parameters: Parameters) -> str:
    """Whether the best run is below, equal or above what people took, as the rule family compares runs."""

    def rank(revenue: int, income: int) -> tuple[int, int]:
        return (revenue + income, revenue) if parameters.compare_treasury_income else (revenue, income)

    ours, theirs = rank(solution.revenue, solution.treasury_income), rank(run.ours, run.our_treasury_income)
    return "equal" if ours == theirs else "above" if ours > theirs else "below"


def summary(checked: Sequence[CheckedRun]) -> dict[str, Any]:
    """Counts, and the times of building and solving together, in milliseconds."""
    whole = sorted(run.build_ms + run.solve_ms for run in checked)
    building = sorted(run.build_ms for run in checked)
    return {
        "runs": len(checked),
        "proven": sum(run.proven for run in checked),
        "below": sum(run.comparison == "below" for run in checked),
        "equal": sum(run.comparison == "equal" for run in checked),
        "above": sum(run.comparison == "above" for run in checked),
        "misrecorded": sum(run.misrecorded for run in checked),
        "milliseconds": _spread(whole),
        "build_milliseconds": _spread(building),
        "core_milliseconds": _spread(sorted(run.core_ms for run in checked)),
    }


def _spread(ordered: Sequence[float]) -> dict[str, float]:
    """The smallest times within which half, 99 of 100 and all were done; zeros where nothing was measured."""
    at = {"p50": 50, "p99": 99, "max": 100}
    if not ordered:
        return dict.fromkeys(at, 0.0)
    return {name: round(ordered[-(-len(ordered) * share // 100) - 1], 3) for name, share in at.items()}


def _show_run(run: CheckedRun) -> None:
    found = "proven" if run.proven else f"at most {run.upper_bound}"
    cells = (
        str(run.action),
        run.round,
        run.company,
        " ".join(run.shown),
        _money(run.taken, run.taken_treasury_income),
        _money(run.best, run.best_treasury_income),
        found if run.comparison == "equal" else f"{found} {run.comparison}",
        str(run.nodes),
        f"{run.build_ms:.3f}",
        f"{run.solve_ms:.3f}",
    )
    note = f"  recorded {_money(run.recorded, run.recorded_treasury_income)}" if run.misrecorded else ""
    typer.echo(_line(cells) + note)


def _line(cells: Sequence[str]) -> str:
    padded = (
        f"{cell:<{width}}" if number in LEFT else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )
    return "  ".join(padded).rstrip()


def _money(revenue: int, income: int) -> str:
    return f"{revenue}+{income}" if income else str(revenue)


def _show_summary(found: Mapping[str, Any]) -> None:
    counts = ", ".join(f"{found[name]} {name}" for name in ("runs", "proven", "below", "equal", "above"))
    typer.echo(f"\n{counts}; {found['misrecorded']} recorded otherwise than their routes earn")
    for name, label in TIMES.items():
        times = ", ".join(f"{share} {value:.3f} ms" for share, value in found[name].items())
        typer.echo(f"{label}: {times}")
