"""Builds what operators do about players, and the log of staff acts."""

from __future__ import annotations

from pathlib import Path

from services.common.auth.operators import Operators
from services.common.auth.tokens import TokenVerifier
from services.common.clock import Clock
from services.common.eventlog.port import EventLog
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.common.staff.stream import StreamStaffLog
from services.gen.signalbox.lobby.v1 import staff_service_pb2
from services.gen.signalbox.lobby.v1.staff_service_pb2_grpc import add_StaffServicer_to_server
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.staff import StaffHandlers
from services.lobby.staff_directory import StaffDirectory
from services.lobby.staff_grpc_server import StaffServicer

STAFF = staff_service_pb2.DESCRIPTOR.services_by_name["Staff"]
STAFF_METHODS = method_limits(Path(__file__).with_name("methods_staff.toml"), STAFF)


def followed_staff(log: StaffLog | None, events: EventLog, clock: Clock) -> tuple[StaffLog, StaffDirectory]:
    """The log of staff acts, one in a stream of `events` unless given, and its projection."""
    directory = StaffDirectory(clock)
    followed = log or StreamStaffLog(events, clock)
    followed.follow(directory.take)
    if log is None:
        followed.start()
    return followed, directory


def staff_handlers(
    log: StaffLog, directory: StaffDirectory, players: PlayerHandlers, clock: Clock, settings: Settings
) -> StaffHandlers:
    """What operators do, recorded in `log`."""
    with_id, lifetime = players.with_id, settings.token_lifetime_seconds
    return StaffHandlers(log, directory, with_id, clock, settings.operators, lifetime)


def hosted_staff(staff: StaffHandlers, verifier: TokenVerifier, operators: Operators) -> HostedService:
    """The service `Staff` for a server."""
    servicer = StaffServicer(staff, verifier, operators)
    return HostedService(STAFF.full_name, add_StaffServicer_to_server, servicer, STAFF_METHODS)
