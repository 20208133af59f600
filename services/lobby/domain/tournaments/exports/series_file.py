"""A series as files: one JSON document that holds all seasons, and tables of standings and points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.exports.csv_table import csv_table
from services.lobby.domain.tournaments.formats.season import next_divisions, series_after
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.series.series import (
    Division,
    DivisionTournament,
    SeasonClosed,
    SeasonOpened,
    Series,
    SeriesCreated,
    SeriesEvent,
    in_order,
    series_after as series_with,
)
from services.lobby.domain.tournaments.tournament import BrokenTournamentLog

FORMAT = "signalbox series file 1"


class FileDivision(msgspec.Struct, frozen=True):
    """The tournament of a division with its published seed. The seed of its games is secret: their later draws come from it."""

    tournament_id: str
    seed: int


class FileOpening(msgspec.Struct, frozen=True):
    """How a season began, as `SeasonOpened`."""

    number: int
    charter: Charter
    tournaments: tuple[FileDivision, ...]
    author: str
    time_ms: int


class FileSeason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a season began, and how it ended if it is over."""

    opened: FileOpening
    closed: SeasonClosed | None = None


class SeriesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole document: what was recorded of the series, in order."""

    format: str
    created: SeriesCreated
    seasons: tuple[FileSeason, ...] = ()


_decoder = msgspec.json.Decoder(SeriesFile)


def series_file_of(events: Sequence[SeriesEvent]) -> SeriesFile:
    """The document of a series from its events."""
    first, *later = events
    assert isinstance(first, SeriesCreated), "a series begins so"
    closed = {each.number: each for each in later if isinstance(each, SeasonClosed)}
    seasons = (each for each in later if isinstance(each, SeasonOpened))
    return SeriesFile(
        FORMAT, first, tuple(FileSeason(_opening(each), closed.get(each.number)) for each in seasons)
    )


def write_series_file(document: SeriesFile) -> bytes:
    """The document as canonical JSON."""
    return msgspec.json.encode(msgspec.to_builtins(document, str_keys=True), order="deterministic")


def read_series_file(content: bytes) -> SeriesFile:
    """The document in a file. Raises `TournamentRejected` (FILE_MALFORMED)."""
    try:
        document = _decoder.decode(content)
    except msgspec.DecodeError as error:
        raise TournamentRejected(Reason.FILE_MALFORMED, str(error)) from None
    if document.format != FORMAT:
        raise TournamentRejected(Reason.FILE_MALFORMED, f"the format is not {FORMAT!r}")
    return document


def series_in(document: SeriesFile) -> Series:
    """The series as it is after everything in a document, the secret seeds being 0.

    Raises `TournamentRejected` (FILE_MALFORMED)."""
    try:
        series = series_with(None, document.created)
        for event in _later(document):
            series = series_with(series, event)
    except (BrokenTournamentLog, LookupError) as problem:
        raise TournamentRejected(Reason.FILE_MALFORMED, str(problem)) from None
    return series


def problems_in(document: SeriesFile) -> Iterator[str]:
    """Divisions and points that do not follow from the standings of their seasons."""
    rule, points = document.created.rule, dict[str, int]()
    for season in document.seasons:
        closed = season.closed
        if closed is None:
            continue
        standings = [each.players for each in closed.standings]
        newcomers = [each.player_id for each in closed.newcomers]
        following = next_divisions(standings, rule, newcomers, closed.leaving)
        if tuple(map(Division, following)) != closed.divisions:
            yield f"season {closed.number}: the divisions of the next one do not follow from its standings"
        points = series_after(points, standings, rule)
        if in_order(points) != closed.points:
            yield f"season {closed.number}: the points do not follow from the standings"


def series_tables(series: Series) -> dict[str, str]:
    """Two CSV files by name: where everybody played and placed in each season, and the points of the series."""
    return {
        "seasons.csv": csv_table(
            ("season", "division", "rank", "player", "name", "tournament"), _ranks(series)
        ),
        "points.csv": csv_table(
            ("player", "name", "points"),
            ((each.player_id, series.players[each.player_id].name, each.points) for each in series.points),
        ),
    }


def _ranks(series: Series) -> Iterable[Sequence[object]]:
    for season in series.seasons:
        for number, division in enumerate(season.standings, 1):
            tournament = season.tournaments[number - 1].tournament_id
            for rank, player in enumerate(division.players, 1):
                yield season.number, number, rank, player, series.players[player].name, tournament


def _opening(event: SeasonOpened) -> FileOpening:
    divisions = tuple(FileDivision(each.tournament_id, each.seed) for each in event.tournaments)
    return FileOpening(event.number, event.charter, divisions, event.author, event.time_ms)


def _later(document: SeriesFile) -> Iterator[SeasonOpened | SeasonClosed]:
    for season in document.seasons:
        opened = season.opened
        planned = tuple(DivisionTournament(each.tournament_id, each.seed, 0) for each in opened.tournaments)
        yield SeasonOpened(opened.number, opened.charter, planned, opened.author, opened.time_ms)
        if season.closed is not None:
            yield season.closed
