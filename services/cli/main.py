"""The command `signalbox`."""

from __future__ import annotations

import typer

from services.cli import board, clauses, demo, export_game, import_game, reference, routes, serve, topics, up
from services.rules.titles import TITLES

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Event-sourced backend for playing railway share games (18xx).",
)
up.register(app)
serve.register(app)
demo.register(app)
import_game.register(app)
export_game.register(app)
board.register(app, TITLES)
clauses.register(app)
reference.register(app)
routes.register(app)
topics.register(app)
