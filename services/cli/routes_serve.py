"""`signalbox routes serve`: the same as `signalbox serve routing`."""

from __future__ import annotations

import typer

from services.cli.serve import serve_routing


def register(app: typer.Typer) -> None:
    """Add the command `serve` to `app`."""

    @app.command("serve")
    def serve_command() -> None:
        """Run a routing server (gRPC) until Ctrl-C or SIGTERM.

        Settings are environment variables, such as SIGNALBOX_ROUTING_PORT (8403) and SIGNALBOX_ROUTING_WORKERS (one for each
        core): services/routing/README.md. `http` serves HTTP in front of it.
        """
        serve_routing("signalbox routes serve")
