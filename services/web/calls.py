"""Calls of the four services for callers over HTTP, with their token, their address and their deadline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from services.common.grpc.callers import FORWARDED_KEY, OWN_SOCKET
from services.common.grpc.channel import (
    asynchronous_channel,
    asynchronous_replica_channel,
    name_in,
)
from services.common.grpc.connections import Connections
from services.common.grpc.owner_calls import Calls, OwnerCalls, Sent
from services.common.grpc.owners import HEALTH_CHECK
from services.common.settings.service import PREFIX, Settings
from services.common.settings.variables import SettingsError
from services.web.contracts import Rpc
from services.web.problems import of_call

NEEDED = ("lobby", "rules", "ledger")
# Only where it asks callers for tokens.
OPTIONAL = ("routing",)
# Whose replicas may have some games each.
SHARED = "rules"
# Whether games can be written, where rules says it.
ALSO_REPORTED = {"rules": ("signalbox.rules.v1.Rules.Writes",)}
UNKNOWN_SERVICE = "NOT_FOUND"
CONNECTING = (grpc.ChannelConnectivity.IDLE, grpc.ChannelConnectivity.CONNECTING)
# Shorter than those wait who ask about health.
CONNECT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the network address, and the value of the header Authorization, empty where there is none."""

    address: str
    authorization: str = ""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Of its calls. The services believe the address where this process is one of their trusted proxies."""
        token = (("authorization", self.authorization),) if self.authorization else ()
        return ((FORWARDED_KEY, self.address), *token)


class ServiceCalls:
    """Calls to each process. Used on one event loop."""

    def __init__(self, settings: Settings, rpcs: Mapping[str, Rpc]) -> None:
        """Raises `SettingsError` where the address of a process is missing."""
        found = _addresses(settings)
        self._services = {process: _services_of(process, rpcs) for process in found}
        self._calls = {
            process: _calls_of(process, addresses, self._services[process], settings)
            for process, addresses in found.items()
        }

    async def answer(self, rpc: Rpc, request: Message, caller: Caller, seconds: float) -> Message:
        """The answer of a single call. Raises `ProblemError`."""
        sent = Sent(rpc.path, request, rpc.answer.FromString, caller.metadata, seconds)
        try:
            return await self._calls[rpc.process].answer(sent)
        except grpc.RpcError as error:
            raise of_call(error) from error

    async def answers(
        self, rpc: Rpc, request: Message, caller: Caller, seconds: float | None
    ) -> AsyncGenerator[Message, None]:
        """The answers of a stream; it ends with the iteration. Raises `ProblemError`."""
        sent = Sent(rpc.path, request, rpc.answer.FromString, caller.metadata, seconds)
        try:
            async with aclosing(self._calls[rpc.process].answers(sent)) as answers:
                async for answer in answers:
                    yield answer
        except grpc.RpcError as error:
            raise of_call(error) from error

    async def statuses(self, seconds: float) -> Mapping[str, str]:
        """What each process says about the health of its services, by name: SERVING, NOT_SERVING, or why there is no answer."""
        asked = [
            (name, calls.channel)
            for process, calls in self._calls.items()
            for name in (*self._services[process], *ALSO_REPORTED.get(process, ()))
        ]
        found = await asyncio.gather(*(_status(channel, name, seconds) for name, channel in asked))
        pairs = zip((name for name, _ in asked), found, strict=True)
        return {name: status for name, status in pairs if status != UNKNOWN_SERVICE}

    def offered(self, rpcs: Mapping[str, Rpc]) -> Mapping[str, Rpc]:
        """Those of the processes that are called."""
        return {path: rpc for path, rpc in rpcs.items() if rpc.process in self._calls}

    async def unreached(self) -> Sequence[str]:
        """The processes to which there is no connection, and none can be made in a moment: where nobody called for a while, it
        was given up."""
        reached = await asyncio.gather(*(_is_reached(calls.channel) for calls in self._calls.values()))
        return [name for name, is_reached in zip(self._calls, reached, strict=True) if not is_reached]

    async def close(self) -> None:
        """End all calls."""
        for calls in self._calls.values():
            await calls.close()


def _calls_of(process: str, addresses: Sequence[str], services: Sequence[str], settings: Settings) -> Calls:
    connections = Connections(lambda: asynchronous_channel(addresses, services, settings.tls))
    if process != SHARED or addresses[0].startswith(OWN_SOCKET):
        return Calls(connections)

    def connect(address: str) -> grpc.aio.Channel:
        return asynchronous_replica_channel(address, name_in(addresses[0]), settings.tls)

    return OwnerCalls(connections, connect, services[0])


async def _is_reached(channel: grpc.aio.Channel) -> bool:
    state = channel.get_state(try_to_connect=True)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while state in CONNECTING:
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)
    except TimeoutError:
        return False
    return state is grpc.ChannelConnectivity.READY


async def _status(channel: grpc.aio.Channel, service: str, seconds: float) -> str:
    call = channel.unary_unary(HEALTH_CHECK, _serialized, health_pb2.HealthCheckResponse.FromString)
    try:
        answer = await call(health_pb2.HealthCheckRequest(service=service), timeout=seconds)
    except grpc.aio.AioRpcError as error:
        return str(error.code().name)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def _serialized(message: Message) -> bytes:
    return message.SerializeToString()


def _services_of(process: str, rpcs: Mapping[str, Rpc]) -> Sequence[str]:
    return sorted({rpc.service for rpc in rpcs.values() if rpc.process == process})


def _addresses(settings: Settings) -> Mapping[str, Sequence[str]]:
    named: dict[str, Sequence[str]] = {
        name: getattr(settings, f"{name}_addresses") for name in (*NEEDED, *OPTIONAL)
    }
    found = {name: given for name, given in named.items() if given}
    missing = [f"{PREFIX}{name.upper()}_ADDRESSES" for name in NEEDED if name not in found]
    if missing:
        raise SettingsError(f"{', '.join(missing)}: needed, host:port separated by commas")
    return found
