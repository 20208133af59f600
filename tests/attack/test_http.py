"""Attacks on the HTTP server in front of routing: it stays up, answers others meanwhile, and works for nobody who has left."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from collections.abc import Iterator

import msgspec
import pytest

from services.routing.json_form import problem_to_json
from tests.routing.http_serving import EXAMPLE, SECONDS, Http, ended, http_serving, run, until
from tests.routing.service.serving import Serving, endless_problem, serving

ENDLESS = problem_to_json(endless_problem())
SLOW = 0.3
JUNK_SEED, JUNK_COUNT = 1, 200


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    """A routing server."""
    with serving() as running:
        yield running


def head(path: str, length: int) -> bytes:
    """The headers of a request with a body of so many bytes."""
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()


async def is_well(http: Http) -> bool:
    """Whether an honest client is answered."""
    health, solved = await http.ask("GET", "/health"), await http.ask("POST", "/v1/solve", EXAMPLE)
    return (health.status, solved.status) == (200, 200)


def test_who_leaves_ends_the_search(server: Serving) -> None:
    """The connection is closed while the solver works: the worker is free again, without an answer to anybody."""

    async def leave() -> None:
        async with http_serving(server.address) as http:
            before = server.metric("solved_total", proven="false")
            for path in ("/v1/solve", "/v1/picture"):
                _, writer = await http.connect()
                writer.write(head(path, len(ENDLESS)) + ENDLESS)
                await until(
                    lambda: server.metric("waiting_seconds_count") > server.metric("solving_seconds_count")
                )
                writer.close()
                await until(
                    lambda: server.metric("waiting_seconds_count") == server.metric("solving_seconds_count")
                )
                assert http.metric("requests_total", path=path, status="499") == 1
            assert server.metric("solved_total", proven="false") >= before
            assert http.metric("active") == 0
            assert await is_well(http)

    run(leave())


def test_a_search_ends_with_its_time(server: Serving) -> None:
    """The best found by then is the answer, with its bound."""

    async def wait() -> None:
        async with http_serving(server.address, search_seconds=SLOW) as http:
            answer = await http.ask("POST", "/v1/solve", ENDLESS)
            assert answer.status == 200
            assert msgspec.json.decode(answer.body)["proven"] is False

    run(wait())


def test_half_open_connections_are_closed(server: Serving) -> None:
    """Nothing, part of the headers, a second request that does not come: each is closed when its time is over."""

    async def open_them() -> None:
        async with http_serving(server.address, header_seconds=SLOW) as http:
            readers = []
            for begun in (
                b"",
                b"POST /v1/sol",
                b"POST /v1/solve HTTP/1.1\r\nHost: x\r\n",
                head("/v1/solve", 0),
            ):
                reader, writer = await http.connect()
                writer.write(begun)
                readers.append((reader, writer))
            assert await is_well(http)
            for reader, writer in readers:
                await ended(reader)
                writer.close()
            await until(lambda: http.metric("connections") <= 1)

    run(open_them())


def test_a_slow_body_is_refused(server: Serving) -> None:
    """408, and the connection is closed, however the body drips."""

    async def drip() -> None:
        async with http_serving(server.address, body_seconds=SLOW) as http:
            reader, writer = await http.connect()
            writer.write(head("/v1/solve", 1_000) + b"{")
            assert await is_well(http)
            assert b" 408 " in (await ended(reader)).partition(b"\r\n")[0]
            writer.close()

    run(drip())


def test_connections_of_one_address_have_a_share(server: Serving) -> None:
    """One more is closed at once; when one ends there is room again. A trusted proxy may have all."""

    async def connect() -> None:
        async with http_serving(server.address, address_connections=2) as http:
            pairs = [await http.connect() for _ in range(2)]
            await until(lambda: http.metric("connections") == 2)
            reader, writer = await http.connect()
            assert await ended(reader) == b""
            writer.close()
            assert http.metric("refused_connections_total") == 1
            for _, each in pairs:
                each.close()
            await until(lambda: http.metric("connections") == 0)
            assert await is_well(http)
        async with http_serving(server.address, ("127.0.0.0/8",), address_connections=1) as http:
            pairs = [await http.connect() for _ in range(3)]
            await until(lambda: http.metric("connections") == 3)

    run(connect())


def test_requests_of_one_address_have_a_share(server: Serving) -> None:
    """One more is answered 429 with a time to retry, before its body is read; other addresses are answered."""

    async def flood() -> None:
        async with http_serving(
            server.address, ("127.0.0.1/32",), address_requests=2, search_seconds=SECONDS
        ) as http:
            asking = [
                asyncio.create_task(http.ask("POST", "/v1/solve", ENDLESS, X_Forwarded_For="10.0.0.1"))
                for _ in range(2)
            ]
            await until(lambda: http.metric("active") == 2)
            reader, writer = await http.connect()
            writer.write(
                head("/v1/solve", 1_000).replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: 10.0.0.1")
            )
            answer = await ended(reader)
            writer.close()
            assert b" 429 " in answer.partition(b"\r\n")[0]
            assert b"\r\nRetry-After: 1\r\n" in answer and b'"reason":"too_many_requests"' in answer
            other = await http.ask("GET", "/", X_Forwarded_For="10.0.0.2")
            assert other.status == 200
            for each in asking:
                each.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            await until(lambda: http.metric("active") == 0)

    run(flood())


def test_a_client_that_does_not_read_is_closed(server: Serving) -> None:
    """Answers that nobody takes do not pile up for ever."""

    async def send() -> None:
        async with http_serving(server.address, write_seconds=SLOW, search_seconds=5.0) as http:
            _, writer = await http.connect()
            request = head("/", 0).replace(b"POST", b"GET")
            # More answers than the buffers of the system hold.
            for _ in range(400):
                writer.write(request * 100)
                try:
                    async with asyncio.timeout(0.05):
                        await writer.drain()
                except (TimeoutError, ConnectionError):
                    break
            await until(lambda: http.metric("connections") == 0)
            writer.close()
            assert await is_well(http)

    run(send())


def nested(depth: int) -> bytes:
    """Lists in lists."""
    return b"[" * depth + b"]" * depth


GIANTS = {
    "too large": (b" " * 1_048_577, 413),
    "too large for the form": (b"problem=" + b"a" * 1_048_576, 413),
    "deep": (nested(500_000), 400),
    "deep in a field": (
        EXAMPLE.replace(b'"company"', b'"slots": ' + nested(500_000) + b', "company"', 1),
        400,
    ),
    "many stops": (json.dumps({"stops": [{}] * 100_000}).encode(), 400),
    "long name": (EXAMPLE.replace(b'"Toledo"', b'"' + b"T" * 900_000 + b'"', 1), 400),
    "huge number": (EXAMPLE.replace(b'"reach": 2', b'"reach": ' + b"9" * 900_000), 400),
    "lone surrogate": (EXAMPLE.replace(b"Toledo", b"\\ud800"), 400),
    "no text": (b"\xff\xfe\x00", 400),
    "unpacked bomb": (gzip.compress(b" " * 50_000_000), 400),
}


@pytest.mark.parametrize("kind", GIANTS)
def test_giants_are_refused(server: Serving, kind: str) -> None:
    """By every way in, with a fault of the client's and a short answer."""
    body, status = GIANTS[kind]

    async def send() -> None:
        async with http_serving(server.address) as http:
            for path in ("/v1/solve", "/v1/picture"):
                answer = await http.ask("POST", path, body)
                assert (answer.status, len(answer.body) < 2_000) == (status, True), answer.body[:300]
            assert (await http.ask("POST", "/", body)).status in (400, 413)
            assert await is_well(http)

    run(send())


