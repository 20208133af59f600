"""The command `signalbox-routes` of the package signalbox-routing: what of `signalbox routes` needs no game."""

from __future__ import annotations

import typer

from services.cli import routes_explain, routes_http, routes_serve, routes_solve

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, help="Best runs of railway companies."
)
for command in (routes_solve, routes_explain, routes_serve, routes_http):
    command.register(app)
