"""`signalbox bench`: what a command costs a running platform, and what one of another size would need."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from services.bench.measured import Measured, as_json, read_measurements
from services.bench.model import fitted
from services.bench.sizing import Demand, Sizing
from services.common.errors import SignalboxError
from services.common.settings.service import LobbySummaries

if TYPE_CHECKING:
    from services.bench.run import Choices, Platform

NOT_CLEAN, FAILED, INTERRUPTED = 1, 2, 130
WIDTH_LEAST = 110
# Measured on two cores that everything shared, one broker, with 1, 2, 4 and 8 replicas of rules.
MEASURED_HERE = Path(__file__).parents[1] / "bench" / "two-cores.json"


def register(app: typer.Typer) -> None:
    """Add the commands `bench cluster` and `bench model` to `app`."""
    bench = typer.Typer(
        no_args_is_help=True,
        help="What a command costs this platform, and what one of another size would need.",
    )
    app.add_typer(bench, name="bench")
    bench.command("cluster")(cluster)
    bench.command("model")(model)


Metrics = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SERVICE=HOST:PORT,...",
        help="Where the replicas of a service show their metrics; repeat for each service. A name may stand for several.",
    ),
]
Rates = Annotated[
    list[float] | None,
    typer.Option(
        "--rate",
        min=0.1,
        help="Commands due a second; repeat for several, one after the other. 100 unless given.",
    ),
]
Seconds = Annotated[float, typer.Option(min=1, help="How long each rate lasts.")]
Warm = Annotated[float, typer.Option(min=0, help="Seconds that are played first and not counted.")]
Settle = Annotated[
    float,
    typer.Option(
        min=1,
        help="Seconds of rest before metrics are read. The platform looks at Kafka's disks every 30 s only.",
    ),
]
Games = Annotated[int, typer.Option(min=1, help="Games that are played at the same time.")]
Moves = Annotated[int, typer.Option(min=1, help="Commands of each game, at most.")]
Callers = Annotated[int, typer.Option(min=1, max=1000, help="Commands on their way at once, at most.")]
Players = Annotated[
    int, typer.Option(min=1, max=12, help="Players who register for this and sit at every table.")
]
Seed = Annotated[int, typer.Option(min=0, help="Of games and bots: the same one gives the same moves.")]
TokenFile = Annotated[
    Path | None,
    typer.Option(help="Tokens of players, one a line, who play instead of new ones."),
]
Replication = Annotated[int, typer.Option(min=1, help="Copies of a topic in Kafka.")]
Output = Annotated[
    Path | None, typer.Option(help="Write the measurements there, for `signalbox bench model --from`.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def cluster(
    lobby: Annotated[str, typer.Option(help="HOST:PORT of the lobby.")] = "127.0.0.1:8401",
    rules: Annotated[
        str, typer.Option(help="HOST:PORT of rules, several separated by commas.")
    ] = "127.0.0.1:8402",
    metrics: Metrics = None,
    rates: Rates = None,
    seconds: Seconds = 30.0,
    warm_seconds: Warm = 15.0,
    settle_seconds: Settle = 35.0,
    games: Games = 100,
    moves: Moves = 220,
    callers: Callers = 96,
    title: Annotated[str, typer.Option(help="What is played.")] = "1824",
    players: Players = 4,
    seed: Seed = 7,
    token_file: TokenFile = None,
    copies: Annotated[int, typer.Option(min=0, help="SIGNALBOX_RULES_COPIES of this platform.")] = 0,
    replication: Replication = 3,
    output: Output = None,
    is_json: AsJson = False,
) -> None:
    """Play seeded games on a running platform at fixed rates, and say what a command took of each replica.

    Commands are due by the clock, whatever became of those before, and their time counts from then. Tables, games and players
    stay behind: take a platform for trying. SIGNALBOX_TLS_* as for all clients. Ctrl-C ends the play and shows what there is.

    Exit 0: every command was accepted; 1: some were not; 2: it could not be measured, the message says why; 130: interrupted."""
    from services.bench.run import Choices, Platform

    choices = Choices(
        title=title,
        seed=seed,
        games=games,
        moves=moves,
        rates=tuple(rates or [100.0]),
        seconds=seconds,
        warm_seconds=warm_seconds,
        settle_seconds=settle_seconds,
        callers=callers,
        copies=copies,
        replication=replication,
    )
    try:
        platform = Platform(lobby=lobby, rules=rules, metrics=_metrics(metrics or []))
        found, is_cut_short = _measured(platform, choices, token_file, players)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except SignalboxError as problem:
        typer.echo(f"signalbox bench cluster: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
    if output is not None:
        output.write_bytes(as_json(found))
    _show(found, is_json)
    if is_cut_short:
        raise typer.Exit(INTERRUPTED)
    if any(each.refused or each.unanswered or each.not_begun for each in found):
        raise typer.Exit(NOT_CLEAN)


class BadMetrics(SignalboxError):
    """An option `--metrics` is malformed."""


def _metrics(options: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for option in options:
        service, separator, addresses = option.partition("=")
        if not (separator and service and addresses):
            raise BadMetrics(f"--metrics {option!r} is no SERVICE=HOST:PORT")
        found[service] = (*found.get(service, ()), *addresses.split(","))
    return found


def _measured(
    platform: Platform, choices: Choices, token_file: Path | None, players: int
) -> tuple[list[Measured], bool]:
    from services.bench.metrics import endpoints, read_all
    from services.bench.opening import registered, tokens_in
    from services.bench.run import measure

    # Before anybody registers.
    read_all(endpoints(platform.metrics))
    tokens = registered(platform.lobby, players) if token_file is None else tokens_in(token_file)
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as folder, _bars() as bars:
        return measure(platform, choices, tokens, Path(folder), bars)


class _Bars:
    """A progress bar for each step, on standard error."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None
        self._what = ""

    def step(self, what: str, done: float, of: float) -> None:
        """Show it; a step with another beginning has a bar of its own."""
        name = what.partition(":")[0]
        if self._task is None or name != self._what:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task, self._what = self._progress.add_task(what, total=of), name
        self._progress.update(self._task, description=what, completed=done, total=of)


