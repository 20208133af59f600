"""Requests and answers as JSON, in the form that protobuf defines for it (https://protobuf.dev/programming-guides/json)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from services.web.problems import ProblemError, of_http

# Of Connect's GET: https://connectrpc.com/docs/protocol#unary-get-request
MESSAGE = "message"
OF_CONNECT = frozenset({"encoding", "connect", "compression", "base64"})
SWITCHES = {"true": True, "false": False}


def request_in(body: bytes, kind: type[Message]) -> Message:
    """The request in a body; an empty body is an empty request. Raises `ProblemError` that names what is wrong."""
    try:
        given = json.loads(body.decode("utf-8")) if body else {}
    except (ValueError, RecursionError) as error:
        raise _malformed(f"the body is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise _malformed("the body is no JSON object")
    return _parsed(given, kind)


def request_of(query: Iterable[tuple[str, str]], kind: type[Message]) -> Message:
    """The request in the parameters of an address: its fields by name, or all of it as JSON in `message`. Raises
    `ProblemError`."""
    parameters = [(name, text) for name, text in query if name not in OF_CONNECT]
    descriptor = cast("Descriptor", kind.DESCRIPTOR)
    if [name for name, _ in parameters] == [MESSAGE] and MESSAGE not in descriptor.fields_by_name:
        return request_in(parameters[0][1].encode(), kind)
    given: dict[str, Any] = {}
    for name, text in parameters:
        field = _field(descriptor, name)
        value = SWITCHES.get(text, text) if field.type == FieldDescriptor.TYPE_BOOL else text
        if field.is_repeated:
            given.setdefault(field.name, []).append(value)
        elif field.name in given:
            raise _malformed(f"the parameter {name!r} stands twice")
        else:
            given[field.name] = value
    return _parsed(given, kind)


def answer_json(answer: Message) -> str:
    """An answer on one line. Raises `ProblemError` for one with a message of a title from elsewhere, which this process does not
    know."""
    try:
        return json_format.MessageToJson(answer, indent=None)
    except TypeError as error:
        raise of_http(501, "unknown_message", str(error)) from error


def _field(descriptor: Descriptor, name: str) -> FieldDescriptor:
    field = descriptor.fields_by_name.get(name) or descriptor.fields_by_camelcase_name.get(name)
    if field is None:
        raise _malformed(f"{descriptor.name} has no field {name!r}")
    if field.message_type is not None:
        raise _malformed(f"{name!r} has parts: give the whole request as JSON in the parameter {MESSAGE!r}")
    return field


def _parsed(given: dict[str, Any], kind: type[Message]) -> Message:
    try:
        return json_format.ParseDict(given, kind())
    except (json_format.ParseError, RecursionError) as error:
        raise _malformed(str(error)) from error


def _malformed(detail: str) -> ProblemError:
    return of_http(400, "malformed_request", detail)
