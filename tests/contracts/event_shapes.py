"""What may not change in a message that is stored, unless its schema version is raised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet

from services.common.eventlog.schema_versions import FIRST_VERSION, VERSION_OPTION

Messages = dict[str, DescriptorProto]


def changed_shapes(old: FileDescriptorSet, new: FileDescriptorSet, events: Iterable[str]) -> list[str]:
    """Sentences about events (full names of messages) whose shape is another than in `old`, though their version is the same,
    or whose older version is not kept as it was."""
    before, now = _messages(old), _messages(new)
    return [sentence for name in sorted(events) if name in before for sentence in _changes(name, before, now)]


def _changes(name: str, before: Messages, now: Messages) -> Iterator[str]:
    version = _version(before[name])
    was = _shape(name, before)
    if _version(now[name]) < version:
        yield f"{name} fell from schema version {version} to {_version(now[name])}"
    elif _version(now[name]) == version:
        if _shape(name, now) != was:
            yield f"{name} changed, and its schema version is still {version}"
    elif f"{name}V{version}" not in now:
        yield f"{name} has a new schema version, and there is no {name}V{version}"
    elif _shape(f"{name}V{version}", now) != was:
        yield f"{name}V{version} is not what schema version {version} of {name} was"


def _messages(files: FileDescriptorSet) -> Messages:
    return {f"{file.package}.{message.name}": message for file in files.file for message in file.message_type}


def _version(message: DescriptorProto) -> int:
    version: int = message.options.Extensions[VERSION_OPTION]
    return version or FIRST_VERSION


def _shape(name: str, messages: Messages) -> tuple[Any, ...]:
    """All fields of a message, with the shapes of the messages in them."""
    return tuple(
        (
            field.name,
            field.number,
            field.type,
            field.label,
            field.proto3_optional,
            _shape(field.type_name.lstrip("."), messages)
            if field.type == field.TYPE_MESSAGE
            else field.type_name,
        )
        for field in messages[name].field
    )
