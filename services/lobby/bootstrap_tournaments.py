"""Builds the lobby's tournaments from their handlers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from services.common.auth.operators import Operators
from services.common.auth.tokens import TokenVerifier
from services.common.clock import Clock
from services.common.eventlog.port import EventLog
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.common.settings.service import Settings
from services.gen.signalbox.lobby.v1 import (
    tournament_desk_service_pb2,
    tournament_series_service_pb2,
    tournaments_service_pb2,
)
from services.gen.signalbox.lobby.v1.tournament_desk_service_pb2_grpc import (
    add_TournamentDeskServicer_to_server,
)
from services.gen.signalbox.lobby.v1.tournament_series_service_pb2_grpc import (
    add_TournamentSeriesServicer_to_server,
)
from services.gen.signalbox.lobby.v1.tournaments_service_pb2_grpc import add_TournamentsServicer_to_server
from services.lobby.adapters.playing_hours import TzdataZones
from services.lobby.desk_grpc_server import DeskServicer
from services.lobby.directory import TableDirectory
from services.lobby.domain.players import Player
from services.lobby.handlers.clocks.streams import ClockStreams
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.tables import TableHandlers
from services.lobby.handlers.tournaments.appending import TournamentStreams
from services.lobby.handlers.tournaments.desk import TournamentHandlers
from services.lobby.handlers.tournaments.directing import TournamentDirector
from services.lobby.handlers.tournaments.evidence import EvidenceReader
from services.lobby.handlers.tournaments.publishing import RoundPublisher
from services.lobby.handlers.tournaments.reading import TournamentReader
from services.lobby.handlers.tournaments.reliability import ReliabilityReader
from services.lobby.handlers.tournaments.rounds import RoundHandlers
from services.lobby.handlers.tournaments.series import SeriesHandlers
from services.lobby.handlers.tournaments.substituting import SubstitutionHandlers
from services.lobby.ports import Freshness, GameDirector, GameLists, GamePositions, NoteAct, SeedSource
from services.lobby.presets.loading import DESIGNS, RATING_POLICY
from services.lobby.series_directory import SeriesDirectory
from services.lobby.series_grpc_server import SeriesServicer
from services.lobby.tournament_directory import TournamentDirectory
from services.lobby.tournaments_grpc_server import TournamentsServicer

TOURNAMENTS = tournaments_service_pb2.DESCRIPTOR.services_by_name["Tournaments"]
TOURNAMENT_METHODS = method_limits(Path(__file__).with_name("methods_tournaments.toml"), TOURNAMENTS)
SERIES = tournament_series_service_pb2.DESCRIPTOR.services_by_name["TournamentSeries"]
SERIES_METHODS = method_limits(Path(__file__).with_name("methods_series.toml"), SERIES)
DESK = tournament_desk_service_pb2.DESCRIPTOR.services_by_name["TournamentDesk"]
DESK_METHODS = method_limits(Path(__file__).with_name("methods_desk.toml"), DESK)


class Tournaments(msgspec.Struct, frozen=True):
    """The lobby's tournaments, ready to be served."""

    directory: TournamentDirectory
    handlers: TournamentHandlers
    rounds: RoundHandlers
    substitutions: SubstitutionHandlers
    directing: TournamentDirector
    publisher: RoundPublisher
    reader: TournamentReader
    evidence: EvidenceReader
    series: SeriesHandlers
    hosted: tuple[HostedService, ...]


def bootstrap_tournaments(
    log: EventLog,
    freshen: Freshness,
    tables: TableHandlers,
    lobby_tables: TableDirectory,
    lists: GameLists,
    players: PlayerHandlers,
    clocks: ClockStreams,
    director: GameDirector,
    positions: GamePositions,
    seeds: SeedSource,
    clock: Clock,
    verifier: TokenVerifier,
    settings: Settings,
    has_house_bots: bool,
    note_act: NoteAct,
) -> Tournaments:
    """The tournaments over `log`. `has_house_bots`: see `SubstitutionHandlers`."""
    rights = Operators(verifier, settings.operators).includes, note_act
    directory = TournamentDirectory(log, RATING_POLICY)
    streams = TournamentStreams(log, directory, freshen)
    publisher = RoundPublisher(
        streams, directory, tables, lobby_tables, lists.get, clocks.at_end, positions, clock
    )
    most, account = settings.quota.tournaments, partial(_account, players)
    handlers = TournamentHandlers(streams, directory, tables, account, seeds, clock, most, *rights)
    directing = TournamentDirector(streams, tables.get, director, freshen)
    rounds = RoundHandlers(streams, directory, publisher, directing, account, clock, DESIGNS, *rights)
    substitutions = SubstitutionHandlers(streams, directing, account, clock, has_house_bots)
    reader = TournamentReader(
        streams, directory, RATING_POLICY, ReliabilityReader(directory, lobby_tables, clocks)
    )
    evidence = EvidenceReader(streams, lobby_tables, lists.get, positions, clock, clocks, TzdataZones())
    all_series = SeriesDirectory(log)
    series = SeriesHandlers(
        log, streams, all_series, directory, handlers.playable, account, seeds, clock, freshen, most
    )
    everybody = HostedService(
        TOURNAMENTS.full_name,
        add_TournamentsServicer_to_server,
        TournamentsServicer(handlers, rounds, reader, verifier),
        TOURNAMENT_METHODS,
    )
    desk = HostedService(
        DESK.full_name,
        add_TournamentDeskServicer_to_server,
        DeskServicer(handlers, rounds, substitutions, reader, evidence, verifier),
        DESK_METHODS,
    )
    seasons = HostedService(
        SERIES.full_name,
        add_TournamentSeriesServicer_to_server,
        SeriesServicer(series, verifier),
        SERIES_METHODS,
    )
    return Tournaments(
        directory,
        handlers,
        rounds,
        substitutions,
        directing,
        publisher,
        reader,
        evidence,
        series,
        (everybody, desk, seasons),
    )


def _account(players: PlayerHandlers, known: str) -> Player | None:
    """The account of this id or name."""
    return players.with_id(known) or players.named(known)
