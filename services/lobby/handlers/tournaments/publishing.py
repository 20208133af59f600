"""Publishing rounds when their time has come, making their tables, and following the ends of their games.

A round is published by one event. Its tables follow from that event alone, each with an id of its own, so whatever was
interrupted is completed by repeating it: a table that is there is not made again, a game that has begun is not begun again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from services.common.clock import Clock
from services.common.errors import Unavailable
from services.common.telemetry.logs import get_logger
from services.lobby.directory import TableDirectory
from services.lobby.domain.games import GameSummary
from services.lobby.domain.invitations import USUAL, GuestEvent, PlayerInvited
from services.lobby.domain.players import Player
from services.lobby.domain.table_clocks import ClockChosen
from services.lobby.domain.table_of_round import TableSeated
from services.lobby.domain.tables import Table, TableState
from services.lobby.domain.tournaments.charter import Charter, arranged_by, choices_of, clock_of
from services.lobby.domain.tournaments.formats.stages import DuplicateRounds
from services.lobby.domain.tournaments.lots import lot
from services.lobby.domain.tournaments.rounds.adjudicating import decide_rulings, lacks_rulings
from services.lobby.domain.tournaments.rounds.deciding import (
    RULED_END,
    decide_result,
)
from services.lobby.domain.tournaments.rounds.publishing import decide_publish, decide_release
from services.lobby.domain.tournaments.rounds.round import (
    Round,
    RoundEvent,
    RoundTable,
    RoundTablesMade,
    TableState as RoundTableState,
)
from services.lobby.domain.tournaments.rounds.substituting import decide_seats_taken
from services.lobby.domain.tournaments.rounds.turns import turns_of_seats
from services.lobby.domain.tournaments.tournament import Tournament
from services.lobby.handlers.clocks.streams import EndTimes
from services.lobby.handlers.requests import derived_id, game_id_of
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.ports import GamePositions, IsCancelled, never_cancelled
from services.lobby.tournament_directory import TournamentDirectory

SEED_SHIFT = 11
"""Seeds of games are cut to 53 bits, which every reader of JSON keeps exact."""


class RoundPublisher:
    """Publishes rounds and keeps them up to date with their games. Every method may be repeated and run at the same time."""

    def __init__(
        self,
        streams: TournamentStreams,
        directory: TournamentDirectory,
        tables: TableHandlers,
        lobby_tables: TableDirectory,
        summary_of: Callable[[str], GameSummary | None],
        clocks_at_end: Callable[[Table], EndTimes | None],
        positions: GamePositions,
        clock: Clock,
    ) -> None:
        """`clocks_at_end`: see `ClockStreams.at_end`."""
        self._streams = streams
        self._directory = directory
        self._tables = tables
        self._lobby_tables = lobby_tables
        self._summary_of = summary_of
        self._clocks_at_end = clocks_at_end
        self._positions = positions
        self._clock = clock
        self._log = get_logger("lobby")
        self._has_caught_up = False
        self._rounds_in_work: set[str] = set()

    def publish_due(self, round_id: str, is_cancelled: IsCancelled = never_cancelled) -> Round:
        """The round, published if its time has come, with its tables as far as they can begin now."""

        def decide(current: Round) -> tuple[RoundEvent, ...]:
            now_ms = self._clock.now_ms()
            tournament = self._streams.note_tournament(
                current.tournament_id, lambda latest: decide_release(latest, current, now_ms)
            )
            return decide_publish(tournament, current, _table_id, game_id_of, now_ms)

        current = self._streams.note_round(round_id, decide)
        if not current.is_published or current.are_tables_made:
            return current
        self._rounds_in_work.add(round_id)
        try:
            return self._make_tables(current, is_cancelled)
        finally:
            self._rounds_in_work.discard(round_id)

    def publish_all_due(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Publishes what is due, and completes what was interrupted; not what somebody else in this process is doing just now."""
        now_ms = self._clock.now_ms()
        for current in self._directory.unpublished():
            if is_cancelled():
                return
            if current.round_id in self._rounds_in_work:
                continue
            if current.is_published or current.publish_time_ms <= now_ms:
                self._log_failure(current.round_id, partial(self.publish_due, current.round_id, is_cancelled))

    def follow_table(self, table: Table) -> None:
        """Records the end of a table's game, or that it was undone, in its round."""
        if not table.round_id:
            return
        times = self._clocks_at_end(table)
        if times is None:
            times = EndTimes(self._wall_times(table.game_id), {}, ())
        of_seats = times.used_ms, times.costs, turns_of_seats(table, times.played)

        def decide(current: Round) -> tuple[RoundEvent, ...]:
            if table.round_table not in current.tables:
                return ()
            return decide_result(current, table.round_table, table, *of_seats, self._clock.now_ms())

        self._streams.note_round(table.round_id, decide)

    def _wall_times(self, game_id: str) -> dict[str, int]:
        summary = self._summary_of(game_id)
        return {} if summary is None else {each.player_id: each.used_ms for each in summary.clocks}

    def catch_up(self, is_cancelled: IsCancelled = never_cancelled) -> None:
        """Records what was missed: ends of games while nobody followed them, and what directors decided without a record:
        seats that were taken, roll-backs, corrections, games that were ended. The first time in all tournaments, then in those
        that are not over."""
        for tournament in self._directory.all():
            if tournament.is_finished and self._has_caught_up:
                continue
            for current in self._directory.rounds(tournament.tournament_id):
                for state in current.tables.values():
                    if is_cancelled():
                        return
                    if not state.table.is_external:
                        self._log_failure(current.round_id, partial(self._follow_up, current, state))
        self._has_caught_up = True

    def _follow_up(self, current: Round, state: RoundTableState) -> None:
        table = self._lobby_tables.get(state.table.table_id)
        if table is None:
            return
        if table.result_sequence > state.sequence:
            self.follow_table(table)
        number, now_ms = state.table.number, self._clock.now_ms()
        if decide_seats_taken(current, number, table, now_ms):
            self._streams.note_round(
                current.round_id, lambda latest: decide_seats_taken(latest, number, table, now_ms)
            )
        is_over = table.state is TableState.FINISHED and table.ending != RULED_END
        if not (is_over and self._has_caught_up):
            self._record_rulings(current.round_id, number, table.game_id)

    def find_rulings(self, round_id: str, number: int) -> None:
        """Records what directors have decided in the game of a table without a record, so that what is ruled next comes after it.

        Raises `Unavailable` where there is something to record and rules is away."""
        state = self._streams.round(round_id).tables.get(number)
        if state is not None and state.table.game_id:
            self._record_rulings(round_id, number, state.table.game_id)

    def _record_rulings(self, round_id: str, number: int, game_id: str) -> None:
        summary = self._summary_of(game_id)
        state = self._streams.round(round_id).tables[number]
        if summary is None or not lacks_rulings(state, summary.status.ruling_count):
            return
        rulings, now_ms = self._positions.rulings(game_id), self._clock.now_ms()
        self._streams.note_round(round_id, lambda latest: decide_rulings(latest, number, rulings, now_ms))

    def _make_tables(self, current: Round, is_cancelled: IsCancelled) -> Round:
        tournament = self._streams.tournament(current.tournament_id)
        for state in current.tables.values():
            if state.table.is_external:
                continue
            if is_cancelled():
                return current
            charter = tournament.charters[current.charter_version - 1]
            policy = clock_of(charter, current.stage)
            clocks = () if policy is None else (ClockChosen(policy),)
            try:
                made = self._tables.begin_seated(
                    _seated(tournament, current, state.table), (*_guests(tournament, charter), *clocks)
                )
            except Unavailable as problem:
                self._log.warning(
                    "table cannot begin yet", table_id=state.table.table_id, problem=str(problem)
                )
                return current
            if isinstance(made, Table) and made.state is TableState.CLOSED:
                self._log.warning(
                    "table closed", table_id=state.table.table_id, problem=str(made.start_refusal)
                )
        now_ms = self._clock.now_ms()
        return self._streams.note_round(
            current.round_id,
            lambda latest: () if latest.are_tables_made else (RoundTablesMade(now_ms),),
        )

    def _log_failure(self, round_id: str, act: Callable[[], object]) -> None:
        """One round that fails must not keep the others from being published."""
        try:
            act()
        except Exception as problem:
            self._log.error("round is not up to date", round_id=round_id, problem=repr(problem))


