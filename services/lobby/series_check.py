"""Checks a series by the streams alone: standings from the tournaments of its divisions, promotion and points from those."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.common.eventlog.port import EventLog
from services.lobby.domain.tournaments.exports.series_file import (
    FileSeason,
    SeriesFile,
    problems_in,
    series_file_of,
    series_in,
)
from services.lobby.domain.tournaments.series.deciding import season_standings
from services.lobby.domain.tournaments.series.series import Division, Series
from services.lobby.event_codec import decode
from services.lobby.series_directory import SERIES_STREAM
from services.lobby.tournament_check import check_streams


class CheckedSeries(msgspec.Struct, frozen=True):
    """A series, its document, and what does not agree."""

    series: Series
    document: SeriesFile
    problems: tuple[str, ...]


def check_series(log: EventLog, series_id: str) -> CheckedSeries | None:
    """The series as its streams have it, with the tournaments of all its seasons; None if there is none.

    Raises `UnknownRecord`."""
    records = log.read(SERIES_STREAM + series_id)
    if not records:
        return None
    document = series_file_of([decode(each) for each in records])
    series = series_in(document)
    problems = [*problems_in(document)]
    for number, season in enumerate(document.seasons):
        problems += _problems_of(log, season, series.seasons[number].divisions)
    return CheckedSeries(series, document, tuple(problems))


def _problems_of(log: EventLog, season: FileSeason, divisions: tuple[Division, ...]) -> Iterator[str]:
    """What is wrong in the tournaments of a season, and standings that are not theirs."""
    for number, (planned, division) in enumerate(zip(season.opened.tournaments, divisions, strict=True)):
        checked = check_streams(log, planned.tournament_id)
        if checked is None:
            yield f"{planned.tournament_id}: no such tournament in this log"
            continue
        yield from (f"{planned.tournament_id}: {problem}" for problem in checked.problems)
        if season.closed is None:
            continue
        if season.closed.standings[number].players != season_standings(division, checked.tournament):
            yield f"season {season.opened.number}, division {number + 1}: its tournament has other standings"
