"""Builds the tables, what is folded for them from the log, and what may be asked about them beside playing."""

from __future__ import annotations

import msgspec

from services.lobby.adapters.playing_hours import TzdataZones, zone_names
from services.lobby.bootstrap_accounts import Accounts
from services.lobby.bootstrap_ports import LobbyPorts
from services.lobby.directory import TableDirectory
from services.lobby.domain.clock_policies import ClockRules
from services.lobby.domain.directing import SeatTakers
from services.lobby.domain.time_control.policy import ExpiryAction
from services.lobby.event_codec import UnknownRecord
from services.lobby.handlers.clocks.own_hours import HOURS_STREAM
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.directing import DirectingHandlers
from services.lobby.handlers.ending import EndingHandlers
from services.lobby.handlers.importing import ImportHandlers
from services.lobby.handlers.inviting import InvitingHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.tournaments.directing import TournamentDirector
from services.lobby.presets.loading import RATING_POLICY
from services.lobby.series_directory import SeriesDirectory
from services.lobby.tournament_directory import TournamentDirectory

STEPS: tuple[ExpiryAction, ...] = (
    "standing_policy_pass",
    "standing_policy_least",
    "director",
    "forfeit",
)
STEPS_WITH_BOTS: tuple[ExpiryAction, ...] = (*STEPS, "substitute")


class Tables(msgspec.Struct, frozen=True):
    """All tables of the lobby, and the events in which some are played: what a player stores in both counts together."""

    handlers: TableHandlers
    directory: TableDirectory
    tournaments: TournamentDirectory
    series: SeriesDirectory
    clocks: ClockStreams
    own_hours: ClockStreams
    """The playing hours of accounts."""

    def close(self) -> None:
        """Keep what is folded; no question is answered after that."""
        for each in (self.directory, self.clocks, self.own_hours):
            each.close()


class TableRequests(msgspec.Struct, frozen=True):
    """What is asked about tables beside opening, joining and leaving them."""

    imports: ImportHandlers
    directing: DirectingHandlers
    inviting: InvitingHandlers
    ending: EndingHandlers


def bootstrap_tables(ports: LobbyPorts) -> Tables:
    """The tables in the log."""
    log, freshen = ports.log, ports.freshen

    def seat_takers(table_id: str) -> SeatTakers:
        return _seat_takers(directory, table_id)

    tournaments, series = TournamentDirectory(log, RATING_POLICY, seat_takers), SeriesDirectory(log)

    def stored_in_events(player_id: str) -> int:
        return tournaments.stored_bytes_of(player_id) + series.stored_bytes_of(player_id)

    directory = TableDirectory(log, ports.file_of("tables.db"), stored_in_events)
    handlers = TableHandlers(
        log,
        directory,
        ports.games.catalogue,
        ports.games.starter,
        ports.seeds,
        ports.clock,
        freshen,
        ports.quotas,
        _clock_rules(ports.has_house_bots),
    )
    return Tables(
        handlers,
        directory,
        tournaments,
        series,
        clocks=ClockStreams(log, freshen, path=ports.file_of("clocks.db")),
        own_hours=ClockStreams(log, freshen, HOURS_STREAM, ports.file_of("hours.db")),
    )


def bootstrap_table_requests(
    ports: LobbyPorts, accounts: Accounts, tables: Tables, of_events: TournamentDirector
) -> TableRequests:
    """`of_events`: knows who directs and who entered the events of tables."""
    directory, handlers = tables.directory, tables.handlers
    games, freshen, quotas = ports.games, ports.freshen, ports.quotas
    named, with_id, note_act = accounts.players.named, accounts.players.with_id, accounts.staff.handlers.note
    return TableRequests(
        imports=ImportHandlers(
            ports.log,
            directory,
            handlers,
            games.importer,
            named,
            with_id,
            ports.clock,
            freshen,
            quotas,
            note_act,
        ),
        directing=DirectingHandlers(
            directory,
            handlers.get,
            games.director,
            of_events.reject_direction,
            of_events.has_entered,
            named,
            with_id,
            freshen,
            quotas,
            ports.has_house_bots,
            note_act,
        ),
        inviting=InvitingHandlers(
            handlers, directory, named, with_id, ports.seeds, ports.clock, freshen, quotas
        ),
        ending=EndingHandlers(handlers, directory, games.positions, games.director, quotas),
    )


def _clock_rules(has_house_bots: bool) -> ClockRules:
    """What this host can do for clocks."""
    steps = STEPS_WITH_BOTS if has_house_bots else STEPS
    return ClockRules(steps, zone_names(), TzdataZones().check)


def _seat_takers(tables: TableDirectory, table_id: str) -> SeatTakers:
    """Who took seats at a table, as far as that can be read here."""
    try:
        table = tables.get(table_id) if table_id else None
    except UnknownRecord:
        return ()
    return () if table is None else table.seat_takers
