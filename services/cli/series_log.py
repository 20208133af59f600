"""Series of a platform, read from its event log or from an exported file."""

from __future__ import annotations

from pathlib import Path

import typer

from services.cli.lobby_log import are_written, checked_in_log
from services.common.shown import counted
from services.lobby.domain.tournaments.exports.series_file import (
    problems_in,
    read_series_file,
    series_in,
    series_tables,
    write_series_file,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.series.series import Series
from services.lobby.series_check import check_series

WRONG = 2


def check_series_in_log(series_id: str, location: str = "") -> int:
    """Check a series by its streams and those of its tournaments, and print it; returns the exit code."""
    checked = checked_in_log("series", series_id, check_series, location)
    return WRONG if checked is None else _shown(checked.series, checked.problems, "the streams")


def check_series_file(path: Path) -> int:
    """Check the export of a series and print it; returns the exit code."""
    try:
        document = read_series_file(path.read_bytes())
        return _shown(series_in(document), tuple(problems_in(document)), "the standings")
    except (OSError, TournamentRejected) as problem:
        typer.echo(f"{path}: {problem}", err=True)
        return WRONG


def export_series_from_log(series_id: str, folder: Path, location: str = "") -> int:
    """Write the files of a series; returns the exit code."""
    checked = checked_in_log("series", series_id, check_series, location)
    if checked is None:
        return WRONG
    files = {
        f"{series_id}.json": write_series_file(checked.document).decode(),
        **series_tables(checked.series),
    }
    return 0 if are_written(files, folder) else WRONG


def _shown(series: Series, problems: tuple[str, ...], source: str) -> int:
    for season in series.seasons:
        for number, division in enumerate(season.standings, 1):
            names = ", ".join(series.players[player].name for player in division.players)
            typer.echo(f"season {season.number}, division {number}: {names}")
    for each in series.points:
        typer.echo(f"{series.players[each.player_id].name}: {counted(each.points, 'point')}")
    for problem in problems:
        typer.echo(f"{series.series_id}: {problem}", err=True)
    if problems:
        return WRONG
    typer.echo(f"divisions, promotion and points follow from {source}")
    return 0
