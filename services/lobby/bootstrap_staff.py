"""Builds what operators do, the log of staff acts, and what players do about their tokens, which is in it too."""

from __future__ import annotations

from pathlib import Path

import msgspec

from services.common.auth.operators import Operators
from services.common.auth.tokens import TokenVerifier
from services.common.clock import Clock
from services.common.eventlog.port import EventLog
from services.common.grpc.methods import method_limits
from services.common.grpc.server import HostedService
from services.common.settings.service import Settings
from services.common.staff.log import StaffLog
from services.common.staff.stream import StreamStaffLog
from services.gen.signalbox.lobby.v1 import api_tokens_service_pb2, staff_service_pb2
from services.gen.signalbox.lobby.v1.api_tokens_service_pb2_grpc import add_ApiTokensServicer_to_server
from services.gen.signalbox.lobby.v1.staff_service_pb2_grpc import add_StaffServicer_to_server
from services.lobby.adapters.no_queues import NoQueues
from services.lobby.api_tokens_grpc_server import ApiTokensServicer
from services.lobby.handlers.api_tokens import ApiTokenHandlers
from services.lobby.handlers.players import PlayerHandlers
from services.lobby.handlers.queues import QueueHandlers
from services.lobby.handlers.staff import StaffHandlers
from services.lobby.queues import Queues
from services.lobby.staff_directory import StaffDirectory
from services.lobby.staff_grpc_server import StaffServicer

STAFF = staff_service_pb2.DESCRIPTOR.services_by_name["Staff"]
STAFF_METHODS = method_limits(Path(__file__).with_name("methods_staff.toml"), STAFF)
API_TOKENS = api_tokens_service_pb2.DESCRIPTOR.services_by_name["ApiTokens"]
API_TOKENS_METHODS = method_limits(Path(__file__).with_name("methods_api_tokens.toml"), API_TOKENS)


def followed_staff(log: StaffLog | None, events: EventLog, clock: Clock) -> tuple[StaffLog, StaffDirectory]:
    """The log of staff acts, one in a stream of `events` unless given, and its projection."""
    directory = StaffDirectory(clock)
    followed = log or StreamStaffLog(events, clock)
    followed.follow(directory.take)
    if log is None:
        followed.start()
    return followed, directory


class Staff(msgspec.Struct, frozen=True):
    """What operators do, and players about their own tokens."""

    handlers: StaffHandlers
    queues: QueueHandlers
    tokens: ApiTokenHandlers


def bootstrap_staff(
    log: StaffLog,
    directory: StaffDirectory,
    players: PlayerHandlers,
    tokens: ApiTokenHandlers,
    queues: Queues | None,
    clock: Clock,
    settings: Settings,
) -> Staff:
    """All that is recorded in `log`. Without `queues` nothing is held up on this host."""
    known = tokens, clock, settings.operators, settings.token_lifetime_seconds
    handlers = StaffHandlers(log, directory, players.with_id, *known)
    return Staff(handlers, QueueHandlers(queues or NoQueues(), log, directory, clock), tokens)


def hosted_staff(staff: Staff, verifier: TokenVerifier, operators: Operators) -> tuple[HostedService, ...]:
    """The services `Staff` and `ApiTokens` for a server."""
    servicer = StaffServicer(staff.handlers, staff.queues, verifier, operators)
    tokens = ApiTokensServicer(staff.tokens, verifier)
    return (
        HostedService(STAFF.full_name, add_StaffServicer_to_server, servicer, STAFF_METHODS),
        HostedService(API_TOKENS.full_name, add_ApiTokensServicer_to_server, tokens, API_TOKENS_METHODS),
    )
