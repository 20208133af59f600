"""A series as files: one JSON document that holds all seasons, and tables of standings and points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.exports.csv_table import csv_table
from services.lobby.domain.tournaments.formats.season import series_after
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.domain.tournaments.series.members import (
    divisions_after,
    divisions_changed,
    playing_divisions,
)
from services.lobby.domain.tournaments.series.series import (
    ALL_MEMBERS,
    Division,
    DivisionTournament,
    MembersChanged,
    SeasonClosed,
    SeasonOpened,
    Series,
    SeriesCreated,
    SeriesEvent,
    SeriesJoined,
    SeriesLeft,
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
    divisions: tuple[Division, ...] = ALL_MEMBERS


class FileChange(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One of three: a member joined or left, or the director named others. `version`: that of the series after it."""

    version: int
    joined: SeriesJoined | None = None
    left: SeriesLeft | None = None
    changed: MembersChanged | None = None


class FileSeason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a season began, and how it ended if it is over."""

    opened: FileOpening
    closed: SeasonClosed | None = None


class SeriesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole document: what was recorded of the series. `seasons` are in order, with the changes of `members` between."""

    format: str
    created: SeriesCreated
    seasons: tuple[FileSeason, ...] = ()
    members: tuple[FileChange, ...] = ()


_decoder = msgspec.json.Decoder(SeriesFile)


def series_file_of(events: Sequence[SeriesEvent]) -> SeriesFile:
    """The document of a series from its events."""
    first, *later = events
    assert isinstance(first, SeriesCreated), "a series begins so"
    closed = {each.number: each for each in later if isinstance(each, SeasonClosed)}
    seasons = (each for each in later if isinstance(each, SeasonOpened))
    return SeriesFile(
        FORMAT,
        first,
        tuple(FileSeason(_opening(each), closed.get(each.number)) for each in seasons),
        tuple(_changes(events)),
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
    series = _with(None, document.created)
    for _, event in _steps(document):
        series = _with(series, event)
    return series


def problems_in(document: SeriesFile) -> Iterator[str]:
    """Seasons that seat members who had not agreed, divisions and points that do not follow from what came before.

    Raises like `series_in`."""
    rule, points = document.created.rule, dict[str, int]()
    for series, event in _steps(document):
        match event:
            case SeasonOpened(number=number, divisions=divisions):
                if divisions not in (ALL_MEMBERS, playing_divisions(series)):
                    yield f"season {number}: it is not played by the members who had agreed"
            case MembersChanged(newcomers=newcomers, leaving=leaving, divisions=divisions):
                if divisions != divisions_changed(series, newcomers, leaving):
                    yield f"version {series.version + 1}: the divisions do not follow from the change of members"
            case SeasonClosed(number=number, newcomers=newcomers, leaving=leaving):
                standings = [each.players for each in event.standings]
                if event.divisions != divisions_after(series, standings, newcomers, leaving, rule):
                    yield f"season {number}: the divisions of the next one do not follow from its standings"
                points = series_after(points, standings, rule)
                if in_order(points) != event.points:
                    yield f"season {number}: the points do not follow from the standings"


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
    return FileOpening(event.number, event.charter, divisions, event.author, event.time_ms, event.divisions)


def _changes(events: Sequence[SeriesEvent]) -> Iterator[FileChange]:
    for version, event in enumerate(events, 1):
        match event:
            case SeriesJoined():
                yield FileChange(version, joined=event)
            case SeriesLeft():
                yield FileChange(version, left=event)
            case MembersChanged():
                yield FileChange(version, changed=event)


def _steps(document: SeriesFile) -> Iterator[tuple[Series, SeriesEvent]]:
    """Every event but the first, with the series before it. Raises `TournamentRejected` (FILE_MALFORMED)."""
    series = _with(None, document.created)
    for event in _later(document):
        yield series, event
        series = _with(series, event)


def _with(series: Series | None, event: SeriesEvent) -> Series:
    try:
        return series_with(series, event)
    except (BrokenTournamentLog, LookupError) as problem:
        raise TournamentRejected(Reason.FILE_MALFORMED, str(problem)) from None


def _later(document: SeriesFile) -> Iterator[SeriesEvent]:
    """Every event but the first, in order."""
    seasons = _of_seasons(document)
    version = 1
    for change in document.members:
        events = [each for each in (change.joined, change.left, change.changed) if each is not None]
        before = list(islice(seasons, max(0, change.version - version - 1)))
        version += len(before) + 1
        if len(events) != 1 or change.version != version:
            raise TournamentRejected(Reason.FILE_MALFORMED, "the changes of members are not in order")
        yield from (*before, *events)
    yield from seasons


def _of_seasons(document: SeriesFile) -> Iterator[SeasonOpened | SeasonClosed]:
    for season in document.seasons:
        opened = season.opened
        yield SeasonOpened(
            opened.number,
            opened.charter,
            tuple(DivisionTournament(each.tournament_id, each.seed, 0) for each in opened.tournaments),
            opened.author,
            opened.time_ms,
            opened.divisions,
        )
        if season.closed is not None:
            yield season.closed
