"""`signalbox board`: draws a picture of a game at any event."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress

from services.cli.compile_notice import notice_if_compiling
from services.cli.solving import NoAnswerError, solve_here, with_deadline
from services.common.errors import SignalboxError
from services.common.eventlog.sqlite import open_sqlite
from services.common.settings.service import load_settings
from services.drawing.board import draw_board
from services.drawing.holdings import in_play
from services.drawing.routes import BestRuns
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import runs_in_order
from services.routing.domain.solver import ignore_solution, warm_up
from services.rules.adapters.codec import UnreadableEventError
from services.rules.importer.dialect import title_named
from services.rules.importer.files import read_record
from services.rules.importer.record import NotAGameError, Record
from services.rules.importer.reduce import reduce_steps
from services.rules.importer.replay import play
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import presentation_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.bestruns import problem_for
from services.rules.parts.trains.runs import as_run
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.sessions import GameSessions, UnknownGameError, UnreachedSequenceError
from services.rules.titles import TITLES

NOT_REACHED = 1
NO_GAME = 2
ALL_RUNS = "all"
NO_RUNS = "none"
BEST_RUNS = "best"
BEST_MS = 10_000
FILE_ENDINGS = (".json", ".gz")


class NoGameError(Exception):
    """There is no such game, or it cannot be drawn with these options; the message says why."""


class NotReachedError(Exception):
    """The game never got that far."""


def register(app: typer.Typer, titles: Mapping[str, Title] = TITLES) -> None:
    """Add the command `board` to `app`; it can draw games of the titles given, by name."""

    @app.command("board")
    def board_command(
        game: Annotated[
            str,
            typer.Argument(metavar="GAME_OR_FILE", help="A game id of the local log, or a recorded game."),
        ],
        at: Annotated[
            int | None, typer.Option(min=0, help="After this event of the log, or this action of the file.")
        ] = None,
        output: Annotated[Path, typer.Option("--output", "-o", help="The SVG file to write.")] = Path(
            "board.svg"
        ),
        runs: Annotated[
            str,
            typer.Option(
                help="Whose last runs to draw: `all`, `none`, or symbols like `SD,BK`; `best` or `best:SD,BK` draws the "
                "best runs on this map instead, solved now."
            ),
        ] = ALL_RUNS,
        database: Annotated[
            Path | None, typer.Option(help="File of the event log, else the one of the settings.")
        ] = None,
    ) -> None:
        """Draw a game: map, tiles, tokens, values, last or best runs, prices, trains, companies and players.

        Exit 0: drawn; 1: the game never got that far; 2: there is no such game."""
        raise typer.Exit(board(game, titles, at, output, runs, database))


def board(
    source: str,
    titles: Mapping[str, Title],
    at: int | None,
    output: Path,
    runs: str = ALL_RUNS,
    database: Path | None = None,
) -> int:
    """Draw the game `source` to `output`; returns the exit code."""
    try:
        data, game = _state(source, titles, at, database)
        drawn = _drawn(titles, data, game, runs)
        output.write_text(drawn, encoding="utf-8")
    except (NoGameError, NotAGameError, UnknownGameError, UnreadableEventError, SignalboxError) as error:
        typer.echo(f"{source}: {error}", err=True)
        return NO_GAME
    except (NotReachedError, UnreachedSequenceError, NoAnswerError) as error:
        typer.echo(f"{source}: {error}", err=True)
        return NOT_REACHED
    except OSError as error:
        typer.echo(f"{output}: {error}", err=True)
        return NOT_REACHED
    phase = f", phase {phase_of(game)}" if phase_of(game) else ""
    typer.echo(f"{output}: {data.header.title}{phase}, after event {game.sequence}")
    return 0


def _drawn(titles: Mapping[str, Title], data: TitleData, game: Game, runs: str) -> str:
    """The picture with the runs asked for."""
    wanted, _, symbols = runs.partition(":")
    title = titles[game.title]
    presentation = presentation_of(title)
    if wanted == BEST_RUNS:
        companies = _named(symbols, data) if symbols else in_play(data, game)
        return draw_board(presentation, data, game, best=best_runs(title, data, game, companies))
    if runs == ALL_RUNS:
        return draw_board(presentation, data, game)
    return draw_board(presentation, data, game, [] if runs == NO_RUNS else _named(runs, data))


def _named(symbols: str, data: TitleData) -> Sequence[str]:
    """The companies of these symbols."""
    named = [symbol.strip() for symbol in symbols.split(",")]
    unknown = [symbol for symbol in named if symbol not in cards_of(data)]
    if unknown:
        raise NoGameError(f"no company of {data.header.title} has the symbol {', '.join(unknown)}")
    return named


def best_runs(title: Title, data: TitleData, game: Game, companies: Sequence[str]) -> list[BestRuns]:
    """The best runs of those companies that have trains, each searched for `BEST_MS` at most."""
    having = [company for company in dict.fromkeys(companies) if trains_of(game).owned.get(company)]
    if having:
        with notice_if_compiling():
            warm_up()
    try:
        problems = [problem_for(title, game, data, company) for company in having]
    except LookupError as error:
        raise NoGameError(str(error)) from error
    return [_best_runs_of(problem) for problem in problems]


def _best_runs_of(problem: RouteProblem) -> BestRuns:
    solution = solve_here(with_deadline(problem, BEST_MS), ignore_solution).solution
    runs = tuple(as_run(run) for run in runs_in_order(solution))
    trains = tuple(train.id for train in problem.trains)
    return BestRuns(problem.company, trains, runs, solution.proven, solution.upper_bound)


def _state(
    source: str, titles: Mapping[str, Title], at: int | None, database: Path | None
) -> tuple[TitleData, Game]:
    path = Path(source)
    if path.is_file():
        return _recorded(read_record(path), titles, at)
    if path.suffix in FILE_ENDINGS:
        raise NoGameError("there is no such file")
    return _logged(source, titles, at, database or load_settings(os.environ).database)


def _recorded(record: Record, titles: Mapping[str, Title], at: int | None) -> tuple[TitleData, Game]:
    """A recorded game after its action `at`, undone ones not counted; revenues are taken as recorded."""
    title = title_named(titles, record.title)
    if title is None:
        raise NoGameError(f"the title {record.title!r} is not installed")
    steps = reduce_steps(record.steps)
    if at is not None and at > len(steps):
        raise NotReachedError(f"the game has {len(steps)} actions, not {at}")
    wanted = replace(record, steps=tuple(steps if at is None else steps[:at]))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{record.title}: playing", total=None)
        replay = play(
            wanted,
            title,
            time.perf_counter,
            as_recorded=True,
            on_progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    if replay.refusal is not None:
        reason = replay.refusal.rejection
        raise NotReachedError(f"action {replay.refusal.line} rejected: {reason.code}: {reason.message}")
    return replay.data, replay.game


def _logged(
    game_id: str, titles: Mapping[str, Title], at: int | None, database: Path
) -> tuple[TitleData, Game]:
    """A game of the local log after event `at`."""
    if not database.is_file():
        raise NoGameError(f"no file has this name, and there is no event log {database}")
    log, snapshots = open_sqlite(database)
    try:
        sessions = GameSessions(log, snapshots, titles)
        loaded = sessions.get(game_id)
        game = loaded.game if at is None else sessions.state_at(game_id, at)
    finally:
        log.close()
    if game.round is None:
        raise NotReachedError(f"the game was still being set up at event {at}")
    return loaded.data, game
