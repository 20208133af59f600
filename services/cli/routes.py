"""`signalbox routes`: everything about best runs."""

from __future__ import annotations

import typer

from services.cli import routes_check, routes_explain, routes_http, routes_serve, routes_solve


def register(app: typer.Typer) -> None:
    """Add the commands under `routes` to `app`."""
    routes = typer.Typer(no_args_is_help=True, help="Best runs of railway companies.")
    routes_solve.register(routes)
    routes_explain.register(routes)
    routes_check.register(routes)
    routes_serve.register(routes)
    routes_http.register(routes)
    app.add_typer(routes, name="routes")
