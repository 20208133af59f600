"""What the commands that solve a problem take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

ProblemFile: TypeAlias = Annotated[
    str, typer.Argument(metavar="PROBLEM.json", help="A problem as JSON; - reads standard input.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the solution as one JSON object.")]
DeadlineMs: TypeAlias = Annotated[
    int | None, typer.Option(min=0, help="Milliseconds to search, 0 without end; else as the problem says.")
]
Address: TypeAlias = Annotated[
    str, typer.Option(help="Ask the running service at host:port instead of solving here.")
]
TokenFile: TypeAlias = Annotated[
    Path | None, typer.Option(help="File with a player's token, for the service of an embedded host.")
]
