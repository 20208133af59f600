"""What a backup consists of: segments of records, and points, each of which names all records up to one moment."""

from __future__ import annotations

import gzip
from hashlib import blake2b
from typing import Final

import msgspec
from confluent_kafka import Message

from services.common.errors import SignalboxError

VERSION: Final = 1
DIGEST_BYTES = 16
NO_RECORDS = ""
GZIP_LEVEL = 6


class UnusableBackup(SignalboxError):
    """An object of a backup is missing, was changed, or is of a version that this program does not know."""


class BackedUpRecord(msgspec.Struct, frozen=True, array_like=True):
    """A committed record of Kafka. `topic` without the platform's prefix; `timestamp_ms` is the record's own."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def size(self) -> int:
        """About its bytes."""
        return (
            len(self.key or b"")
            + len(self.value or b"")
            + sum(len(value or b"") for _, value in self.headers)
        )


class PartitionState(msgspec.Struct, frozen=True, kw_only=True):
    """How far a partition is backed up. `next`: every committed record below this offset is in the backup.

    `digest`: see `chained`. `last`, `last_digest`: the landmark of the last record, -1 without one."""

    topic: str
    partition: int
    next: int = 0
    records: int = 0
    digest: str = NO_RECORDS
    last: int = -1
    last_digest: int = 0


class Content(msgspec.Struct, frozen=True, order=True):
    """Records of a partition: how many, and their digest (`chained`)."""

    records: int = 0
    digest: str = NO_RECORDS

    def with_record(self, record: BackedUpRecord) -> Content:
        """With one more at the end."""
        return Content(self.records + 1, chained(self.digest, record))


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """All records of the first `segments` segments. To restore a platform it must be `consistent`: no fact of it refers to
    one that is not in it. Others only save a run that is cut off from reading everything again.

    `time_ms`: when the ends were taken. `writer`: number of the point with which its process began. `identity`: of the
    topics. `segments_digest`: over the names of the segments. `bytes`: of all segments."""

    version: int = VERSION
    number: int
    time_ms: int
    consistent: bool
    writer: int
    identity: str
    partitions: list[PartitionState]
    segments: int = 0
    segments_digest: str = NO_RECORDS
    bytes: int = 0

    @property
    def records(self) -> int:
        """How many records it has of all partitions."""
        return sum(each.records for each in self.partitions)


_encode_records = msgspec.msgpack.Encoder().encode
_decode_records = msgspec.msgpack.Decoder(list[BackedUpRecord]).decode
_decode_point = msgspec.json.Decoder(Point).decode


def record_of(message: Message, topic: str) -> BackedUpRecord:
    """The record that a consumer got, of the topic whose name without prefix is given."""
    given = message.headers() or []
    pairs = given.items() if isinstance(given, dict) else given
    return BackedUpRecord(
        topic,
        message.partition() or 0,
        message.offset() or 0,
        message.timestamp()[1],
        _bytes_of(message.key()),
        _bytes_of(message.value()),
        tuple((name, _bytes_of(value)) for name, value in pairs),
    )


def _bytes_of(given: str | bytes | None) -> bytes | None:
    return given.encode() if isinstance(given, str) else given


def chained(digest: str, record: BackedUpRecord) -> str:
    """The digest of a sequence of records that ends with this one, from that of those before it.

    Offsets do not count: a restored record has another one."""
    content = _encode_records((record.timestamp_ms, record.key, record.value, record.headers))
    return digest_of(bytes.fromhex(digest) + content)


def digest_of(content: bytes) -> str:
    """A digest of bytes, as text."""
    return blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


def segment_bytes(records: list[BackedUpRecord]) -> bytes:
    """A segment as it is stored; the same records give the same bytes."""
    return gzip.compress(_encode_records(records), GZIP_LEVEL, mtime=0)


def read_segment(name: str, content: bytes) -> list[BackedUpRecord]:
    """The records of a segment. Raises `UnusableBackup`."""
    try:
        return _decode_records(gzip.decompress(content))
    except (OSError, EOFError, msgspec.MsgspecError) as problem:
        raise UnusableBackup(f"{name}: no segment: {problem}") from problem


def point_bytes(point: Point) -> bytes:
    """A point as it is stored."""
    return msgspec.json.encode(point)


def read_point(name: str, content: bytes) -> Point:
    """Raises `UnusableBackup`."""
    try:
        point = _decode_point(content)
    except msgspec.MsgspecError as problem:
        raise UnusableBackup(f"{name}: no point: {problem}") from problem
    if point.version != VERSION:
        raise UnusableBackup(f"{name}: version {point.version}, this program knows version {VERSION}")
    return point
