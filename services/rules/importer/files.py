"""Reading recorded games from files and writing traces: the only place here that touches the disk."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from services.rules.importer.record import NotAGameError, Record, parse

CONTENT_MAX = 64 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"

_decode_line = msgspec.json.Decoder(dict[str, Any]).decode


def read_record(path: Path) -> Record:
    """The recorded game in `path`, plain or gzip; raises `NotAGameError` when it cannot be read as one."""
    return parse(read_content(path))


def read_trace(path: Path) -> list[dict[str, Any]]:
    """The lines of a trace file, plain or gzip; raises `NotAGameError` when a line is no JSON object."""
    lines = []
    for number, line in enumerate(read_content(path).splitlines(), start=1):
        try:
            lines.append(_decode_line(line))
        except (msgspec.MsgspecError, RecursionError) as error:
            raise NotAGameError(f"line {number}: {error}") from error
    return lines


def read_content(path: Path) -> bytes:
    """The bytes of `path`, unpacked where needed, `CONTENT_MAX` at most."""
    try:
        with path.open("rb") as plain:
            packed = plain.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            plain.seek(0)
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=plain)) if packed else plain
            content = stream.read(CONTENT_MAX + 1)
    except (OSError, EOFError, zlib.error) as error:
        # Without the path, which stands before the message wherever it is shown.
        raise NotAGameError(getattr(error, "strerror", None) or str(error)) from error
    if len(content) > CONTENT_MAX:
        raise NotAGameError(f"larger than {CONTENT_MAX} bytes")
    return content


def write_trace(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write `lines` as JSON lines, gzip when `path` ends in `.gz`."""
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
