"""HTTP/JSON in front of the routing service, and its page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import grpc
import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.http_api import BYTES_MOST, Fault, RoutingHttp
from services.routing.json_form import problem_from_json
from tests.conftest import REPOSITORY
from tests.routing.serving import plain_routing

EXAMPLE = (REPOSITORY / "docs" / "examples" / "routes" / "24-your-title.json").read_bytes()


class Answer(NamedTuple):
    """What came back."""

    status: int
    kind: str
    body: bytes


def asked(
    address: str, method: str, path: str, body: bytes = b"", form: dict[str, str] | None = None
) -> Answer:
    """The answer to one request, by an application in front of the service at `address`."""

    async def ask() -> Answer:
        application = RoutingHttp(grpc.insecure_channel(address)).application()
        async with TestClient(TestServer(application)) as client:
            response = await client.request(method, path, data=form or body)
            return Answer(response.status, response.content_type, await response.read())

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A routing service."""
    with plain_routing() as port:
        yield f"127.0.0.1:{port}"


def test_a_problem_is_solved(address: str) -> None:
    """The body is the solution in its JSON form."""
    answer = asked(address, "POST", "/v1/solve", EXAMPLE)
    assert (answer.status, answer.kind) == (200, "application/json")
    assert msgspec.json.decode(answer.body, type=RouteSolution) == solve(problem_from_json(EXAMPLE))


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        (b"no json", "$", "malformed_json"),
        (EXAMPLE.replace(b'"reach": 2', b'"reach": -2'), "trains[1].reach", "reach_out_of_range"),
        (EXAMPLE.replace(b'"reach": 2', b'"range": 2'), "trains[1]", "unknown_field"),
    ],
)
def test_an_invalid_problem_is_named_by_its_field(address: str, body: bytes, field: str, reason: str) -> None:
    """With the reason code of the command and of gRPC; for a picture alike."""
    for path in ("/v1/solve", "/v1/picture"):
        answer = asked(address, "POST", path, body)
        fault = msgspec.json.decode(answer.body, type=Fault)
        assert (answer.status, fault.field, fault.reason) == (400, field, reason)


def test_a_picture_shows_the_problem_with_its_runs(address: str) -> None:
    """As SVG, with every stop and what each run earns."""
    answer = asked(address, "POST", "/v1/picture", EXAMPLE)
    assert (answer.status, answer.kind) == (200, "image/svg+xml")
    for shown in ("Cleveland", "3/5: Buffalo - Cleveland - Toledo - Chicago - West  200", "total 280"):
        assert shown in answer.body.decode()


def test_the_page_draws_what_is_sent_and_escapes_it(address: str) -> None:
    """First a form; then the form with the problem and its picture, or with what is wrong."""
    assert b"<textarea" in asked(address, "GET", "/").body
    named = EXAMPLE.decode().replace("Toledo", "<script>")
    drawn = asked(address, "POST", "/", form={"problem": named})
    assert (drawn.status, drawn.kind) == (200, "text/html")
    assert "<svg" in drawn.body.decode()
    assert "<script>" not in drawn.body.decode()
    wrong = asked(address, "POST", "/", form={"problem": "{}"})
    assert wrong.status == 400
    assert "required field" in wrong.body.decode()


def test_too_much_and_a_service_that_is_down(address: str) -> None:
    """413 and 503, as JSON with a reason."""
    assert asked(address, "POST", "/v1/solve", b" " * (BYTES_MOST + 1)).status == 413
    down = asked("127.0.0.1:1", "POST", "/v1/solve", EXAMPLE)
    assert (down.status, msgspec.json.decode(down.body, type=Fault).reason) == (503, "unavailable")
