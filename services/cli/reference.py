"""`signalbox reference` and `signalbox rulings`: reference pages written from the code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.rules.describe import rejections_table, rulings_table
from services.rules.importer.profile import cases_of, profile_page
from services.rules.titles import TITLES

UNKNOWN_TITLE = 2


def reference(
    folder: Annotated[Path, typer.Argument(help="Where the pages go.")] = Path("docs/reference"),
) -> None:
    """Write the tables of rulings and of rejection reasons, and what 18xx.games does under each ruling."""
    folder.mkdir(parents=True, exist_ok=True)
    for title in TITLES.values():
        (folder / f"rulings-{title.name}.md").write_text(rulings_table(title), encoding="utf-8")
        if cases_of(title):
            (folder / f"profile-{title.name}.md").write_text(profile_page(title), encoding="utf-8")
    (folder / "rejections.md").write_text(rejections_table(TITLES.values()), encoding="utf-8")


def rulings(
    title: Annotated[str, typer.Argument(help=f"One of: {', '.join(TITLES)}.")],
) -> None:
    """Print the rulings of a title: what each decides, its values, and how games recorded elsewhere play it."""
    if title not in TITLES:
        typer.echo(f"{title!r} is not one of {', '.join(TITLES)}", err=True)
        raise typer.Exit(UNKNOWN_TITLE)
    typer.echo(rulings_table(TITLES[title]), nl=False)


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(reference)
    app.command()(rulings)
