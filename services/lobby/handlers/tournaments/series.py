"""Series of seasons: what their directors and members decide, and the tournaments of each season.

A season begins by one event. The tournaments of its divisions follow from it alone, so what was interrupted is completed by
`make_missing`, or by repeating the request."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.common.auth.tokens import Principal
from services.common.clock import Clock
from services.common.errors import InvalidRequest, NotFound
from services.common.eventlog.port import EventLog
from services.lobby.domain.players import Player
from services.lobby.domain.rejections import Rejection, RejectionReason, shown
from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.exports.series_file import (
    series_file_of,
    series_tables,
    write_series_file,
)
from services.lobby.domain.tournaments.formats.season import SeasonRule
from services.lobby.domain.tournaments.refusing import rejected
from services.lobby.domain.tournaments.series import deciding, members
from services.lobby.domain.tournaments.series.series import DivisionTournament, Series
from services.lobby.event_codec import decode, encode
from services.lobby.handlers.requests import derived_id
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.handlers.tournaments.desk import LOT_SHIFT
from services.lobby.handlers.tournaments.reading import ExportFormat, zipped
from services.lobby.ports import Freshness, IsCancelled, SeedSource, never_cancelled
from services.lobby.series_directory import SERIES_STREAM, SeriesDirectory
from services.lobby.tournament_directory import TOURNAMENT_STREAM, TournamentDirectory

Answer = Series | Rejection


class SeriesHandlers:
    """One method for each request about a series. All raise `InvalidRequest` for a malformed request id, `NotFound` for an
    unknown series, and `Unavailable`."""

    def __init__(
        self,
        log: EventLog,
        streams: TournamentStreams,
        series: SeriesDirectory,
        tournaments: TournamentDirectory,
        playable: Callable[[Principal, str], Charter | Rejection],
        account: Callable[[str], Player | None],
        seeds: SeedSource,
        clock: Clock,
        freshen: Freshness,
        tournaments_max: int,
    ) -> None:
        """`playable`: the charter of somebody's document, or why it cannot be played here. `account`: by id or name."""
        self._log = log
        self._streams = streams
        self._series = series
        self._tournaments = tournaments
        self._playable = playable
        self._account = account
        self._seeds = seeds
        self._clock = clock
        self._freshen = freshen
        self._tournaments_max = tournaments_max

    def get(self, series_id: str) -> Series:
        """One series."""
        found = self._series.get(series_id)
        if found is None:
            self._freshen()
            found = self._series.get(series_id)
        if found is None:
            raise NotFound("there is no such series")
        return found

    def all(self) -> list[Series]:
        """All series, the newest first."""
        return self._series.all()

    def exported(self, series_id: str, kind: ExportFormat) -> tuple[str, bytes]:
        """Name and content of a file of a series."""
        series = self.get(series_id)
        if kind is ExportFormat.CSV:
            return f"{series_id}.zip", zipped(series_tables(series))
        if kind is not ExportFormat.JSON:
            raise InvalidRequest("a series is exported as JSON or CSV")
        events = [decode(each) for each in self._log.read(SERIES_STREAM + series_id)]
        return f"{series_id}.json", write_series_file(series_file_of(events))

    def create(
        self,
        caller: Principal,
        request_id: str,
        name: str,
        rule: SeasonRule,
        divisions: Sequence[Sequence[str]],
    ) -> Answer:
        """Sets up a series; players by id or name, the highest division first."""
        series_id = derived_id("s", caller.player_id, request_id)

        def decide() -> members.Decided:
            if self._directed(caller.player_id) >= self._tournaments_max:
                return self._too_many()
            found = [self._players(division) for division in divisions]
            rejection = next((each for each in found if isinstance(each, Rejection)), None)
            if rejection is not None:
                return rejection
            players = [each for each in found if not isinstance(each, Rejection)]
            director = Player(caller.player_id, caller.name)
            return deciding.decide_create_series(
                series_id, director, name, rule, players, self._clock.now_ms()
            )

        content = ("create series", name, rule, divisions)
        return self._streams.create_series(
            caller, request_id, series_id, content, decide, lambda: self.get(series_id)
        )

    def join(self, caller: Principal, request_id: str, series_id: str) -> Answer:
        """Agrees to play the seasons that begin later."""
        return self._change(
            caller,
            request_id,
            series_id,
            ("join series",),
            lambda series: members.decide_join(series, caller.player_id, self._clock.now_ms()),
        )

    def leave(self, caller: Principal, request_id: str, series_id: str) -> Answer:
        """Ends the agreement; a season that runs is played on."""
        return self._change(
            caller,
            request_id,
            series_id,
            ("leave series",),
            lambda series: members.decide_leave(series, caller.player_id, self._clock.now_ms()),
        )

    def change_members(
        self,
        caller: Principal,
        request_id: str,
        series_id: str,
        newcomers: Sequence[str],
        leaving: Sequence[str],
    ) -> Answer:
        """Invites players and takes members out, between seasons. Players by id or name."""

        def decide(series: Series) -> members.Decided:
            people = self._joining_and_leaving(newcomers, leaving)
            if isinstance(people, Rejection):
                return people
            return members.decide_change_members(series, caller.player_id, *people, self._clock.now_ms())

        return self._change(caller, request_id, series_id, ("change members", newcomers, leaving), decide)

    def open_season(self, caller: Principal, request_id: str, series_id: str, text: str) -> Answer:
        """Begins the next season by a charter; the tournaments of its divisions are set up with those of their players who
        have agreed."""

        def decide(series: Series) -> members.Decided:
            charter = self._playable(caller, text)
            if isinstance(charter, Rejection):
                return charter
            directed = self._tournaments.directed_by(caller.player_id)
            if directed + len(series.divisions) > self._tournaments_max:
                return self._too_many()
            number = len(series.seasons) + 1
            planned = tuple(
                DivisionTournament(
                    derived_id("e", series_id, str(number), str(division)),
                    self._seeds.draw() >> LOT_SHIFT,
                    self._seeds.draw(),
                )
                for division in range(1, len(series.divisions) + 1)
            )
            return deciding.decide_open_season(
                series, caller.player_id, charter, planned, self._clock.now_ms()
            )

        opened = self._change(caller, request_id, series_id, ("open season", text), decide)
        if not isinstance(opened, Rejection):
            self._make_tournaments(opened)
        return opened

    def close_season(
        self,
        caller: Principal,
        request_id: str,
        series_id: str,
        newcomers: Sequence[str],
        leaving: Sequence[str],
    ) -> Answer:
        """Ends the season: promotion and relegation, and points of the series. Players by id or name."""

        def decide(series: Series) -> members.Decided:
            people = self._joining_and_leaving(newcomers, leaving)
            if isinstance(people, Rejection):
                return people
            season = series.seasons[-1:] if series.is_running else ()
            played = [
                self._streams.tournament(each.tournament_id)
                for running in season
                for each in running.tournaments
            ]
            return deciding.decide_close_season(
                series, caller.player_id, played, *people, self._clock.now_ms()
            )

        content = ("close season", newcomers, leaving)
        return self._change(caller, request_id, series_id, content, decide)

    def make_missing(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Sets up tournaments of running seasons that an interrupted request left out."""
        for series in self._series.all():
            if is_cancelled():
                return
            if series.is_running:
                self._make_tournaments(series)

    def _make_tournaments(self, series: Series) -> None:
        for tournament_id, events in deciding.tournaments_of(series, series.seasons[-1]):
            if self._tournaments.get(tournament_id) is None:
                self._log.append(TOURNAMENT_STREAM + tournament_id, 0, [encode(each) for each in events])

    def _change(
        self,
        caller: Principal,
        request_id: str,
        series_id: str,
        content: Sequence[object],
        decide: Callable[[Series], members.Decided],
    ) -> Answer:
        return self._streams.change_series(
            caller, request_id, series_id, content, lambda: self.get(series_id), decide
        )

    def _directed(self, player_id: str) -> int:
        return sum(each.director.player_id == player_id for each in self._series.all())

    def _joining_and_leaving(
        self, newcomers: Sequence[str], leaving: Sequence[str]
    ) -> tuple[tuple[Player, ...], tuple[str, ...]] | Rejection:
        joining, gone = self._players(newcomers), self._players(leaving)
        if isinstance(joining, Rejection):
            return joining
        if isinstance(gone, Rejection):
            return gone
        return tuple(joining), tuple(each.player_id for each in gone)

    def _players(self, wanted: Sequence[str]) -> list[Player] | Rejection:
        found = []
        for each in wanted:
            player = self._account(each)
            if player is None:
                return rejected(RejectionReason.PLAYER_UNKNOWN, f"There is no player {shown(each)}.")
            found.append(player)
        return found

    def _too_many(self) -> Rejection:
        return rejected(
            RejectionReason.TOO_MANY_TOURNAMENTS,
            f"You may direct {self._tournaments_max} series and as many unfinished tournaments.",
        )
