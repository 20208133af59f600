"""What records take on disks, each written alone, as it is and packed; and what packing takes of a core."""

from __future__ import annotations

import gzip
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from devtools.dictionary.records import MadeRecord

# Attributes, time, offset and headers of a record alone in its batch, a byte each.
FRAME_BYTES = 4
# As long as that of a game.
KEY = b"g" + bytes(range(97, 121))
GZIP_LEVEL = 6
REPEATS = 5
# A value as it is written, of the value and the record's key.
Form = Callable[[bytes, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one topic, for each command of the game: how many records, and their bytes by variant."""

    records: float
    bytes: Mapping[str, float]


def measured(records: Sequence[MadeRecord], variants: Mapping[str, Form]) -> dict[str, Measured]:
    """By topic. `variants`: how a value is written, by name; each also with gzip of its batch, as the client library does it."""
    commands = max(each.command for each in records)
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    counts: dict[str, int] = defaultdict(int)
    for record in records:
        counts[record.topic] += 1
        for name, form in variants.items():
            alone = _record(record.key, form(record.value, record.key))
            found[record.topic][name] += len(alone)
            found[record.topic][f"{name}, gzip"] += min(len(alone), len(gzip.compress(alone, GZIP_LEVEL)))
    return {
        topic: Measured(counts[topic] / commands, {name: size / commands for name, size in each.items()})
        for topic, each in found.items()
    }


def microseconds(values: Iterable[bytes], form: Form) -> float:
    """Of processor time for one value: the least of some rounds."""
    asked = list(values)
    least = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        for value in asked:
            form(value, KEY)
        least = min(least, time.process_time() - began)
    return least / len(asked) * 1_000_000


def _record(key: bytes, value: bytes) -> bytes:
    """A record as brokers store it, alone in its batch."""
    content = bytes(FRAME_BYTES) + _varint(len(key)) + key + _varint(len(value)) + value
    return _varint(len(content)) + content


def _varint(number: int) -> bytes:
    left, parts = number << 1, bytearray()
    while left > 0x7F:
        parts.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*parts, left])
