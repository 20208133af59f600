"""Builds the lobby's tournaments from their handlers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from services.common.auth.tokens import TokenVerifier
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
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
from services.lobby.bootstrap_accounts import Accounts
from services.lobby.bootstrap_ports import LobbyPorts
from services.lobby.bootstrap_tables import Tables
from services.lobby.desk_grpc_server import DeskServicer
from services.lobby.directory import TableDirectory
from services.lobby.domain.imports import reject_seat
from services.lobby.domain.players import Player
from services.lobby.domain.quotas import Quotas
from services.lobby.domain.rejections import Rejection
from services.lobby.handlers.players import PlayerHandlers
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
from services.lobby.presets.loading import DESIGNS, RATING_POLICY
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


def bootstrap_tournaments(ports: LobbyPorts, accounts: Accounts, tables: Tables) -> Tournaments:
    """The tournaments in the log, which are played at these tables."""
    log, freshen, seeds, clock = ports.log, ports.freshen, ports.seeds, ports.clock
    positions, summary_of, at_tables = ports.games.positions, ports.lists.get, tables.handlers
    is_operator, note_act = accounts.operators.includes, accounts.staff.handlers.note
    account, most = partial(_account, accounts.players), ports.settings.quota.tournaments
    directory, all_series = tables.tournaments, tables.series
    streams = TournamentStreams(log, directory, freshen, tables.directory.usage_of, ports.quotas)
    publisher = RoundPublisher(
        streams, directory, at_tables, tables.directory, summary_of, tables.clocks.at_end, positions, clock
    )
    no_room = partial(_reject_seat, tables.directory, ports.quotas)
    directing = TournamentDirector(streams, at_tables.get, ports.games.director, freshen, no_room)
    handlers = TournamentHandlers(
        streams, directory, at_tables, account, seeds, clock, most, is_operator, note_act, DESIGNS
    )
    rounds = RoundHandlers(
        streams, directory, publisher, directing, account, clock, DESIGNS, is_operator, note_act
    )
    reliability = ReliabilityReader(directory, tables.directory, tables.clocks)
    evidence = EvidenceReader(
        streams, tables.directory, summary_of, positions, clock, tables.clocks, TzdataZones()
    )
    playable = handlers.playable
    return Tournaments(
        directory=directory,
        handlers=handlers,
        rounds=rounds,
        substitutions=SubstitutionHandlers(streams, directing, account, clock, ports.has_house_bots),
        directing=directing,
        publisher=publisher,
        reader=TournamentReader(streams, directory, RATING_POLICY, reliability),
        evidence=evidence,
        series=SeriesHandlers(
            log, streams, all_series, directory, playable, account, seeds, clock, freshen, most
        ),
    )


def hosted_tournaments(tournaments: Tournaments, verifier: TokenVerifier) -> tuple[HostedService, ...]:
    """The services `Tournaments`, `TournamentDesk` and `TournamentSeries` for a server."""
    handlers, rounds, reader = tournaments.handlers, tournaments.rounds, tournaments.reader
    desk = DeskServicer(handlers, rounds, tournaments.substitutions, reader, tournaments.evidence, verifier)
    return (
        HostedService(
            TOURNAMENTS.full_name,
            add_TournamentsServicer_to_server,
            TournamentsServicer(handlers, rounds, reader, verifier),
            TOURNAMENT_METHODS,
        ),
        HostedService(DESK.full_name, add_TournamentDeskServicer_to_server, desk, DESK_METHODS),
        HostedService(
            SERIES.full_name,
            add_TournamentSeriesServicer_to_server,
            SeriesServicer(tournaments.series, verifier),
            SERIES_METHODS,
        ),
    )


def _account(players: PlayerHandlers, known: str) -> Player | None:
    """The account of this id or name."""
    return players.with_id(known) or players.named(known)


def _reject_seat(tables: TableDirectory, quotas: Quotas, player: Player) -> Rejection | None:
    return reject_seat(player, tables.usage_of(player.player_id), quotas)