def _guests(tournament: Tournament, charter: Charter) -> list[GuestEvent]:
    """Who sees the tables of an event beside their players, nothing where everybody does: those who direct it now."""
    arranged = arranged_by(charter)
    if arranged == USUAL:
        return []
    return [arranged, *(PlayerInvited(each) for each in tournament.directors[1:])]


def _table_id(round_id: str, number: int) -> str:
    return derived_id("t", round_id, str(number))


def _seated(tournament: Tournament, current: Round, table: RoundTable) -> TableSeated:
    """The event that makes a table, by the charter with which the round was published."""
    charter = tournament.charters[current.charter_version - 1]
    played = charter.title(table.title)
    assert played is not None, "a published table has a title of the charter"
    is_duplicate = isinstance(charter.stages[current.stage].format, DuplicateRounds)
    drawn = "" if is_duplicate else str(table.number)
    seed = lot(tournament.game_seed, f"game {current.stage}.{current.number}", drawn) >> SEED_SHIFT
    return TableSeated(
        table_id=table.table_id,
        game_id=table.game_id,
        round_id=current.round_id,
        round_table=table.number,
        owner_id=tournament.directors[0].player_id,
        players=tuple(Player(player, tournament.name_of(player)) for player in table.seats),
        choices=choices_of(charter, played, len(table.seats), seed),
        create_time_ms=current.published_ms,
        turn_seconds=charter.turn_seconds,
    )
