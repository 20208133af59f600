"""`signalbox titles`: which titles can be played, and one of them with options, rulings and everything printed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Protocol

import typer
from google.protobuf import json_format
from google.protobuf.message import Message
from rich.console import Console

from services.cli.titletext import summary_table, title_tables
from services.client.calls import NotAnsweredError
from services.client.titles import Titles
from services.common.errors import SignalboxError
from services.gen.signalbox.rules.v1 import title_pb2 as pb
from services.rules.catalogue import TableRulings
from services.rules.titlereader import TitleReader
from services.rules.titles import TITLES

FAILED = 1
# Wide enough for the table of rulings when the output is no terminal.
WIDTH_OF_FILES = 200


class Source(Protocol):
    """Where titles are read: those installed here, or those of a server."""

    def summaries(self) -> Sequence[pb.TitleSummary]:
        """All titles."""

    def title(self, name: str, options: Sequence[str], ruling_profile: str, *, players: int) -> pb.TitleView:
        """One of them. Raises `SignalboxError` or `NotAnsweredError`."""


class InstalledTitles:
    """The titles of this installation; no server is needed."""

    def __init__(self) -> None:
        self._reader = TitleReader(TITLES)

    def summaries(self) -> Sequence[pb.TitleSummary]:
        """See `Source`."""
        return self._reader.summaries()

    def title(self, name: str, options: Sequence[str], ruling_profile: str, *, players: int) -> pb.TitleView:
        """See `Source`."""
        return self._reader.title(name, tuple(options), TableRulings(ruling_profile, {}), players).view()


def titles(
    title: Annotated[str, typer.Argument(help="Title to show; all are listed without one.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="Option in play, which changes what is printed; repeatable.")
    ] = None,
    profile: Annotated[
        str, typer.Option(help="Profile of rulings in play; the rulebook's without one.")
    ] = "",
    players: Annotated[
        int, typer.Option(min=0, help="Number of players, where an option prints other figures for each.")
    ] = 0,
    server: Annotated[
        str, typer.Option(help="Ask this rules service, host:port, instead of what is installed.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
) -> None:
    """List the titles, or show one: options, rulings, companies, trains, phases, tiles and chart."""
    try:
        source: Source = Titles(server) if server else InstalledTitles()
        if not title:
            _show_all(source.summaries(), as_json)
        else:
            _show(source.title(title, option or [], profile, players=players), as_json)
    except (SignalboxError, NotAnsweredError) as problem:
        typer.echo(f"signalbox titles: {problem}", err=True)
        raise typer.Exit(FAILED) from problem


def _show_all(summaries: Sequence[pb.TitleSummary], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([_plain(each) for each in summaries], indent=2))
    else:
        _console().print(summary_table(summaries))


def _show(view: pb.TitleView, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_plain(view), indent=2))
        return
    console = _console()
    console.print(f"{view.title}: {view.name}. Bank {view.bank}. {view.layout}", highlight=False)
    for table in title_tables(view):
        console.print(table)


def _plain(message: Message) -> object:
    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH_OF_FILES)


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(titles)
