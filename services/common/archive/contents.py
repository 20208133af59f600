"""The object that a stream becomes: a line that people can read, and all records and requests, compressed.

The same stream gives the same bytes wherever it is archived, so that a second writer of an object changes nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from services.common.archive.errors import DamagedObject
from services.common.eventlog.port import Record, RequestRecord

FORMAT = "signalbox stream 1"
COMPRESSION = 9
RAW_BYTES_MAX = 256 * 1024 * 1024


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `digest`: SHA-256 of all other fields and of what follows the line.

    `ended_ms`: when the last record was written, milliseconds since 1970 UTC. `restricted`: not everybody may see it."""

    format: str = FORMAT
    stream: str
    title: str
    seats: tuple[str, ...]
    restricted: bool
    records: int
    requests: int
    ended_ms: int
    raw_bytes: int
    digest: str = ""


class ArchivedStream(msgspec.Struct, frozen=True):
    """A whole stream, read from an object or to be written as one. Records have position 0: those are of one file alone."""

    heading: Heading
    records: tuple[Record, ...]
    requests: tuple[RequestRecord, ...]

    def request(self, request_id: str) -> RequestRecord | None:
        """The request with this id."""
        return next((each for each in self.requests if each.request_id == request_id), None)


_Body = tuple[tuple[Record, ...], tuple[RequestRecord, ...]]
_decode_body = msgspec.msgpack.Decoder(_Body).decode
_decode_heading = msgspec.json.Decoder(Heading).decode


def written(
    title: str,
    seats: Sequence[str],
    restricted: bool,
    records: Sequence[Record],
    requests: Sequence[RequestRecord],
) -> tuple[Heading, bytes]:
    """The object of a stream. Requests are put into the order of their ids, since a log has them in none."""
    placed = [msgspec.structs.replace(each, position=0) for each in records]
    body = msgspec.msgpack.encode((placed, sorted(requests, key=lambda each: each.request_id)))
    packed = zlib.compress(body, COMPRESSION)
    heading = Heading(
        stream=records[0].stream,
        title=title,
        seats=tuple(seats),
        restricted=restricted,
        records=len(records),
        requests=len(requests),
        ended_ms=records[-1].recorded_time_ms,
        raw_bytes=len(body),
    )
    heading = msgspec.structs.replace(heading, digest=_digest(heading, packed))
    return heading, msgspec.json.encode(heading) + b"\n" + packed


def heading_of(name: str, content: bytes) -> Heading:
    """The first line of an object whose digest is right. Raises `DamagedObject`."""
    line, newline, packed = content.partition(b"\n")
    try:
        heading = _decode_heading(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise DamagedObject(f"{name}: is no archived game, or is damaged: {problem}") from problem
    if heading.format != FORMAT:
        raise DamagedObject(f"{name}: has the format {heading.format!r}, not {FORMAT!r}")
    if not newline or heading.digest != _digest(heading, packed):
        raise DamagedObject(f"{name}: is damaged or cut off: its digest is another")
    if not 0 < heading.raw_bytes <= RAW_BYTES_MAX:
        raise DamagedObject(f"{name}: says that it has {heading.raw_bytes} bytes")
    return heading


def read(name: str, content: bytes, stream: str, sequence: int) -> ArchivedStream:
    """The stream in an object, which must be this one up to this sequence. Raises `DamagedObject`."""
    heading = heading_of(name, content)
    try:
        unpacking = zlib.decompressobj()
        body = unpacking.decompress(content.partition(b"\n")[2], heading.raw_bytes)
        records, requests = _decode_body(body)
    except (zlib.error, msgspec.MsgspecError) as problem:
        raise DamagedObject(f"{name}: is damaged: {problem}") from problem
    found = [(each.stream, each.sequence) for each in records]
    if heading.stream != stream or found != [(stream, number) for number in range(1, sequence + 1)]:
        raise DamagedObject(
            f"{name}: has {heading.stream!r} up to {heading.records}, wanted was {stream!r} up to {sequence}"
        )
    return ArchivedStream(heading, records, requests)


def _digest(heading: Heading, packed: bytes) -> str:
    fields = msgspec.json.encode(msgspec.structs.replace(heading, digest=""))
    return sha256(fields + b"\n" + packed).hexdigest()
