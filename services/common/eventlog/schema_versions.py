"""The versions in which events are stored, which their contracts declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.message import Message

from services.gen.signalbox.log.v1 import schema_version_pb2

FIRST_VERSION = 1
# The option of a message that declares its version; the two protobuf runtimes type it apart.
VERSION_OPTION: Any = schema_version_pb2.schema_version


def schema_version_of(message: type[Message]) -> int:
    """The version in which events of this message are stored now; 1 where the contract says nothing."""
    descriptor: Any = message.DESCRIPTOR
    version: int = descriptor.GetOptions().Extensions[VERSION_OPTION]
    return version or FIRST_VERSION


def check_upcasts(current: Mapping[str, int], older: Iterable[tuple[str, int]]) -> None:
    """TypeError unless `older` names each version of each event before its current one, and nothing else."""
    wanted = {(name, version) for name, last in current.items() for version in range(FIRST_VERSION, last)}
    different = sorted(wanted ^ set(older))
    if different:
        listed = ", ".join(f"{name} {version}" for name, version in different)
        raise TypeError(f"versions without an upcast, or upcasts without a version: {listed}")


def unknown_version(name: str, version: int, current: int) -> str:
    """The sentence about a version that cannot be read."""
    return f"{name}: schema version {version} is unknown, {current} is the newest known"
