"""HTTP/JSON in front of the routing service, and its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.http.faults import CONTENT_TYPE, Fault
from services.routing.json_form import problem_from_json
from tests.routing.http_serving import EXAMPLE, Answer, http_serving, run
from tests.routing.serving import plain_routing

NOWHERE = "127.0.0.1:1"


def asked(address: str, method: str, path: str, body: Any = b"", **headers: str) -> Answer:
    """The answer to one request, by a server in front of the service at `address`."""

    async def ask() -> Answer:
        async with http_serving(address) as http:
            return await http.ask(method, path, body, **headers)

    return run(ask())


def fault_in(answer: Answer) -> Fault:
    """The problem details that came back, with the status of the answer."""
    assert answer.kind == CONTENT_TYPE
    fault = msgspec.json.decode(answer.body, type=Fault)
    assert fault.status == answer.status
    return fault


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
        (EXAMPLE.replace(b'"reach": 2', b'"reach": 99999999999999'), "trains[1].reach", "reach_out_of_range"),
        (EXAMPLE.replace(b'"reach": 2', b'"range": 2'), "trains[1]", "unknown_field"),
    ],
)
def test_an_invalid_problem_is_named_by_its_field(address: str, body: bytes, field: str, reason: str) -> None:
    """With the reason code of the command and of gRPC; for a picture alike."""
    assert body != EXAMPLE
    for path in ("/v1/solve", "/v1/picture"):
        fault = fault_in(asked(address, "POST", path, body))
        assert (fault.status, fault.title, fault.field, fault.reason) == (400, "Bad Request", field, reason)


def test_what_only_the_service_finds_is_named_by_its_field_as_well(address: str) -> None:
    """A locked run that is not legal is known when it is solved; the path is that of the JSON."""
    locked = b'"options": {"locked_runs": [{"train": "2", "stops": ["West", "Buffalo"], "segments": []}]}, "company"'
    fault = fault_in(asked(address, "POST", "/v1/solve", EXAMPLE.replace(b'"company"', locked, 1)))
    assert (fault.status, fault.field, fault.reason) == (
        400,
        "options.locked_runs",
        "locked_run_not_possible",
    )
    free = EXAMPLE.replace(b'"runs": 1', b'"runs": 0').replace(b'"company"', locked, 1)
    fault = fault_in(asked(address, "POST", "/v1/solve", free))
    assert (fault.status, fault.field, fault.reason) == (400, "options.locked_runs", "route_not_connected")
    assert not fault.detail.startswith("problem.")


def test_a_picture_shows_the_problem_with_its_runs(address: str) -> None:
    """As SVG, with every stop and what each run earns; a browser runs nothing in it."""
    answer = asked(address, "POST", "/v1/picture", EXAMPLE)
    assert (answer.status, answer.kind) == (200, "image/svg+xml")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    for shown in ("Cleveland", "3/5: Buffalo - Cleveland - Toledo - Chicago - West", "total 280"):
        assert shown in answer.body.decode()


def test_the_page_draws_what_is_sent_and_escapes_it(address: str) -> None:
    """First a form; then the form with the problem and its picture, or with what is wrong and where."""
    assert b"<textarea" in asked(address, "GET", "/").body
    named = EXAMPLE.decode().replace("Toledo", "<script>")
    drawn = asked(address, "POST", "/", {"problem": named})
    assert (drawn.status, drawn.kind) == (200, "text/html")
    assert "<svg" in drawn.body.decode()
    assert "<script>" not in drawn.body.decode()
    wrong = asked(address, "POST", "/", {"problem": EXAMPLE.decode().replace('"reach": 2', '"reach": -2')})
    assert wrong.status == 400
    assert "<code>trains[1].reach</code>" in wrong.body.decode()
    assert asked(NOWHERE, "POST", "/", {"problem": EXAMPLE.decode()}).status == 503


def test_health_is_that_of_the_service() -> None:
    """503 with a reason while it cannot be asked. (A service with health: tests/attack/test_http.py.)"""
    fault = fault_in(asked(NOWHERE, "GET", "/health"))
    assert (fault.status, fault.reason) == (503, "unavailable")


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "reason"),
    [
        ("GET", "/v2/solve", {}, 404, "not_found"),
        ("GET", "/v1/solve", {}, 405, "method_not_allowed"),
        ("POST", "/v1/solve", {"Content_Encoding": "gzip"}, 415, "unsupported_media_type"),
        ("POST", "/v1/solve", {"Authorization": "Bearer \u00e9"}, 401, "unauthorized"),
    ],
)
def test_every_fault_has_the_same_shape(
    address: str, method: str, path: str, headers: dict[str, str], status: int, reason: str
) -> None:
    """Also those of HTTP itself."""
    fault = fault_in(asked(address, method, path, EXAMPLE if method == "POST" else None, **headers))
    assert (fault.status, fault.reason) == (status, reason)


def test_a_service_that_is_down(address: str) -> None:
    """503 with a reason."""
    fault = fault_in(asked(NOWHERE, "POST", "/v1/solve", EXAMPLE))
    assert (fault.status, fault.reason) == (503, "unavailable")


def test_requests_are_counted(address: str) -> None:
    """By path and status; paths that do not exist together."""

    async def count() -> dict[str, float]:
        async with http_serving(address) as http:
            await http.ask("POST", "/v1/solve", EXAMPLE)
            await http.ask("POST", "/v1/solve", b"{}")
            for path in ("/a", "/b"):
                await http.ask("GET", path)
            return {
                "solved": http.metric("requests_total", path="/v1/solve", status="200"),
                "invalid": http.metric("requests_total", path="/v1/solve", status="400"),
                "elsewhere": http.metric("requests_total", path="other", status="404"),
                "timed": http.metric("seconds_count", path="/v1/solve"),
                "active": http.metric("active"),
            }

    assert run(count()) == {"solved": 1, "invalid": 1, "elsewhere": 2, "timed": 2, "active": 0}
