"""Complete calls written as bytes of HTTP/2 (RFC 9113): a client of gRPC has more work with a call than the server that refuses
it, and would only measure itself."""

from __future__ import annotations

import asyncio
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_BYTES = 9
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
MAX_CONCURRENT_STREAMS = 3
# RFC 7541, appendix A.
METHOD_POST, SCHEME_HTTP, AUTHORITY, PATH, CONTENT_TYPE = 0x83, 0x86, 1, 4, 31
EMPTY_MESSAGE = bytes(5)
WINDOW = struct.pack(">I", 2**30)


def frame(kind: int, flags: int, stream: int, content: bytes = b"") -> bytes:
    """One frame."""
    return len(content).to_bytes(3, "big") + bytes((kind, flags)) + struct.pack(">I", stream) + content


def call_headers(path: str) -> bytes:
    """The header block of a call without a token, the same for every call: nothing in it is kept by the server."""
    return (
        bytes((METHOD_POST, SCHEME_HTTP))
        + _known(PATH, path)
        + _known(AUTHORITY, "host")
        + _known(CONTENT_TYPE, "application/grpc")
        + b"\0"
        + _text("te")
        + _text("trailers")
    )


def _known(name: int, value: str) -> bytes:
    """A literal that is not indexed, with an indexed name."""
    index = bytes((name,)) if name < 0x0F else bytes((0x0F, name - 0x0F))
    return index + _text(value)


def _text(value: str) -> bytes:
    return bytes((len(value),)) + value.encode()


class RawConnection:
    """Begins calls without waiting for answers, as many at the same time as the server allows."""

    def __init__(self, address: str, path: str, own_host: str) -> None:
        """`own_host`: the address from which it connects."""
        self._own_host = own_host
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._headers = call_headers(path)
        self._next = 1
        # None before the server's settings.
        self._most = 0
        self._running: set[int] = set()
        self.begun = 0
        self.answered = 0

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(
            self._host, self._port, local_addr=(self._own_host, 0)
        )
        self._writer.write(PREFACE + frame(SETTINGS, 0, 0) + frame(WINDOW_UPDATE, 0, 0, WINDOW))
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Disconnect."""
        self._reading.cancel()
        self._writer.close()

    @property
    def running(self) -> int:
        """Calls that have not ended."""
        return len(self._running)

    def begin(self) -> bool:
        """Begin a call; False if as many are running as there may be, or the connection is gone."""
        if self.running >= self._most or self._reading.done():
            return False
        self._writer.write(
            frame(HEADERS, END_HEADERS, self._next, self._headers)
            + frame(DATA, END_STREAM, self._next, EMPTY_MESSAGE)
        )
        self._running.add(self._next)
        self._next += 2
        self.begun += 1
        return True

    async def _read(self) -> None:
        while True:
            header = await self._reader.readexactly(HEADER_BYTES)
            content = await self._reader.readexactly(int.from_bytes(header[:3], "big"))
            kind, flags, (stream,) = header[3], header[4], struct.unpack(">I", header[5:])
            if kind == SETTINGS and not flags & ACK:
                self._take(content)
                self._writer.write(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self._writer.write(frame(PING, ACK, 0, content))
            elif kind == HEADERS and flags & END_STREAM:
                self.answered += 1
                self._running.discard(stream)
            elif kind == RST_STREAM:
                self._running.discard(stream)

    def _take(self, settings: bytes) -> None:
        for name, value in struct.iter_unpack(">HI", settings):
            if name == MAX_CONCURRENT_STREAMS:
                self._most = value
