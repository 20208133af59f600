"""`signalbox reference`: writes the reference pages from the code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.rules.describe import rejections_table, rulings_table
from services.rules.titles import TITLES


def reference(
    folder: Annotated[Path, typer.Argument(help="Where the pages go.")] = Path("docs/reference"),
) -> None:
    """Write the tables of rulings and of rejection reasons."""
    folder.mkdir(parents=True, exist_ok=True)
    for title in TITLES.values():
        (folder / f"rulings-{title.name}.md").write_text(rulings_table(title), encoding="utf-8")
    (folder / "rejections.md").write_text(rejections_table(), encoding="utf-8")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(reference)
