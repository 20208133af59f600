"""Every rpc of the services, found in their descriptors."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor, MethodDescriptor
from google.protobuf.message import Message

from services.gen import signalbox

# Standard methods that change nothing (https://google.aip.dev/131, /132), and streams of what changes.
READS = ("Get", "List", "Watch")
AFTER = "after_"


@dataclass(frozen=True, slots=True)
class Resumption:
    """How a stream goes on after an answer: the field of the request that takes its number, and the fields that lead to the
    number in the answer."""

    request_field: str
    answer_fields: tuple[str, ...]

    def number_in(self, answer: Message) -> int:
        """The number of an answer."""
        found: object = answer
        for name in self.answer_fields:
            found = getattr(found, name)
        assert isinstance(found, int), "Resumption names a field of whole numbers"
        return found


@dataclass(frozen=True, slots=True)
class Rpc:
    """One method of a service."""

    service: str
    """Full name."""
    name: str
    request: type[Message]
    answer: type[Message]
    is_stream: bool
    resumption: Resumption | None

    @property
    def process(self) -> str:
        """The process that serves it, such as lobby."""
        return self.service.split(".")[1]

    @property
    def takes(self) -> Descriptor:
        """What its request holds."""
        return cast("Descriptor", self.request.DESCRIPTOR)

    @property
    def gives(self) -> Descriptor:
        """What its answers hold."""
        return cast("Descriptor", self.answer.DESCRIPTOR)

    @property
    def path(self) -> str:
        """As gRPC, Connect and our own addresses name it."""
        return f"/{self.service}/{self.name}"

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing, so that GET may call it."""
        return self.name.startswith(READS)


def find_rpcs() -> Mapping[str, Rpc]:
    """All rpcs by path. Loads the messages of all titles too, which others hold packed in an `Any`."""
    found = (rpc for file in _files() for rpc in _rpcs_of(file))
    return {rpc.path: rpc for rpc in sorted(found, key=lambda rpc: rpc.path)}


def _files() -> Iterator[FileDescriptor]:
    for module in pkgutil.walk_packages(signalbox.__path__, f"{signalbox.__name__}."):
        if module.name.endswith("_pb2"):
            yield import_module(module.name).DESCRIPTOR


def _rpcs_of(file: FileDescriptor) -> Iterator[Rpc]:
    for service in file.services_by_name.values():
        for method in service.methods:
            if not method.client_streaming:
                yield _rpc(service.full_name, method)


def _rpc(service: str, method: MethodDescriptor) -> Rpc:
    resumption = _resumption(method.input_type, method.output_type) if method.server_streaming else None
    return Rpc(
        service,
        method.name,
        message_factory.GetMessageClass(method.input_type),
        message_factory.GetMessageClass(method.output_type),
        bool(method.server_streaming),
        resumption,
    )


def _resumption(request: Descriptor, answer: Descriptor) -> Resumption | None:
    for field in request.fields:
        name = field.name.removeprefix(AFTER)
        if name != field.name and (fields := _way_to(name, answer)):
            return Resumption(field.name, fields)
    return None


def _way_to(name: str, answer: Descriptor) -> tuple[str, ...]:
    """The fields that lead to a number of this name, in the answer itself or in a part of it."""
    if _is_number(answer.fields_by_name.get(name)):
        return (name,)
    for part in answer.fields:
        kind = part.message_type
        if kind is not None and not part.is_repeated and _is_number(kind.fields_by_name.get(name)):
            return part.name, name
    return ()


def _is_number(field: FieldDescriptor | None) -> bool:
    return field is not None and field.type == FieldDescriptor.TYPE_INT64 and not field.is_repeated