@contextmanager
def _bars() -> Iterator[_Bars]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _Bars(progress)


def _show(found: Sequence[Measured], is_json: bool) -> None:
    from services.bench.showing import costs_table, rates_table, stored_table

    if is_json:
        sys.stdout.write(as_json(found).decode())
        return
    console = _console()
    console.print(rates_table(found))
    if any(each.replicas for each in found):
        console.print(costs_table(found))
    else:
        console.print("without --metrics nothing is known of the replicas")
    stored = stored_table(found)
    if stored is not None:
        console.print(stored)


def _console() -> Console:
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, WIDTH_LEAST)
    return console


def model(
    games: Annotated[int, typer.Option(min=1, help="Games in play.")],
    commands_per_second: Annotated[float, typer.Option(min=0.1, help="Of all players together.")],
    source: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            help="Files of `signalbox bench cluster --output`; without, what was measured on two cores before release.",
        ),
    ] = None,
    copies: Annotated[
        int, typer.Option(min=0, help="Replicas of rules that keep each partition; 0: each keeps all.")
    ] = 2,
    summaries: Annotated[
        LobbySummaries,
        typer.Option(help="Which each replica of the lobby keeps: SIGNALBOX_LOBBY_SUMMARIES."),
    ] = "followed",
    replication: Replication = 3,
    finds_owner: Annotated[
        bool,
        typer.Option(
            "--finds-owner", help="Callers reach the owner of a game at once: no call is passed on."
        ),
    ] = False,
    together: Annotated[
        float, typer.Option("--commands-per-transaction", min=0, help="0: as assumptions.toml has it.")
    ] = 0.0,
    is_json: AsJson = False,
) -> None:
    """Say what a platform of some size would need: replicas, cores, memory, partitions, disks, network.

    A model is fitted to the measurements: its terms, and how far it is from each figure, are shown before. Beside each figure
    stands what it rests on, and where that is beyond what was measured.

    Exit 0; 2: there are no measurements, or no number of replicas carries it."""
    from services.bench.showing import residuals_table, sizing_table, terms_table

    demand = Demand(
        games=games,
        rate=commands_per_second,
        copies=copies,
        summaries=summaries,
        replication=replication,
        finds_owner=finds_owner,
        together=together,
    )
    try:
        found = fitted(read_measurements(source or [MEASURED_HERE]))
        figures = Sizing(found, demand).figures()
    except SignalboxError as problem:
        typer.echo(f"signalbox bench model: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
    if is_json:
        shown = msgspec.json.encode({"model": found, "demand": demand, "figures": figures})
        sys.stdout.write(msgspec.json.format(shown, indent=1).decode() + "\n")
        return
    console = _console()
    console.print(terms_table(found))
    console.print(residuals_table(found))
    console.print(sizing_table(f"{games:,} games in play, {commands_per_second:,g} commands/s", figures))
