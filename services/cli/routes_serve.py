"""`signalbox routes serve`: the same as `signalbox serve routing`."""

from __future__ import annotations

import typer

from services.cli.serve import serve_routing


def register(app: typer.Typer) -> None:
    """Add the command `serve` to `app`."""

    @app.command("serve")
    def serve_command() -> None:
        """Run a routing server until Ctrl-C or SIGTERM; see `signalbox serve routing`."""
        serve_routing("signalbox routes serve")
