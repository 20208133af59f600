"""The command `signalbox`."""

from __future__ import annotations

from importlib import import_module

import typer
from typer.core import TyperGroup

from services.rules.kernel.unplayable import UnplayableTitleError

# Exit code when a title that is listed cannot be played.
UNPLAYABLE = 1
COMMANDS = {
    "up": "services.cli.up",
    "serve": "services.cli.serve",
    "demo": "services.cli.demo",
    "import": "services.cli.import_game",
    "export": "services.cli.export_game",
    "board": "services.cli.board",
    "rulings": "services.cli.reference",
    "reference": "services.cli.reference",
    "routes": "services.cli.routes",
    "topics": "services.cli.topics",
    "keys": "services.cli.keys",
    "token": "services.cli.keys",
    "migrate": "services.cli.migrate",
    "verify": "services.cli.verify",
    "dead-letters": "services.cli.dead_letters",
    "holds": "services.cli.holds",
}


class Commands(TyperGroup):
    """Imports a command's module only when it is used, so that a starting service loads none of the others."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str):  # type: ignore[no-untyped-def, override]
        """The command of this name, None if there is none."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            single = typer.Typer()
            try:
                import_module(COMMANDS[cmd_name]).register(single)
            except UnplayableTitleError as problem:
                typer.echo(str(problem), err=True)
                raise typer.Exit(UNPLAYABLE) from problem
            self.commands.update(typer.main.get_group(single).commands)
        return super().get_command(ctx, cmd_name)


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def signalbox() -> None:
    """Event-sourced backend for playing railway share games (18xx)."""
