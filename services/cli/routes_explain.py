"""`signalbox routes explain`: the best runs for a problem given as JSON, and why nothing is better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.routes_solve import solve_file


def register(app: typer.Typer) -> None:
    """Add the command `explain` to `app`."""

    @app.command("explain")
    def explain_command(
        problem: Annotated[
            str, typer.Argument(metavar="PROBLEM.json", help="A problem as JSON; - reads standard input.")
        ],
        as_json: Annotated[
            bool, typer.Option("--json", help="Print the solution with its explanation as one JSON object.")
        ] = False,
        deadline_ms: Annotated[
            int | None,
            typer.Option(min=0, help="Milliseconds to search, 0 without end; else as the problem says."),
        ] = None,
        address: Annotated[
            str, typer.Option(help="Ask the running service at host:port instead of solving here.")
        ] = "",
        token_file: Annotated[
            Path | None, typer.Option(help="File with a player's token, for the service of an embedded host.")
        ] = None,
    ) -> None:
        """Find the best runs for a problem and say why nothing is better: how the bound was reached, the best run of each
        train alone, and the second best set of runs with what it loses (docs/routes-json.md).

        Exit as `signalbox routes solve`."""
        raise typer.Exit(solve_file(problem, as_json, deadline_ms, address, token_file, explain=True))
