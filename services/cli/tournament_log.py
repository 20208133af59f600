"""Tournaments of a platform, read from its event log or from an exported file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import typer

from services.cli.lobby_log import are_written, checked_in_log
from services.common.shown import counted
from services.lobby.domain.tournaments.exports.calendar import calendar_of
from services.lobby.domain.tournaments.exports.sheets import sheets_of
from services.lobby.domain.tournaments.exports.tournament_file import (
    FORMAT,
    check_file,
    file_of,
    read_file,
    write_file,
)
from services.lobby.domain.tournaments.rejections import TournamentRejected
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.explaining import explanation, points
from services.lobby.domain.tournaments.scoring.standings import Line
from services.lobby.handlers.tournaments.reading import csv_files
from services.lobby.tournament_check import check_streams

WRONG = 2


def check_in_log(tournament_id: str, location: str = "") -> int:
    """Check a tournament by its streams and print its standings; returns the exit code."""
    checked = checked_in_log("tournament", tournament_id, check_streams, location)
    if checked is None:
        return WRONG
    tournament = checked.tournament
    for stage in range(len(tournament.stages)):
        typer.echo(tournament.charter.stages[stage].name)
        rounds = [each for each in checked.rounds if each.stage == stage]
        for text in show_lines(stage_standings(tournament, stage, rounds), tournament.name_of):
            typer.echo(text)
    for note in checked.notes:
        typer.echo(f"{tournament_id}: {note}")
    for problem in checked.problems:
        typer.echo(f"{tournament_id}: {problem}", err=True)
    if checked.problems:
        return WRONG
    typer.echo("pairings, results and standings follow from the streams")
    return 0


def export_from_log(tournament_id: str, folder: Path, location: str = "") -> int:
    """Write all files of a tournament; returns the exit code."""
    checked = checked_in_log("tournament", tournament_id, check_streams, location)
    if checked is None:
        return WRONG
    tournament, rounds = checked.tournament, list(checked.rounds)
    files = {
        f"{tournament_id}.json": write_file(file_of(tournament, rounds)).decode(),
        f"{tournament_id}.ics": calendar_of(tournament, (*rounds, *checked.scheduled)),
        f"{tournament_id}.html": sheets_of(tournament, rounds),
        **csv_files(tournament, rounds),
    }
    return 0 if are_written(files, folder) else WRONG


def is_tournament_file(path: Path) -> bool:
    """Whether a file is the export of a tournament, not an event of `simulate`."""
    return path.is_file() and f'"{FORMAT}"'.encode() in path.read_bytes()


def check_tournament_file(path: Path) -> int:
    """Check the export of a tournament and print its standings; returns the exit code."""
    try:
        document = read_file(path.read_bytes())
        check_file(document)
    except TournamentRejected as rejected:
        typer.echo(f"{path}: {rejected.sentence} ({rejected.reason})", err=True)
        return WRONG
    for stage in document.stages:
        typer.echo(stage.name)
        for text in show_lines(stage.standings, lambda player: document.players.get(player, player)):
            typer.echo(text)
    return 0


def show_lines(lines: Iterable[Line], name_of: Callable[[str], str]) -> Iterator[str]:
    """Standings as text, two lines for each player."""
    for line in lines:
        marks = " (withdrawn)" if line.is_withdrawn else ""
        name = name_of(line.player)
        yield f"{line.rank}. {name}{marks}: {points(line.points)}, {counted(line.tables, 'table')}"
        yield f"   {explanation(line)}"
