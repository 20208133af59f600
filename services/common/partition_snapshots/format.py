"""What a snapshot of a partition consists of: pieces, each with some streams, and a manifest that names them, written last.

    manifests/LOG/3/0000000012                       what the snapshot number 12 of the partition 3 consists of
    pieces/LOG/3/0000000012.5f0c3a7e91d24b68/000000  its first piece; the second part tells writers of one number apart

LOG is a digest of what the topics are and how many partitions they have. So topics made anew, another set of them and another
number of partitions have their snapshots elsewhere.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from uuid import uuid4

import msgspec

from services.common.errors import SignalboxError
from services.common.eventlog.whole_streams import StoredStream, WholeStream

FORMAT = "signalbox partition 1"
COMPRESSION = 6
PIECE_BYTES = 4 * 1024 * 1024
"""About the size of a piece before compression. One stream is never parted."""
PIECE_BYTES_MAX = 256 * 1024 * 1024
DIGITS = 10
LOG_DIGITS = 16
MANIFESTS, PIECES = "manifests/", "pieces/"


class UnusableSnapshot(SignalboxError):
    """A snapshot is damaged, or not one of this log; the message names the object and says what is wrong."""


class Log(msgspec.Struct, frozen=True):
    """The log of which something is a snapshot. `identity`: of its topics, as no others have it."""

    identity: str
    partitions: int

    @property
    def name(self) -> str:
        """As it is in the names of objects."""
        return sha256(f"{self.partitions} {self.identity}".encode()).hexdigest()[:LOG_DIGITS]


class Piece(msgspec.Struct, frozen=True):
    """An object with streams. `digest`: SHA-256 of the object; `bytes`: of its content before compression."""

    name: str
    digest: str
    streams: int
    bytes: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A whole snapshot: everything of one partition below `offsets`, the next one to read of each topic of which anything
    was read.

    `last_offset`, `last_digest`: the landmark of the last record of the commits. `time_ms`: when it was begun, milliseconds since
    1970 UTC. `digest`: SHA-256 of all other fields."""

    format: str = FORMAT
    log: Log
    partition: int
    number: int
    offsets: dict[str, int]
    last_offset: int
    last_digest: int
    time_ms: int
    pieces: tuple[Piece, ...]
    digest: str = ""

    @property
    def streams(self) -> int:
        """How many it has."""
        return sum(each.streams for each in self.pieces)


class _Versioned(msgspec.Struct):
    format: str


_decode_version = msgspec.json.Decoder(_Versioned).decode
_decode_manifest = msgspec.json.Decoder(Manifest).decode
_decode_streams = msgspec.msgpack.Decoder(tuple[StoredStream, ...]).decode


def manifest_prefix(log: Log, partition: int) -> str:
    """How the names of all manifests of a partition begin; a number follows."""
    return f"{MANIFESTS}{log.name}/{partition}/"


def manifest_name(log: Log, partition: int, number: int) -> str:
    """The name of one manifest."""
    return f"{manifest_prefix(log, partition)}{number:0{DIGITS}}"


def piece_prefix(log: Log, partition: int) -> str:
    """How the names of all pieces of a partition begin; a number follows."""
    return f"{PIECES}{log.name}/{partition}/"


def new_piece_prefix(log: Log, partition: int, number: int) -> str:
    """How the names of the pieces of one writer begin."""
    return f"{piece_prefix(log, partition)}{number:0{DIGITS}}.{uuid4().hex[:16]}/"


def number_in(name: str, prefix: str) -> int | None:
    """The number that follows the prefix; None where none does."""
    text = name.removeprefix(prefix)[:DIGITS]
    return int(text) if len(text) == DIGITS and text.isdecimal() else None


def in_pieces(streams: Iterable[WholeStream], piece_bytes: int = PIECE_BYTES) -> Iterator[list[WholeStream]]:
    """Streams in portions of about so many bytes."""
    portion: list[WholeStream] = []
    size = 0
    for each in streams:
        portion.append(each)
        size += each.bytes
        if size >= piece_bytes:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def piece_of(name: str, streams: Sequence[WholeStream]) -> tuple[Piece, bytes]:
    """Streams as an object."""
    body = msgspec.msgpack.encode(streams)
    content = zlib.compress(body, COMPRESSION)
    return Piece(name, sha256(content).hexdigest(), len(streams), len(body)), content


def read_piece(piece: Piece, content: bytes) -> tuple[StoredStream, ...]:
    """The streams in an object. Raises `UnusableSnapshot`."""
    if sha256(content).hexdigest() != piece.digest:
        raise UnusableSnapshot(f"{piece.name}: is damaged or cut off: its digest is another")
    if piece.bytes > PIECE_BYTES_MAX:
        raise UnusableSnapshot(f"{piece.name}: says that it has {piece.bytes} bytes")
    try:
        streams = _decode_streams(zlib.decompressobj().decompress(content, piece.bytes))
    except (zlib.error, msgspec.MsgspecError) as problem:
        raise UnusableSnapshot(f"{piece.name}: is no piece: {problem}") from problem
    if len(streams) != piece.streams:
        raise UnusableSnapshot(f"{piece.name}: has {len(streams)} streams, not {piece.streams}")
    return streams


def manifest_bytes(manifest: Manifest) -> bytes:
    """A manifest as it is stored, with its digest."""
    return msgspec.json.encode(msgspec.structs.replace(manifest, digest=_digest(manifest)))


def read_manifest(name: str, content: bytes) -> Manifest:
    """Raises `UnusableSnapshot`."""
    try:
        version = _decode_version(content).format
        if version != FORMAT:
            raise UnusableSnapshot(f"{name}: has the format {version!r}, not {FORMAT!r}")
        manifest = _decode_manifest(content)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise UnusableSnapshot(f"{name}: is no manifest, or is damaged: {problem}") from problem
    if manifest.digest != _digest(manifest):
        raise UnusableSnapshot(f"{name}: is damaged: its digest is another")
    return manifest


def _digest(manifest: Manifest) -> str:
    return sha256(msgspec.json.encode(msgspec.structs.replace(manifest, digest=""))).hexdigest()
