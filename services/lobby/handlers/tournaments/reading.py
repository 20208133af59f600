"""What is read about tournaments: standings, files, leaderboards."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection
from enum import StrEnum

from services.common.errors import InvalidRequest, NotFound
from services.lobby.domain.ratings.policy import RatingPolicy
from services.lobby.domain.ratings.ratings import LeaderboardLine, leaderboard, ratings_digest
from services.lobby.domain.ratings.reliability import Reliability
from services.lobby.domain.ratings.results import OVERALL
from services.lobby.domain.tournaments.exports.calendar import calendar_of
from services.lobby.domain.tournaments.exports.csv_table import csv_table
from services.lobby.domain.tournaments.exports.sheets import sheets_of
from services.lobby.domain.tournaments.exports.tournament_file import file_of, write_file
from services.lobby.domain.tournaments.rounds.publishing import withdrawn_players
from services.lobby.domain.tournaments.rounds.round import Round
from services.lobby.domain.tournaments.rounds.settling import policy_of, record_of_stage
from services.lobby.domain.tournaments.running import stage_standings
from services.lobby.domain.tournaments.scoring.exporting import exported
from services.lobby.domain.tournaments.scoring.standings import Line
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.handlers.tournaments.reliability import ReliabilityReader
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


class TournamentReader:
    """Answers questions; changes nothing. All raise `NotFound` for what is not there."""

    def __init__(
        self,
        streams: TournamentStreams,
        directory: TournamentDirectory,
        rating_policy: RatingPolicy,
        reliability: ReliabilityReader,
    ) -> None:
        self._reliability = reliability
        self._streams = streams
        self._directory = directory
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

    def withdrawn(self, current: Round) -> tuple[str, ...]:
        """Whom a round that is not published seats though they have withdrawn since it was proposed."""
        return withdrawn_players(self.tournament(current.tournament_id), current)

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
        """Name and content of a file of the published rounds; the calendar also has those that will be published at a time."""
        tournament = self.tournament(tournament_id)
        every = self._directory.rounds(tournament_id)
        rounds = [each for each in every if each.is_published]
        match kind:
            case ExportFormat.JSON:
                content = write_file(file_of(tournament, rounds))
            case ExportFormat.CSV:
                content = zipped(csv_files(tournament, rounds))
            case ExportFormat.ICALENDAR:
                content = calendar_of(tournament, every).encode()
            case ExportFormat.SHEETS:
                content = sheets_of(tournament, rounds).encode()
        return f"{tournament_id}.{ENDINGS[kind]}", content

    def leaderboard(self, board: str) -> tuple[tuple[LeaderboardLine, ...], str]:
        """The lines of a leaderboard, none for one without results, and the digest of all ratings."""
        boards = self._directory.ratings()
        return leaderboard(boards.get(board or OVERALL, {}), self._rating_policy), ratings_digest(boards)

    def reliability(self, players: Collection[str]) -> dict[str, Reliability]:
        """How reliable these players are, by id."""
        return self._reliability.of(players)

    def name_of(self, player_id: str) -> str:
        """The name of a player."""
        return self._directory.name_of(player_id)


def export_format(name: str) -> ExportFormat:
    """The format of this name, JSON for none. Raises `InvalidRequest`."""
    try:
        return ExportFormat(name or "json")
    except ValueError:
        raise InvalidRequest("format is not known") from None


def csv_files(tournament: Tournament, rounds: list[Round]) -> dict[str, str]:
    """The CSV files of each stage by name, and one with the names of players: the others have ids alone."""
    names = sorted((player, entry.player.name) for player, entry in tournament.entries.items())
    files = {"names.csv": csv_table(("player", "name"), names)}
    for number in range(len(tournament.stages)):
        played = [each for each in rounds if each.stage == number]
        record, policy = record_of_stage(tournament, number, played), policy_of(tournament, number)
        lines = stage_standings(tournament, number, played)
        for name, text in exported(record, policy, lines).items():
            files[f"stage-{number}/{name}"] = text
    return files


def zipped(files: dict[str, str]) -> bytes:
    """A zip file of these texts; equal texts give equal bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, ZIP_TIME), text)
    return content.getvalue()