def test_packed_bodies_are_not_unpacked(server: Serving) -> None:
    """415 for a bomb that says what it is."""

    async def send() -> None:
        async with http_serving(server.address) as http:
            bomb = gzip.compress(b" " * 50_000_000)
            answer = await http.ask("POST", "/v1/solve", bomb, Content_Encoding="gzip")
            assert answer.status == 415
            assert await is_well(http)

    run(send())


def test_junk_is_no_error_of_ours(server: Serving) -> None:
    """Bytes turned, cut and doubled in a request: no status of 500 and more, and the server stays up."""
    draw = random.Random(JUNK_SEED)
    whole = head("/v1/solve", len(EXAMPLE)) + EXAMPLE

    def spoilt() -> bytes:
        made = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(made))
            made[at : at + draw.randint(0, 3)] = draw.randbytes(draw.randint(0, 3))
        return bytes(made)

    async def send() -> None:
        async with http_serving(server.address, body_seconds=SLOW, header_seconds=SLOW) as http:
            for _ in range(JUNK_COUNT):
                reader, writer = await http.connect()
                writer.write(spoilt())
                writer.write_eof()
                answer = await ended(reader)
                writer.close()
                assert b" 5" not in answer.partition(b"\r\n")[0], answer[:300]
            assert await is_well(http)

    run(send())
