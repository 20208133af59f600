"""`signalbox routes explain`: the best runs for a problem given as JSON, and why nothing is better."""

from __future__ import annotations

import typer

from services.cli.routes_options import Address, AsJson, DeadlineMs, ProblemFile, TokenFile
from services.cli.routes_solve import solve_file


def register(app: typer.Typer) -> None:
    """Add the command `explain` to `app`."""

    @app.command("explain")
    def explain_command(
        problem: ProblemFile,
        as_json: AsJson = False,
        deadline_ms: DeadlineMs = None,
        address: Address = "",
        token_file: TokenFile = None,
    ) -> None:
        """Find the best runs for a problem and say why nothing is better: how the bound was reached, the best run of each
        train alone, and the second best set of runs with what it loses (docs/routes-json.md).

        Exit as `signalbox routes solve`."""
        raise typer.Exit(solve_file(problem, as_json, deadline_ms, address, token_file, explain=True))
