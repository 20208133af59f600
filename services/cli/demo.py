"""`signalbox demo`: bots play a whole game through the public interface of the four running services."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from grpc import StatusCode
from rich.console import Console

from services.bots import BOTS
from services.cli.compile_notice import notice_if_compiling
from services.cli.demo_game import Choices, Played, play
from services.cli.demo_settings import FAILED, USAGE, embedded_settings
from services.cli.demo_tournament import demo_tournament
from services.cli.holds import DEFAULT_LEDGER
from services.cli.table import DEFAULT_LOBBY, DEFAULT_RULES, LobbyAddress, RulesAddress
from services.client.calls import NotAnsweredError, Rejected
from services.common.errors import SignalboxError
from services.common.telemetry.logs import configure_logging
from services.host.addresses import Addresses
from services.host.embedded import EmbeddedHost
from services.rules.kernel.decide import check_choices
from services.rules.titles import TITLES

RUNNING = "running"
HOSTS = ("embedded", "cluster", RUNNING)
USUAL_PLAYERS = 4
MARK_BYTES = 4
LedgerAddress: TypeAlias = Annotated[
    str, typer.Option("--ledger", help="Where the ledger answers, host:port.")
]


def register(app: typer.Typer) -> None:
    """Add the command `demo` to `app`."""

    @app.command("demo")
    def demo_command(
        title: Annotated[str, typer.Option(help="Title to play.")] = "1824",
        players: Annotated[
            int | None, typer.Option(help="Number of players, else 4, or as many as can play.")
        ] = None,
        variant: Annotated[
            list[str] | None, typer.Option(help="Option of the title to play with; repeatable.")
        ] = None,
        seed: Annotated[int, typer.Option(min=0, help="Seed of draws and bots; names are seated anew.")] = 1,
        bots: Annotated[str, typer.Option(help=f"One of: {', '.join(BOTS)}.")] = "sensible",
        host: Annotated[str, typer.Option(help=f"One of: {', '.join(HOSTS)}.")] = "embedded",
        database: Annotated[
            Path | None,
            typer.Option(help="A new file to keep the embedded host's log in, for `board` and `export`."),
        ] = None,
        tournament: Annotated[
            bool,
            typer.Option(
                "--tournament", help="A tournament of 24 bots on 1824 and 1862 tables instead of one game."
            ),
        ] = False,
        lobby: LobbyAddress = DEFAULT_LOBBY,
        rules: RulesAddress = DEFAULT_RULES,
        ledger: LedgerAddress = DEFAULT_LEDGER,
    ) -> None:
        """Let bots play a whole game over gRPC; then show standings and books, and fold the game from its log.

        The host `cluster` runs every service in separate processes on the Kafka and Redis of SIGNALBOX_KAFKA_* and
        SIGNALBOX_REDIS_*. It then compares the log in Kafka with that of the embedded host for the same commands.
        (`make demo-cluster` in a checkout starts a temporary Kafka and Redis for it.)
        The host `running` starts nothing: it plays on the services that answer at --lobby, --rules and --ledger, encrypted
        according to SIGNALBOX_TLS_*. Its players and its game stay there.

        Exit 0: everything agrees; 1: the books or the logs differ, or a service failed; 2: an option cannot be used."""
        options = tuple(variant or ())
        if tournament:
            raise typer.Exit(_tournament(seed, bots, database))
        count = _usual_count(title, options) if players is None else players
        problem = _unplayable(title, count, options, bots, host) or _no_place(database, host)
        if problem:
            typer.echo(problem, err=True)
            raise typer.Exit(USAGE)
        # Says what is wrong in the data files before services start, which could only report an internal error.
        TITLES[title].load(options, {}, count)
        configure_logging("error")
        choices = Choices(title, count, seed, bots, options)
        if host == RUNNING:
            raise typer.Exit(
                _on_running(choices, Addresses(lobby, rules, routing="", ledger=ledger, metrics=""))
            )
        raise typer.Exit(_on_cluster(choices) if host == "cluster" else demo(choices, database))


def _usual_count(title: str, options: tuple[str, ...]) -> int:
    """Four players, or as many as can play the title with these options when four cannot."""
    known = TITLES.get(title)
    if known is None:
        return USUAL_PLAYERS
    counts = [each for each in known.all_player_counts if check_choices(known, options, (), each) is None]
    return USUAL_PLAYERS if USUAL_PLAYERS in counts or not counts else counts[-1]


def _unplayable(title: str, players: int, options: tuple[str, ...], bots: str, host: str) -> str:
    """Why this cannot be played, empty when it can."""
    if title not in TITLES:
        return f"--title: {title!r} is not one of {', '.join(TITLES)}"
    counts = TITLES[title].player_counts
    refusal = check_choices(TITLES[title], options, (), players)
    if refusal is not None and refusal.code == "player_count":
        return f"--players: {title} is played by {counts[0]} to {counts[-1]}, not by {players}"
    if refusal is not None:
        return f"--variant: {refusal.message}"
    if bots not in BOTS:
        return f"--bots: {bots!r} is not one of {', '.join(BOTS)}"
    return "" if host in HOSTS else f"--host: {host!r} is not one of {', '.join(HOSTS)}"


def _no_place(database: Path | None, host: str) -> str:
    """Why the log cannot be kept in this file, empty when it can or is not to be kept."""
    if database is None:
        return ""
    if host != "embedded":
        return "--database: only the embedded host keeps its log in a file"
    return f"--database: there is already {database}" if database.exists() else ""


def demo(choices: Choices, database: Path | None = None) -> int:
    """Play one game on a temporary embedded host and report; returns the exit code. `database`: a file to keep its log in."""
    console = Console()
    with tempfile.TemporaryDirectory(prefix="signalbox-") as folder:
        host = EmbeddedHost(embedded_settings(Path(folder), database))
        with notice_if_compiling():
            host.start()
        try:
            played = _played(console, host.addresses, choices)
        finally:
            host.stop()
    if played is None:
        return FAILED
    if database is not None:
        console.print(
            f"signalbox board {played.game_id} --database {database}", highlight=False, soft_wrap=True
        )
        console.print(
            f"signalbox export {played.game_id} --database {database}", highlight=False, soft_wrap=True
        )
    return 0 if played.is_sound else FAILED


def _tournament(seed: int, bots: str, database: Path | None) -> int:
    """A tournament on the embedded host; returns the exit code."""
    problem = "" if bots in BOTS else f"--bots: {bots!r} is not one of {', '.join(BOTS)}"
    problem = problem or _no_place(database, "embedded")
    if problem:
        typer.echo(problem, err=True)
        return USAGE
    configure_logging("error")
    return demo_tournament(seed, bots, database)


def _on_cluster(choices: Choices) -> int:
    """The same on the cluster host, whose client libraries are imported only here."""
    from services.cli.demo_cluster import demo_on_cluster

    return demo_on_cluster(choices)


def _on_running(choices: Choices, at: Addresses) -> int:
    """The same on services that somebody else runs; returns the exit code."""
    played = _played(Console(), at, choices, f" {secrets.token_hex(MARK_BYTES)}")
    return 0 if played is not None and played.is_sound else FAILED


def _played(console: Console, at: Addresses, choices: Choices, mark: str = "") -> Played | None:
    """A finished game; None when a service failed, and then standard error says how."""
    try:
        return play(console, at, choices, mark)
    except (SignalboxError, Rejected, NotAnsweredError) as problem:
        typer.echo(f"signalbox demo: {problem}", err=True)
        if isinstance(problem, NotAnsweredError) and problem.status == StatusCode.INTERNAL:
            typer.echo("The log line of the service with this error_id says why.", err=True)
        return None
