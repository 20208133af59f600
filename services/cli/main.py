"""The command `signalbox`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from services.common.process.garbage import without_collections
from services.common.settings.known import check_variables
from services.common.settings.variables import SettingsError
from services.rules.kernel.titlebuild import TitleDataError
from services.rules.loading import TitlesSettingError

FAILED = 1

COMMANDS = {
    "up": "services.cli.up",
    "serve": "services.cli.serve",
    "demo": "services.cli.demo",
    "import": "services.cli.import_game",
    "export": "services.cli.export_game",
    "board": "services.cli.board",
    "titles": "services.cli.titles",
    "rulings": "services.cli.reference",
    "reference": "services.cli.reference",
    "routes": "services.cli.routes",
    "tournament": "services.cli.tournament",
    "topics": "services.cli.topics",
    "keys": "services.cli.keys",
    "token": "services.cli.keys",
    "migrate": "services.cli.migrate",
    "backup": "services.cli.backup",
    "restore": "services.cli.backup",
    "repartition": "services.cli.repartition",
    "archive": "services.cli.archive",
    "verify": "services.cli.verify",
    "dead-letters": "services.cli.dead_letters",
    "commands": "services.cli.commands",
    "holds": "services.cli.holds",
    "staff": "services.cli.staff",
    "api-tokens": "services.cli.api_tokens",
    "table": "services.cli.table_guests",
    "bench": "services.cli.bench",
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
                with without_collections():
                    module = import_module(COMMANDS[cmd_name])
                module.register(single)
            except TitlesSettingError as problem:
                raise _failed(problem) from problem
            self.commands.update(typer.main.get_group(single).commands)
        return super().get_command(ctx, cmd_name)

    def main(self, *given: Any, **named: Any) -> Any:
        """Run as a program; output that cannot be written, such as to a full disk, ends it with a line."""
        try:
            return super().main(*given, **named)
        except OSError as problem:
            with suppress(OSError):
                typer.echo(f"signalbox: {problem}", err=True)
            sys.exit(FAILED)

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        """Run the command; data files of a title that cannot be used end it with what is wrong in them."""
        try:
            return super().invoke(ctx)
        except TitleDataError as problem:
            raise _failed(problem) from problem


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"signalbox {version('signalbox')}")
        raise typer.Exit


def _failed(problem: Exception) -> typer.Exit:
    typer.echo(f"signalbox: {problem}", err=True)
    return typer.Exit(FAILED)


@app.callback()
def signalbox(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Event-sourced backend for playing railway share games (18xx)."""
    try:
        check_variables(os.environ)
    except SettingsError as problem:
        raise _failed(problem) from problem
