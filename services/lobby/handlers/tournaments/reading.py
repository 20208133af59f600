"""What is read about tournaments: standings, files, leaderboards, evidence."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from enum import StrEnum

import msgspec

from services.common.clock import Clock
from services.common.errors import InvalidRequest, NotFound, PermissionDenied
from services.lobby.directory import TableDirectory
from services.lobby.domain.games import GameSummary
from services.lobby.domain.ratings.policy import RatingPolicy
from services.lobby.domain.ratings.ratings import LeaderboardLine, leaderboard, ratings_digest
from services.lobby.domain.ratings.results import OVERALL
from services.lobby.domain.tournaments.exports.calendar import calendar_of
from services.lobby.domain.tournaments.exports.sheets import sheets_of
from services.lobby.domain.tournaments.exports.tournament_file import file_of, write_file
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.rounds.settling import policy_of, record_of_stage
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.exporting import exported
from services.lobby.domain.tournaments.scoring.standings import Line
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.tournament_directory import TournamentDirectory

ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip file can have: the same tournament gives the same bytes."""


class ExportFormat(StrEnum):
    """What a file holds."""

    JSON = "json"
    CSV = "csv"
    ICALENDAR = "icalendar"
    SHEETS = "sheets"


ENDINGS = {
    ExportFormat.JSON: "json",
    ExportFormat.CSV: "zip",
    ExportFormat.ICALENDAR: "ics",
    ExportFormat.SHEETS: "html",
}


class SeatEvidence(msgspec.Struct, frozen=True):
    """What is known about a seat; see the contract."""

    player_id: str
    used_ms: int = 0
    waiting_ms: int = 0
    overdue_count: int = 0
    worth: int = 0


class Evidence(msgspec.Struct, frozen=True):
    """What is known about a table; see the contract."""

    game_id: str
    sequence: int
    round_kind: str
    phase: str
    ending: str
    seats: tuple[SeatEvidence, ...]


class TournamentReader:
    """Answers questions; changes nothing. All raise `NotFound` for what is not there."""

    def __init__(
        self,
        streams: TournamentStreams,
        directory: TournamentDirectory,
        tables: TableDirectory,
        summary_of: Callable[[str], GameSummary | None],
        clock: Clock,
        rating_policy: RatingPolicy,
    ) -> None:
        self._streams = streams
        self._directory = directory
        self._tables = tables
        self._summary_of = summary_of
        self._clock = clock
        self._rating_policy = rating_policy

    def tournament(self, tournament_id: str) -> Tournament:
        """One tournament."""
        return self._streams.tournament(tournament_id)

    def all(self) -> list[Tournament]:
        """All tournaments, the newest first."""
        return self._directory.all()

    def rounds(self, caller_id: str, tournament_id: str) -> list[Round]:
        """The published rounds, all for directors."""
        tournament = self.tournament(tournament_id)
        rounds = self._directory.rounds(tournament_id)
        return [each for each in rounds if each.is_published or tournament.is_director(caller_id)]

    def round_counts(self, tournament_id: str) -> dict[int, int]:
        """How many rounds each stage has."""
        counts: dict[int, int] = {}
        for each in self._directory.rounds(tournament_id):
            counts[each.stage] = counts.get(each.stage, 0) + 1
        return counts

    def standings(self, tournament_id: str, stage: int) -> tuple[Tournament, tuple[Line, ...]]:
        """The standings of a stage that has begun."""
        tournament = self.tournament(tournament_id)
        if not 0 <= stage < len(tournament.stages):
            raise NotFound("this stage has not begun, or there is none")
        return tournament, stage_standings(tournament, stage, self._directory.rounds(tournament_id, stage))

    def exported(self, tournament_id: str, kind: ExportFormat) -> tuple[str, bytes]:
        """Name and content of a file of the published rounds."""
        tournament = self.tournament(tournament_id)
        rounds = [each for each in self._directory.rounds(tournament_id) if each.is_published]
        match kind:
            case ExportFormat.JSON:
                content = write_file(file_of(tournament, rounds))
            case ExportFormat.CSV:
                content = _zipped(csv_files(tournament, rounds))
            case ExportFormat.ICALENDAR:
                content = calendar_of(tournament, rounds).encode()
            case ExportFormat.SHEETS:
                content = sheets_of(tournament, rounds).encode()
        return f"{tournament_id}.{ENDINGS[kind]}", content

    def leaderboard(self, board: str) -> tuple[tuple[LeaderboardLine, ...], str]:
        """The lines of a leaderboard, none for one without results, and the digest of all ratings."""
        boards = self._directory.ratings()
        return leaderboard(boards.get(board or OVERALL, {}), self._rating_policy), ratings_digest(boards)

    def name_of(self, player_id: str) -> str:
        """The name of a player."""
        return self._directory.name_of(player_id)

    def evidence(self, caller_id: str, round_id: str, number: int) -> Evidence:
        """What an adjudication of a table can rest on. Raises `PermissionDenied` for others than directors."""
        current = self._streams.round(round_id)
        if not self.tournament(current.tournament_id).is_director(caller_id):
            raise PermissionDenied("only directors of the tournament see the evidence")
        state = current.tables.get(number)
        if state is None:
            raise NotFound("the round has no such table")
        summary = self._summary_of(state.table.game_id) if state.table.game_id else None
        table = self._tables.get(state.table.table_id) if state.table.table_id else None
        now_ms = self._clock.now_ms()
        clocks = {each.player_id: each for each in (summary.clocks if summary is not None else ())}
        overdue = {each.player_id: each.turn_count for each in (table.overdue if table is not None else ())}
        worths = {each.player_id: each.value for each in (table.results if table is not None else ())}
        seats = []
        for player in state.table.seats:
            clock = clocks.get(player)
            used, waiting = (0, 0) if clock is None else (clock.used_ms, clock.thinking_ms(now_ms))
            seats.append(SeatEvidence(player, used, waiting, overdue.get(player, 0), worths.get(player, 0)))
        status = None if summary is None else summary.status
        return Evidence(
            game_id=state.table.game_id,
            sequence=0 if status is None else status.sequence,
            round_kind="" if status is None else status.round_kind,
            phase="" if status is None else status.phase,
            ending="" if status is None else status.ending,
            seats=tuple(seats),
        )


def export_format(name: str) -> ExportFormat:
    """The format of this name, JSON for none. Raises `InvalidRequest`."""
    try:
        return ExportFormat(name or "json")
    except ValueError:
        raise InvalidRequest("format is not known") from None


def csv_files(tournament: Tournament, rounds: list[Round]) -> dict[str, str]:
    """The CSV files of each stage by name."""
    files = {}
    for number in range(len(tournament.stages)):
        played = [each for each in rounds if each.stage == number]
        record, policy = record_of_stage(tournament, number, played), policy_of(tournament)
        lines = stage_standings(tournament, number, played)
        for name, text in exported(record, policy, lines).items():
            files[f"stage-{number}/{name}"] = text
    return files


def _zipped(files: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, ZIP_TIME), text)
    return content.getvalue()
