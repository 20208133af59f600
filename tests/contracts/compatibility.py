"""What may not change between two versions of the contracts."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)


def broken_promises(old: FileDescriptorSet, new: FileDescriptorSet) -> list[str]:
    """Sentences about everything in `old` that `new` changed or dropped without reserving it."""
    new_files = {file.name: file for file in new.file}
    found: list[str] = []
    for old_file in old.file:
        if not old_file.name.startswith("signalbox/"):
            continue
        new_file = new_files.get(old_file.name)
        if new_file is None:
            found.append(f"{old_file.name} was dropped")
        else:
            found.extend(_file_breaks(old_file, new_file))
    return found


def _file_breaks(old: FileDescriptorProto, new: FileDescriptorProto) -> Iterator[str]:
    if old.package != new.package:
        yield f"{old.name}: package {old.package} became {new.package}"
    yield from _members_breaks(old.package, old.message_type, new.message_type, _message_breaks)
    yield from _members_breaks(old.package, old.enum_type, new.enum_type, _enum_breaks)
    new_services = {service.name: service for service in new.service}
    for service in old.service:
        new_methods = (
            {m.name: m for m in new_services[service.name].method} if service.name in new_services else {}
        )
        for method in service.method:
            if new_methods.get(method.name) != method:
                yield f"{old.package}.{service.name}.{method.name} was changed or dropped"


def _members_breaks(scope: str, old: Any, new: Any, compare: Any) -> Iterator[str]:
    new_by_name = {member.name: member for member in new}
    for member in old:
        name = f"{scope}.{member.name}"
        if member.name not in new_by_name:
            yield f"{name} was dropped"
        else:
            yield from compare(name, member, new_by_name[member.name])


def _message_breaks(name: str, old: DescriptorProto, new: DescriptorProto) -> Iterator[str]:
    new_fields = {field.number: field for field in new.field}
    reserved = {number for r in new.reserved_range for number in range(r.start, r.end)}
    for field in old.field:
        now = new_fields.get(field.number)
        if now is None:
            if field.number not in reserved or field.name not in new.reserved_name:
                yield f"{name}.{field.name} = {field.number} was dropped without reserving number and name"
            continue
        before_group = old.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""
        now_group = new.oneof_decl[now.oneof_index].name if now.HasField("oneof_index") else ""
        before_facts = (
            field.name,
            field.type,
            field.type_name,
            field.label,
            field.proto3_optional,
            before_group,
        )
        if before_facts != (now.name, now.type, now.type_name, now.label, now.proto3_optional, now_group):
            yield f"{name}.{field.name} = {field.number} was changed"
    yield from _members_breaks(name, old.nested_type, new.nested_type, _message_breaks)
    yield from _members_breaks(name, old.enum_type, new.enum_type, _enum_breaks)


def _enum_breaks(name: str, old: EnumDescriptorProto, new: EnumDescriptorProto) -> Iterator[str]:
    new_values = {value.number: value.name for value in new.value}
    reserved = {number for r in new.reserved_range for number in range(r.start, r.end + 1)}
    for value in old.value:
        now = new_values.get(value.number)
        if now is None and value.number in reserved and value.name in new.reserved_name:
            continue
        if now != value.name:
            yield f"{name}.{value.name} = {value.number} was changed or dropped"
