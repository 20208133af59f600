"""`signalbox demo`: bots play a whole game through the public interface of the four running services."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from services.bots import BOTS
from services.cli.demo_game import Choices, play
from services.cli.patience import told_if_compiling
from services.common.settings.service import Settings
from services.common.telemetry.logs import configure_logging
from services.host.embedded import EmbeddedHost
from services.rules.titles import TITLES

HOSTS = ("embedded", "cluster")
FAILED = 1
USAGE = 2


def register(app: typer.Typer) -> None:
    """Add the command `demo` to `app`."""

    @app.command("demo")
    def demo_command(
        title: Annotated[str, typer.Option(help="Title to play.")] = "1824",
        players: Annotated[int, typer.Option(help="Number of players.")] = 4,
        seed: Annotated[int, typer.Option(min=0, help="Seed of seats and bots.")] = 1,
        bots: Annotated[str, typer.Option(help=f"One of: {', '.join(BOTS)}.")] = "sensible",
        host: Annotated[str, typer.Option(help=f"One of: {', '.join(HOSTS)}.")] = "embedded",
    ) -> None:
        """Let bots play a whole game over gRPC; then show standings and books, and fold the game from its log.

        The host `cluster` runs every service as processes of its own on a real Kafka and Redis: those of SIGNALBOX_KAFKA_*
        and SIGNALBOX_REDIS_*, else some of its own. It then compares the log in Kafka with that of the embedded host for
        the same commands.

        Exit 0: all is well; 1: the books or the logs do not agree; 2: it cannot be played like that."""
        problem = _unplayable(title, players, bots, host)
        if problem:
            typer.echo(problem, err=True)
            raise typer.Exit(USAGE)
        configure_logging("error")
        choices = Choices(title, players, seed, bots)
        raise typer.Exit(_on_cluster(choices) if host == "cluster" else demo(choices))


def _unplayable(title: str, players: int, bots: str, host: str) -> str:
    """Why these choices do not go together, empty when they do."""
    if title not in TITLES:
        return f"--title: {title!r} is not one of {', '.join(TITLES)}"
    counts = TITLES[title].player_counts
    if players not in counts:
        return f"--players: {title} is played by {counts[0]} to {counts[-1]}, not by {players}"
    if bots not in BOTS:
        return f"--bots: {bots!r} is not one of {', '.join(BOTS)}"
    return "" if host in HOSTS else f"--host: {host!r} is not one of {', '.join(HOSTS)}"


def demo(choices: Choices) -> int:
    """Play one game on an embedded host of its own and report; returns the exit code."""
    console = Console()
    with tempfile.TemporaryDirectory(prefix="signalbox-") as folder:
        host = EmbeddedHost(embedded_settings(Path(folder)))
        with told_if_compiling():
            host.start()
        try:
            return 0 if play(console, host.addresses, choices).is_sound else FAILED
        finally:
            host.stop()


def _on_cluster(choices: Choices) -> int:
    """The same on the cluster host, whose client libraries are imported only here."""
    from services.cli.demo_cluster import demo_on_cluster

    return demo_on_cluster(choices)


def embedded_settings(folder: Path) -> Settings:
    """An embedded host with its files in `folder` and free ports."""
    return Settings(
        database=folder / "demo.db",
        signing_key=folder / "signing-key.pem",
        lobby_port=0,
        rules_port=0,
        routing_port=0,
        ledger_port=0,
        metrics_port=0,
        log_level="error",
    )
