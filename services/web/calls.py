"""Calls of the four services for callers over HTTP, with their token, their address and their deadline."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message

from services.common.grpc.callers import FORWARDED_KEY
from services.common.grpc.channel import asynchronous_channel
from services.common.settings.service import PREFIX, Settings
from services.common.settings.variables import SettingsError
from services.web.contracts import Rpc
from services.web.problems import of_call

NEEDED = ("lobby", "rules", "ledger")
# Only where it asks callers for tokens.
OPTIONAL = ("routing",)


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
    """Calls over one channel to each process. Used on one event loop."""

    def __init__(self, settings: Settings, rpcs: Mapping[str, Rpc]) -> None:
        """Raises `SettingsError` where the address of a process is missing."""
        self._channels = {
            process: asynchronous_channel(addresses, _services_of(process, rpcs), settings.tls)
            for process, addresses in _addresses(settings).items()
        }

    async def answer(self, rpc: Rpc, request: Message, caller: Caller, seconds: float) -> Message:
        """The answer of a single call. Raises `ProblemError`."""
        call = self._channels[rpc.process].unary_unary(rpc.path, _serialized, rpc.answer.FromString)
        try:
            answer: Message = await call(request, timeout=seconds, metadata=caller.metadata)
        except grpc.RpcError as error:
            raise of_call(error) from error
        return answer

    async def answers(
        self, rpc: Rpc, request: Message, caller: Caller, seconds: float | None
    ) -> AsyncGenerator[Message, None]:
        """The answers of a stream; it ends with the iteration. Raises `ProblemError`."""
        method = self._channels[rpc.process].unary_stream(rpc.path, _serialized, rpc.answer.FromString)
        call: Any = method(request, timeout=seconds, metadata=caller.metadata)
        try:
            async for answer in call:
                yield answer
        except grpc.RpcError as error:
            raise of_call(error) from error
        finally:
            call.cancel()

    def offered(self, rpcs: Mapping[str, Rpc]) -> Mapping[str, Rpc]:
        """Those of the processes that are called."""
        return {path: rpc for path, rpc in rpcs.items() if rpc.process in self._channels}

    def unreached(self) -> Sequence[str]:
        """The processes to which there is no connection now; asks for one."""
        states = {name: channel.get_state(try_to_connect=True) for name, channel in self._channels.items()}
        return [name for name, state in states.items() if state is not grpc.ChannelConnectivity.READY]

    async def close(self) -> None:
        """End all calls."""
        for channel in self._channels.values():
            await channel.close()


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
