"""All tournaments and their rounds: a projection of the log in memory, brought up to date at every question.

A tournament with a record that this version cannot read is left out of every list, and asking for it raises `UnknownRecord`."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial

from services.common.errors import InvalidRequest
from services.common.eventlog.port import EventLog, Record
from services.common.eventlog.unread import UnreadRecords
from services.common.telemetry.logs import get_logger
from services.lobby.domain.directing import SeatTakers
from services.lobby.domain.ratings.policy import RatingPolicy
from services.lobby.domain.ratings.ratings import Boards
from services.lobby.domain.ratings.results import RatedResult
from services.lobby.domain.tournaments.rounds.round import (
    NoShowRecorded,
    Round,
    RoundEvent,
    round_after,
)
from services.lobby.domain.tournaments.rounds.settling import rated_results, settled_result
from services.lobby.domain.tournaments.rounds.substituting import last_player
from services.lobby.domain.tournaments.scoring.absence import GameFinished, NoShow, banned_until_ms
from services.lobby.domain.tournaments.tournament import (
    BrokenTournamentLog,
    CharterAmended,
    EntryMade,
    RoleGiven,
    Tournament,
    TournamentEvent,
    tournament_after,
)
from services.lobby.domain.tournaments.writers import writer_of
from services.lobby.event_codec import UnknownRecord, decode
from services.lobby.ratings_projection import RatingsProjection, RoundKey
from services.lobby.usage import StoredBytes

TOURNAMENT_STREAM = "lobby.tournament."
ROUND_STREAM = "lobby.round."
ROUND_NUMBERS = re.compile(r"(0|[1-9][0-9]{0,3})\.[1-9][0-9]{0,3}")
"""Each round has one id only, since its stream bears it."""

TakersOf = Callable[[str], SeatTakers]
Broken = (UnknownRecord, BrokenTournamentLog, KeyError, IndexError)


class TournamentState(StrEnum):
    """How far a tournament is."""

    ENTRIES = "entries"
    RUNNING = "running"
    OVER = "over"


class TournamentDirectory:
    """Answers questions about tournaments; every answer includes everything written before the question."""

    def __init__(
        self, log: EventLog, rating_policy: RatingPolicy, takers_of: TakersOf = lambda _table_id: ()
    ) -> None:
        """`takers_of`: who took seats at a table of the lobby, by its id, empty for a table that is played elsewhere."""
        self._takers_of = takers_of
        self._ratings = RatingsProjection(rating_policy, self._rated_results)
        self._lock = threading.Lock()
        self._unread_tournaments = UnreadRecords(log, TOURNAMENT_STREAM)
        self._unread_rounds = UnreadRecords(log, ROUND_STREAM)
        self._tournaments: dict[str, Tournament] = {}
        self._rounds: dict[str, dict[tuple[int, int], Round]] = {}
        self._why_unreadable: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._missed_a_table: set[str] = set()
        self._stored = StoredBytes()

    def get(self, tournament_id: str) -> Tournament | None:
        """One tournament. Raises `UnknownRecord` where it cannot be read."""
        with self._lock:
            self._catch_up()
            if tournament_id in self._why_unreadable:
                raise UnknownRecord(self._why_unreadable[tournament_id])
            return self._tournaments.get(tournament_id)

    def rounds(self, tournament_id: str, stage: int | None = None) -> list[Round]:
        """The rounds of a tournament, or of one stage of it, by stage and number."""
        with self._lock:
            self._catch_up()
            found = sorted(self._rounds.get(tournament_id, {}).items())
            return [each for (number, _), each in found if stage is None or number == stage]

    def round(self, round_id: str) -> Round | None:
        """One round."""
        tournament_id, stage, number = parsed_round_id(round_id)
        with self._lock:
            self._catch_up()
            return self._rounds.get(tournament_id, {}).get((stage, number))

    def unpublished(self) -> list[Round]:
        """The rounds of running stages that have a time to be published, or whose tables are not all made."""
        with self._lock:
            self._catch_up()
            return [
                current
                for tournament_id, tournament in self._tournaments.items()
                if not tournament.is_finished
                for current in self._rounds.get(tournament_id, {}).values()
                if current.publish_time_ms > 0 and not current.are_tables_made
            ]

    def all(self) -> list[Tournament]:
        """All tournaments, the newest first."""
        with self._lock:
            self._catch_up()
            return list(reversed(self._tournaments.values()))

    def count(self, state: TournamentState) -> int:
        """How many tournaments are in this state."""
        return sum(_state_of(each) is state for each in self.all())

    def directed_by(self, player_id: str) -> int:
        """How many unfinished tournaments a player directs."""
        return sum(each.is_director(player_id) and not each.is_finished for each in self.all())

    def stored_bytes_of(self, player_id: str) -> int:
        """The bytes that the requests of a player have stored in tournaments and their rounds."""
        with self._lock:
            self._catch_up()
            return self._stored.of(player_id)

    def name_of(self, player_id: str) -> str:
        """The name of a player who has entered any tournament, else the id."""
        with self._lock:
            self._catch_up()
            return self._names.get(player_id, player_id)

    def banned_until_ms(self, player_id: str, wanted: Tournament) -> int:
        """Until when a player may not enter a tournament because of absences, 0 without a ban.

        Those count that somebody recorded who directs it, and those of events whose bans reach all others."""
        with self._lock:
            self._catch_up()
            if player_id not in self._missed_a_table:
                return 0
        history: list[NoShow | GameFinished] = []
        for tournament in self.all():
            does_count = partial(_does_count, tournament, wanted)
            for current in self.rounds(tournament.tournament_id):
                history += _history(current, player_id, does_count, self._takers_of)
        return banned_until_ms(sorted(history, key=lambda each: each.at_ms))

    def ratings(self) -> Boards:
        """The ratings from all results that count now: an end that was undone leaves no trace."""
        with self._lock:
            self._catch_up()
            boards = self._ratings.boards()
            return {name: dict(board) for name, board in boards.items()}

    def _rated_results(self, key: RoundKey) -> Iterable[RatedResult]:
        tournament_id, stage, number = key
        tournament = self._tournaments.get(tournament_id)
        current = self._rounds.get(tournament_id, {}).get((stage, number))
        if tournament is None or current is None:
            return ()
        return rated_results(tournament.charter, current)

    def _catch_up(self) -> None:
        for record in self._unread_tournaments:
            self._fold_tournament(record)
        for record in self._unread_rounds:
            self._fold_round(record)

    def _fold_tournament(self, record: Record) -> None:
        tournament_id = record.stream.removeprefix(TOURNAMENT_STREAM)
        if tournament_id in self._why_unreadable:
            return
        try:
            event: TournamentEvent = decode(record)
            tournament = tournament_after(self._tournaments.get(tournament_id), event)
        except Broken as problem:
            self._mark_unreadable(tournament_id, str(problem))
            return
        self._tournaments[tournament_id] = tournament
        self._stored.add(writer_of(event), record)
        if isinstance(event, CharterAmended):
            self._mark_rated(tournament_id)
        self._names.update(_named(event))

    def _fold_round(self, record: Record) -> None:
        tournament_id, stage, number = parsed_round_id(record.stream.removeprefix(ROUND_STREAM))
        if tournament_id in self._why_unreadable:
            return
        rounds = self._rounds.setdefault(tournament_id, {})
        try:
            event: RoundEvent = decode(record)
            rounds[stage, number] = round_after(rounds.get((stage, number)), event)
        except Broken as problem:
            self._mark_unreadable(tournament_id, str(problem))
            return
        self._stored.add(writer_of(event), record)
        if isinstance(event, NoShowRecorded):
            self._missed_a_table.add(event.player_id)
        self._ratings.mark((tournament_id, stage, number))

    def _mark_rated(self, tournament_id: str) -> None:
        for stage, number in self._rounds.get(tournament_id, {}):
            self._ratings.mark((tournament_id, stage, number))

    def _mark_unreadable(self, tournament_id: str, why: str) -> None:
        get_logger("lobby").error("tournament cannot be read", tournament_id=tournament_id, problem=why)
        self._why_unreadable[tournament_id] = why
        self._mark_rated(tournament_id)
        self._tournaments.pop(tournament_id, None)
        self._rounds.pop(tournament_id, None)


def parsed_round_id(round_id: str) -> tuple[str, int, int]:
    """Tournament, stage and number. Raises `InvalidRequest` for what is no id of a round."""
    tournament_id, _, rest = round_id.partition(".")
    stage, _, number = rest.partition(".")
    if not ROUND_NUMBERS.fullmatch(rest):
        raise InvalidRequest("round_id must be TOURNAMENT.STAGE.NUMBER")
    return tournament_id, int(stage), int(number)


def _state_of(tournament: Tournament) -> TournamentState:
    if tournament.is_finished:
        return TournamentState.OVER
    return TournamentState.RUNNING if tournament.stages else TournamentState.ENTRIES


def _named(event: TournamentEvent) -> dict[str, str]:
    return {event.player.player_id: event.player.name} if isinstance(event, EntryMade | RoleGiven) else {}


def _does_count(tournament: Tournament, wanted: Tournament, author: str) -> bool:
    """Whether an absence that `author` recorded in a tournament keeps a player out of the wanted one."""
    return tournament.charter.bans_elsewhere or wanted.is_director(author)


def _history(
    current: Round, player_id: str, does_count: Callable[[str], bool], takers_of: TakersOf
) -> Iterable[NoShow | GameFinished]:
    """What a player missed and finished in a round; `does_count`: an absence that this person recorded."""
    for state in current.tables.values():
        missing = [each for each in state.no_shows if each.player_id == player_id]
        yield from (NoShow(each.time_ms) for each in missing if does_count(each.author))
        if missing or not state.result_time_ms or settled_result(current, state) is None:
            continue
        takers = takers_of(state.table.table_id)
        if any(last_player(state, seat, takers) == player_id for seat in state.table.seats):
            yield GameFinished(state.result_time_ms)
