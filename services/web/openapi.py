"""The OpenAPI document, made from the descriptors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from services.web.contracts import Rpc
from services.web.problems import CONTENT_TYPE
from services.web.streams import EVENTS, NDJSON

VERSION = "3.1.0"
INTEGER_TEXT = {"type": "string", "pattern": "^-?[0-9]+$"}
FLOAT = {"type": ["number", "string"]}
# https://protobuf.dev/programming-guides/json: numbers of 64 bits are strings.
SCALARS: dict[int, dict[str, Any]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: INTEGER_TEXT,
    FieldDescriptor.CPPTYPE_UINT64: INTEGER_TEXT,
    FieldDescriptor.CPPTYPE_DOUBLE: FLOAT,
    FieldDescriptor.CPPTYPE_FLOAT: FLOAT,
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
}
# Messages that have a JSON form of their own.
WELL_KNOWN: dict[str, dict[str, Any]] = {
    "google.protobuf.Any": {
        "type": "object",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
    },
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.ListValue": {"type": "array"},
    "google.protobuf.Value": {},
}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["title", "status", "detail", "reason"],
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "reason": {"type": "string", "description": "a code that never changes its meaning"},
        "code": {"type": "string", "description": "the gRPC status"},
        "clause": {"type": "string", "description": "of the rulebook"},
        "more": {"type": "object"},
    },
}


def describe(rpcs: Iterable[Rpc]) -> dict[str, Any]:
    """The document: a path for each rpc, a schema for each message and enumeration that they use."""
    schemas: dict[str, Any] = {"Problem": PROBLEM}
    paths = {f"/api{rpc.path}": dict(_operations(rpc, schemas)) for rpc in rpcs}
    return {
        "openapi": VERSION,
        "info": {"title": "Signalbox", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
        # Reads of what everybody may see need no token.
        "security": [{}, {"token": []}],
    }


def _operations(rpc: Rpc, schemas: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    shared = {"tags": [rpc.service], "responses": _responses(rpc, schemas)}
    body = {
        "required": True,
        "content": {"application/json": {"schema": _reference(rpc.takes, schemas)}},
    }
    resumed = [] if rpc.resumption is None else [_last_event_id()]
    yield (
        "post",
        {**shared, "operationId": f"{rpc.service}.{rpc.name}", "requestBody": body, "parameters": resumed},
    )
    if rpc.is_read:
        parameters = [*_parameters(rpc.takes, schemas), *resumed]
        yield "get", {**shared, "operationId": f"{rpc.service}.{rpc.name}.get", "parameters": parameters}


def _responses(rpc: Rpc, schemas: dict[str, Any]) -> dict[str, Any]:
    answer = _reference(rpc.gives, schemas)
    content = (
        {NDJSON: {"schema": answer}, EVENTS: {"schema": {"type": "string"}}}
        if rpc.is_stream
        else {"application/json": {"schema": answer}}
    )
    problem = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        "200": {"description": "answered", "content": content},
        "default": {"description": "a problem", "content": problem},
    }


def _last_event_id() -> dict[str, Any]:
    return {
        "name": "Last-Event-ID",
        "in": "header",
        "schema": INTEGER_TEXT,
        "description": "the id of the event seen last",
    }


def _parameters(descriptor: Descriptor, schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for field in descriptor.fields:
        if field.message_type is None:
            yield {"name": field.json_name, "in": "query", "schema": _field(field, schemas)}


def _reference(found: Descriptor | EnumDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    name = found.full_name
    if name in WELL_KNOWN:
        return WELL_KNOWN[name]
    if name not in schemas:
        schemas[name] = {}
        schemas[name] = _enumeration(found) if isinstance(found, EnumDescriptor) else _message(found, schemas)
    return {"$ref": f"#/components/schemas/{name}"}


def _enumeration(found: EnumDescriptor) -> dict[str, Any]:
    return {"type": "string", "enum": [value.name for value in found.values]}


def _message(found: Descriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    properties = {field.json_name: _field(field, schemas) for field in found.fields}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _field(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return {"type": "object", "additionalProperties": _single(kind.fields_by_name["value"], schemas)}
    single = _single(field, schemas)
    return {"type": "array", "items": single} if field.is_repeated else single


def _single(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    described = field.message_type or field.enum_type
    if described is not None:
        return _reference(described, schemas)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return SCALARS.get(field.cpp_type, {"type": "string"})
