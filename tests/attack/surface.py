"""What can be called from outside: the methods of the four services with all fields of their requests, from the contracts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from services.common.grpc.methods import MethodLimits
from services.gen.signalbox.ledger.v1 import ledger_pb2
from services.gen.signalbox.lobby.v1 import (
    lobby_service_pb2,
    tournament_desk_service_pb2,
    tournament_series_service_pb2,
    tournaments_service_pb2,
)
from services.gen.signalbox.routing.v1 import routing_pb2
from services.gen.signalbox.rules.v1 import rules_pb2
from services.ledger.bootstrap import METHODS as LEDGER
from services.lobby.bootstrap import METHODS as LOBBY
from services.lobby.bootstrap_staff import API_TOKENS, API_TOKENS_METHODS, STAFF, STAFF_METHODS
from services.lobby.bootstrap_tournaments import (
    DESK_METHODS as DESK,
    SERIES_METHODS as SERIES,
    TOURNAMENT_METHODS as TOURNAMENTS,
)
from services.routing.bootstrap import METHODS_FOR_PLAYERS as ROUTING
from services.rules.bootstrap import METHODS as RULES

SERVICES = {
    "lobby": lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    "rules": rules_pb2.DESCRIPTOR.services_by_name["Rules"],
    "routing": routing_pb2.DESCRIPTOR.services_by_name["Routing"],
    "ledger": ledger_pb2.DESCRIPTOR.services_by_name["Ledger"],
    "tournaments": tournaments_service_pb2.DESCRIPTOR.services_by_name["Tournaments"],
    "series": tournament_series_service_pb2.DESCRIPTOR.services_by_name["TournamentSeries"],
    "desk": tournament_desk_service_pb2.DESCRIPTOR.services_by_name["TournamentDesk"],
    "staff": STAFF,
    "api_tokens": API_TOKENS,
}
SERVERS = dict.fromkeys(("tournaments", "series", "desk", "staff", "api_tokens"), "lobby")
"""The server of a service that has none of its own."""
# On the embedded host.
LIMITS = {
    "lobby": LOBBY,
    "rules": RULES,
    "routing": ROUTING,
    "ledger": LEDGER,
    "tournaments": TOURNAMENTS,
    "series": SERIES,
    "desk": DESK,
    "staff": STAFF_METHODS,
    "api_tokens": API_TOKENS_METHODS,
}
DEPTH_MAX = 6

FieldPath = tuple[FieldDescriptor, ...]


def server_of(service: str) -> str:
    """The server at which a service answers."""
    return SERVERS.get(service, service)


@dataclass(frozen=True, slots=True)
class Method:
    """One rpc of one service."""

    service: str
    name: str
    descriptor: MethodDescriptor

    @property
    def path(self) -> str:
        """As gRPC calls it."""
        return f"/{SERVICES[self.service].full_name}/{self.name}"

    @property
    def is_stream(self) -> bool:
        """Whether it answers more than once."""
        return bool(self.descriptor.server_streaming)

    @property
    def limits(self) -> MethodLimits:
        """What it takes."""
        return LIMITS[self.service][self.name]

    def request(self) -> Any:
        """An empty request."""
        return GetMessageClass(self.descriptor.input_type)()

    def answer(self, content: bytes) -> Any:
        """The message in `content`."""
        return GetMessageClass(self.descriptor.output_type).FromString(content)

    def field_paths(self) -> list[FieldPath]:
        """The way to every field of the request, those within messages included."""
        return list(_paths(self.descriptor.input_type, ()))


def all_methods() -> list[Method]:
    """Every rpc of every service."""
    return [
        Method(service, method.name, method)
        for service, descriptor in SERVICES.items()
        for method in descriptor.methods
    ]


def is_repeated(field: FieldDescriptor) -> bool:
    """Whether the field may be given many times; a map is not counted."""
    return bool(field.is_repeated) and not is_map(field)


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a map."""
    kind = field.message_type
    return kind is not None and bool(kind.GetOptions().map_entry)


def _paths(kind: Descriptor, before: FieldPath) -> Iterator[FieldPath]:
    for field in kind.fields:
        path = (*before, field)
        yield path
        if field.message_type is not None and not is_map(field) and len(path) < DEPTH_MAX:
            yield from _paths(field.message_type, path)
