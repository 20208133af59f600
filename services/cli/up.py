"""`signalbox up`: runs the four services in one process until they are stopped."""

from __future__ import annotations

import os
from contextlib import ExitStack

import typer

from services.cli.compile_notice import notice_if_compiling
from services.common.errors import SignalboxError
from services.common.settings.service import load_settings
from services.host.addresses import Addresses
from services.host.embedded import serve_until_stopped

FAILED = 1


def register(app: typer.Typer) -> None:
    """Add the command `up` to `app`."""

    @app.command("up")
    def up_command() -> None:
        """Run lobby, rules, routing and ledger over one SQLite file, and the web server before them, until Ctrl-C.
        Settings: SIGNALBOX_* variables, such as SIGNALBOX_DATABASE (the file) and SIGNALBOX_WEB_PORT (the address in a browser).

        Exit 1 when a setting, the file or an address cannot be used."""
        try:
            settings = load_settings(os.environ)
            with ExitStack() as starting:
                starting.enter_context(notice_if_compiling())

                def when_started(addresses: Addresses) -> None:
                    starting.close()
                    _show(addresses, str(settings.database))

                serve_until_stopped(settings, when_started)
        except (SignalboxError, OSError) as problem:
            typer.echo(f"signalbox up: {problem}", err=True)
            raise typer.Exit(FAILED) from problem


def _show(addresses: Addresses, database: str) -> None:
    typer.echo(f"{'web':8} {addresses.web}")
    for name in ("lobby", "rules", "routing", "ledger"):
        typer.echo(f"{name:8} {getattr(addresses, name)}")
    typer.echo(f"{'metrics':8} http://{addresses.metrics}/metrics")
    typer.echo(f"{'events':8} {database}")
