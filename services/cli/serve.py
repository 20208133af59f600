"""`signalbox serve`: runs one service in its own process until it is stopped."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable

import typer

from services.common.errors import SignalboxError
from services.common.kafka.settings import load_kafka_settings
from services.common.process.garbage import without_collections
from services.common.redis.settings import load_redis_settings
from services.common.settings.service import Settings, load_settings
from services.common.telemetry.logs import Telemetry
from services.host.cluster.process import ServedAt, ServiceRunner, serve_until_stopped

FAILED = 1
KAFKA_SERVERS = "SIGNALBOX_KAFKA_SERVERS"


def register(app: typer.Typer) -> None:
    """Add the commands `serve ...` to `app`."""
    serve = typer.Typer(no_args_is_help=True, help="Run one service in its own process.")
    app.add_typer(serve, name="serve")

    @serve.command("lobby")
    def lobby_command() -> None:
        """Run a replica of the lobby on Kafka until Ctrl-C or SIGTERM.

        Settings: SIGNALBOX_HOST, SIGNALBOX_LOBBY_PORT, SIGNALBOX_METRICS_PORT, SIGNALBOX_SIGNING_KEY, SIGNALBOX_DATABASE
        (in whose folder its copy of the log is kept, which may be lost), SIGNALBOX_LOBBY_SUMMARIES (`all`: those of all games
        are kept here; `followed`: lists are in Redis alone), SIGNALBOX_KAFKA_*, SIGNALBOX_REDIS_* and the common ones. The
        addresses are printed once the copy of the log is complete.

        Exit 1 when a setting, an address, a file, Kafka, its topics or Redis cannot be used."""
        _serve("signalbox serve lobby", "lobby", lambda settings: settings.lobby_port, _lobby)

    @serve.command("rules")
    def rules_command() -> None:
        """Run a replica of the rules service on Kafka until Ctrl-C or SIGTERM; replicas share the games among themselves.

        Settings: SIGNALBOX_HOST, SIGNALBOX_RULES_PORT, SIGNALBOX_METRICS_PORT, SIGNALBOX_ROUTING_ADDRESSES,
        SIGNALBOX_DATABASE (in whose folder its copy of the log is kept, which may be lost), SIGNALBOX_KAFKA_*,
        SIGNALBOX_REDIS_* and the common ones. The addresses are printed once the copy of the log is complete.

        Exit 1 when a setting, an address, a file, Kafka or its topics cannot be used."""
        _serve("signalbox serve rules", "rules", lambda settings: settings.rules_port, _rules)

    @serve.command("ledger")
    def ledger_command() -> None:
        """Run a replica of the ledger on Kafka until Ctrl-C or SIGTERM; replicas share the games among themselves.

        Settings: SIGNALBOX_HOST, SIGNALBOX_LEDGER_PORT, SIGNALBOX_METRICS_PORT, SIGNALBOX_RULES_ADDRESSES,
        SIGNALBOX_DATABASE (in whose folder its books are kept, which may be lost), SIGNALBOX_KAFKA_* and the common ones.
        The addresses are printed once it follows its share of the games.

        Exit 1 when a setting, an address, a file, Kafka or its topics cannot be used."""
        _serve("signalbox serve ledger", "ledger", lambda settings: settings.ledger_port, _ledger)

    @serve.command("routing")
    def routing_command() -> None:
        """Run a routing server until Ctrl-C or SIGTERM; any number of them may run anywhere.

        Settings: SIGNALBOX_HOST, SIGNALBOX_ROUTING_PORT, SIGNALBOX_METRICS_PORT, SIGNALBOX_ROUTING_WORKERS (processes,
        one per core by default), SIGNALBOX_ROUTING_QUEUE, SIGNALBOX_ROUTING_CALLER_QUEUE,
        SIGNALBOX_ROUTING_CACHE_ENTRIES and the common ones. A host uses such servers when SIGNALBOX_ROUTING_ADDRESSES
        names them. With SIGNALBOX_REDIS_ADDRESS replicas share their answers, with SIGNALBOX_KAFKA_SERVERS they solve
        ahead what rules foresees. The addresses are printed once the workers are warmed up.

        Exit 1 when a setting or an address cannot be used."""
        serve_routing("signalbox serve routing")

    @serve.command("web")
    def web_command() -> None:
        """Run the HTTP/JSON API in front of lobby, rules and ledger until Ctrl-C or SIGTERM; any number of them may run anywhere.

        Settings: SIGNALBOX_HOST, SIGNALBOX_WEB_*, SIGNALBOX_METRICS_PORT, SIGNALBOX_LOBBY_ADDRESSES,
        SIGNALBOX_RULES_ADDRESSES, SIGNALBOX_LEDGER_ADDRESSES and the common ones. So that
        limits count whom it speaks for, the services name its network in SIGNALBOX_RATE_TRUSTED_PROXIES. Where there are
        several, SIGNALBOX_REDIS_* lets signing out end the streams of a session in all of them.

        Exit 1 when a setting or an address cannot be used."""
        _serve_web()


def serve_routing(command: str) -> None:
    """Run the routing service; `command` is what its user typed."""

    def make(settings: Settings, telemetry: Telemetry) -> ServiceRunner:
        with without_collections():
            from services.host.cluster.routing import RoutingRunner

        kafka = load_kafka_settings(os.environ) if KAFKA_SERVERS in os.environ else None
        return RoutingRunner(settings, telemetry, kafka, load_redis_settings(os.environ))

    _serve(command, "routing", lambda settings: settings.routing_port, make)


def _serve_web() -> None:
    with without_collections():
        from services.host.cluster.web import serve_web_until_stopped

    def show(address: str, metrics: str) -> None:
        typer.echo(f"web      {address}")
        typer.echo(f"metrics  http://{metrics}/metrics")

    try:
        serve_web_until_stopped(load_settings(os.environ), load_redis_settings(os.environ), show)
    except (SignalboxError, OSError) as problem:
        typer.echo(f"signalbox serve web: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _ledger(settings: Settings, telemetry: Telemetry) -> ServiceRunner:
    with without_collections():
        from services.host.cluster.ledger import LedgerRunner

    kafka, redis = load_kafka_settings(os.environ), load_redis_settings(os.environ)
    return LedgerRunner(settings, telemetry, kafka, redis)


def _lobby(settings: Settings, telemetry: Telemetry) -> ServiceRunner:
    with without_collections():
        from services.host.cluster.lobby import LobbyRunner

    kafka, redis = load_kafka_settings(os.environ), load_redis_settings(os.environ)
    return LobbyRunner(settings, telemetry, kafka, redis)


def _rules(settings: Settings, telemetry: Telemetry) -> ServiceRunner:
    with without_collections():
        from services.host.cluster.rules import RulesRunner

    kafka, redis = load_kafka_settings(os.environ), load_redis_settings(os.environ)
    return RulesRunner(settings, telemetry, kafka, redis)


def _serve(
    command: str,
    name: str,
    port_of: Callable[[Settings], int],
    make: Callable[[Settings, Telemetry], ServiceRunner],
) -> None:
    def show(at: ServedAt) -> None:
        typer.echo(f"{name:8} {at.service}")
        typer.echo(f"metrics  http://{at.metrics}/metrics")

    try:
        settings = load_settings(os.environ)
        serve_until_stopped(name, settings, port_of(settings), make, show)
    except sqlite3.Error as problem:
        typer.echo(f"{command}: a file in {settings.database.parent}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
    except (SignalboxError, OSError) as problem:
        typer.echo(f"{command}: {problem}", err=True)
        raise typer.Exit(FAILED) from problem
