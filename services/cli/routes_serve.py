"""`signalbox routes serve`: a routing server of its own, until it is told to stop."""

from __future__ import annotations

import os

import typer

from services.common.errors import SignalboxError
from services.common.settings import load_settings
from services.routing.server import RoutingAddresses, serve_until_stopped

FAILED = 1


def register(app: typer.Typer) -> None:
    """Add the command `serve` to `app`."""

    @app.command("serve")
    def serve_command() -> None:
        """Run a routing server until Ctrl-C or SIGTERM; any number of them may run anywhere.

        Settings: SIGNALBOX_HOST, SIGNALBOX_ROUTING_PORT, SIGNALBOX_METRICS_PORT, SIGNALBOX_ROUTING_WORKERS (processes,
        one per core by default), SIGNALBOX_ROUTING_QUEUE, SIGNALBOX_ROUTING_CALLER_QUEUE,
        SIGNALBOX_ROUTING_CACHE_ENTRIES and the common ones. A host uses such servers when SIGNALBOX_ROUTING_ADDRESSES
        names them. The addresses are printed once the workers are warmed up.

        Exit 1 when a setting or an address cannot be used."""
        try:
            serve_until_stopped(load_settings(os.environ), _show)
        except (SignalboxError, OSError) as problem:
            typer.echo(f"signalbox routes serve: {problem}", err=True)
            raise typer.Exit(FAILED) from problem


def _show(addresses: RoutingAddresses) -> None:
    typer.echo(f"routing  {addresses.routing}")
    typer.echo(f"metrics  http://{addresses.metrics}/metrics")
