"""Requests made from the OpenAPI document alone: such as it describes them, and such as it forbids.

Schemathesis does the same with nine further packages, GraphQL among them, and without a seed of ours."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

TEXTS = ("", "a", "x" * 300, "\x00", "1824", "../..", "<b>", "\N{GRINNING FACE}", "\ud800", "9" * 40, "-1")
NUMBERS = (0, 1, -1, 2**31 - 1, -(2**31), 2**31, 1.5, 10**30)
WRONG: Sequence[Any] = (None, [], {}, "x", 7, True, [[]], {"a": {}}, 1e400)
ITEMS_MOST = 3
DEPTH_MOST = 6
NESTED = 60


class Described(NamedTuple):
    """A request: `body` as JSON, None for GET."""

    method: str
    path: str
    body: bytes | None
    is_stream: bool
    answer: Mapping[str, Any]


class Maker:
    """Makes requests; the same ones with the same seed."""

    def __init__(self, document: Mapping[str, Any], known: Mapping[str, Any], seed: int) -> None:
        """`known`: values that exist, by name of the field."""
        self._document = document
        self._known = known
        self._draw = random.Random(seed)

    def requests(self, rounds: int) -> Iterator[Described]:
        """So many of each operation."""
        for path, operations in self._document["paths"].items():
            for method, operation in operations.items():
                content = operation["responses"]["200"]["content"]
                answer = content.get("application/json", {}).get("schema", {})
                for number in range(rounds):
                    fault = (0.0, 0.1, 0.5)[number % 3]
                    made = self._request(method, path, operation, fault)
                    yield Described(*made, "application/json" not in content, answer)

    def _request(
        self, method: str, path: str, operation: Mapping[str, Any], fault: float
    ) -> tuple[str, str, bytes | None]:
        if method == "post":
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            return "POST", path, json.dumps(self._value("", schema, fault, 0)).encode()
        chosen = [each for each in operation["parameters"] if self._draw.random() < 0.5]
        given = {
            each["name"]: str(self._value(each["name"], each["schema"], fault, 0)).encode("utf-8", "replace")
            for each in chosen
            if each["in"] == "query"
        }
        return "GET", f"{path}?{urlencode(given)}", None

    def _value(self, name: str, schema: Mapping[str, Any], fault: float, depth: int) -> Any:
        draw = self._draw
        if draw.random() < fault:
            return draw.choice((*WRONG, _nested()))
        if name in self._known and draw.random() < 0.7:
            return self._known[name]
        if "$ref" in schema:
            found = self._document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            return self._value(name, found, fault, depth)
        if "enum" in schema:
            return draw.choice(schema["enum"])
        kind = schema.get("type", "object")
        if kind == "object":
            return self._object(schema, fault, depth)
        if kind == "array":
            many = draw.randint(0, ITEMS_MOST) if depth < DEPTH_MOST else 0
            return [self._value(name, schema["items"], fault, depth + 1) for _ in range(many)]
        if kind == "boolean":
            return draw.random() < 0.5
        if kind == "string":
            return str(draw.choice(NUMBERS[:4])) if "pattern" in schema else draw.choice(TEXTS)
        return draw.choice(NUMBERS[:5])

    def _object(self, schema: Mapping[str, Any], fault: float, depth: int) -> dict[str, Any]:
        draw = self._draw
        made: dict[str, Any] = {}
        for name, part in schema.get("properties", {}).items():
            if draw.random() < (0.8 if depth < 2 else 0.3) and depth < DEPTH_MOST:
                made[name] = self._value(name, part, fault, depth + 1)
        if draw.random() < fault:
            made["notThere"] = draw.choice(TEXTS)
        return made


def _nested() -> Any:
    value: Any = 1
    for _ in range(NESTED):
        value = [value]
    return value
