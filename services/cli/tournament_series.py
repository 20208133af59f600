"""`signalbox tournament series`: series of seasons with promotion and relegation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from services.cli.series_log import check_series_file, check_series_in_log, export_series_from_log
from services.cli.tournament_calls import (
    AT_HOME,
    TOKEN_FILE,
    Server,
    TokenFile,
    explained,
    token_in,
    whole_number,
)
from services.client.tournaments import Series
from services.common.shown import counted
from services.gen.signalbox.lobby.v1 import tournament_series_pb2 as pb

SeriesId = Annotated[str, typer.Argument(metavar="SERIES", help="Id of the series.")]
SeriesFileOrId = Annotated[
    str, typer.Argument(metavar="SERIES", help="Id of the series, or a JSON file as export writes it.")
]
Log = Annotated[
    str,
    typer.Option(
        "--log",
        metavar="LOCATION",
        help="sqlite:FILE, kafka: or kafka:HOST:PORT/PREFIX; the file of the settings by default.",
    ),
]
Players = Annotated[list[str] | None, typer.Option(help="Name or id of a player; may be repeated.")]


def add_series_commands(app: typer.Typer) -> None:
    """Add the commands under `series` to `app`."""
    series = typer.Typer(no_args_is_help=True, help="Seasons: divisions, promotion, relegation, points.")
    _add_create(series)
    _add_members(series)
    _add_seasons(series)
    _add_reading(series)
    _add_checking(series)
    app.add_typer(series, name="series")


def _add_create(app: typer.Typer) -> None:
    @app.command("create")
    def create_command(
        name: Annotated[str, typer.Argument(help="Name of the series.")],
        division: Annotated[
            list[str], typer.Option(help="PLAYER,PLAYER,... by name or id; once for each, the highest first.")
        ],
        moving: Annotated[int, typer.Option(help="How many move up and down between two divisions.")] = 2,
        size: Annotated[int, typer.Option(help="Players of a division; the lowest may have fewer.")] = 8,
        points: Annotated[
            str, typer.Option(help="Points of each rank, over all divisions from the highest down: 10,8,6.")
        ] = "",
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Set up a series; you direct it and the tournaments of its seasons. Its players are invited, see join."""
        with _series_at(server, token_file) as client:
            ranks = [whole_number(each, "--points") for each in points.split(",")] if points else []
            rule = pb.SeasonRule(moving=moving, division_size=size, series_points=ranks)
            _show(client.create(name, rule, [each.split(",") for each in division]))


def _add_members(app: typer.Typer) -> None:
    @app.command("join")
    def join_command(series: SeriesId, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """Agree to play the seasons that begin later, where its director has named you."""
        with _series_at(server, token_file) as client:
            _show(client.join(series))

    @app.command("leave")
    def leave_command(series: SeriesId, server: Server = AT_HOME, token_file: TokenFile = TOKEN_FILE) -> None:
        """Play no further season; one that runs is played on."""
        with _series_at(server, token_file) as client:
            _show(client.leave(series))

    @app.command("members")
    def members_command(
        series: SeriesId,
        newcomer: Players = None,
        leaving: Players = None,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Between seasons: invite players at the bottom, take members out."""
        with _series_at(server, token_file) as client:
            _show(client.change_members(series, newcomer or (), leaving or ()))


def _add_seasons(app: typer.Typer) -> None:
    @app.command("open-season")
    def open_command(
        series: SeriesId,
        charter: Annotated[Path, typer.Argument(metavar="CHARTER.json", help="Charter of every division.")],
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """Begin the next season: a tournament for each division, its players entered who have agreed."""
        with _series_at(server, token_file) as client:
            _show(client.open_season(series, charter.read_text(encoding="utf-8")))

    @app.command("close-season")
    def close_command(
        series: SeriesId,
        newcomer: Players = None,
        leaving: Players = None,
        server: Server = AT_HOME,
        token_file: TokenFile = TOKEN_FILE,
    ) -> None:
        """End the season once the tournaments of all divisions are over."""
        with _series_at(server, token_file) as client:
            _show(client.close_season(series, newcomer or (), leaving or ()))


def _add_reading(app: typer.Typer) -> None:
    @app.command("show")
    def show_command(series: SeriesId, server: Server = AT_HOME) -> None:
        """Print divisions, seasons and points of a series."""
        with _series_at(server) as client:
            _show(client.get(series))

    @app.command("list")
    def list_command(server: Server = AT_HOME) -> None:
        """Print all series, the newest first."""
        with _series_at(server) as client:
            for each in client.all():
                typer.echo(f"{each.series_id}  {each.name}: {len(each.seasons)} seasons")


def _add_checking(app: typer.Typer) -> None:
    @app.command("check")
    def check_command(series: SeriesFileOrId, log: Log = "") -> None:
        """Compute promotion and points again from the standings of each season.

        For the id of a series its streams in the log are read, and the tournaments of all seasons are checked too.

        Exit 2: the series cannot be read, or something does not follow."""
        path = Path(series)
        raise typer.Exit(
            check_series_file(path) if path.exists() or path.suffix else check_series_in_log(series, log)
        )

    @app.command("export")
    def export_command(
        series: SeriesId,
        folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder for the files.")],
        log: Log = "",
    ) -> None:
        """Write a series as JSON, and the standings of its seasons and its points as CSV."""
        raise typer.Exit(export_series_from_log(series, folder, log))


@contextmanager
def _series_at(server: str, token_file: Path | None = None) -> Iterator[Series]:
    with explained():
        client = Series(server, "" if token_file is None else token_in(token_file))
        try:
            yield client
        finally:
            client.close()


def _show(series: pb.Series) -> None:
    names = {each.player_id: each.name for each in series.players}

    def named(division: pb.Division) -> str:
        return ", ".join(names[player] for player in division.players)

    def marked(player: str) -> str:
        return names[player] if player in series.agreed else f"{names[player]} (invited)"

    typer.echo(f"{series.series_id}  {series.name}")
    for season in series.seasons:
        state = "over" if season.standings else "running"
        typer.echo(f"  season {season.number}: {state}")
        shown = season.standings or season.divisions
        for number, (tournament_id, division) in enumerate(zip(season.tournament_ids, shown, strict=True), 1):
            typer.echo(f"    division {number}, {tournament_id}: {named(division)}")
    is_running = bool(series.seasons) and not series.seasons[-1].standings
    typer.echo("  members" if is_running else "  next season")
    for number, division in enumerate(series.divisions, 1):
        typer.echo(f"    division {number}: {', '.join(map(marked, division.players))}")
    for each in series.points:
        typer.echo(f"  {names[each.player_id]}: {counted(each.points, 'point')}")
