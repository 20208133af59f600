"""`python -m devtools.dictionary`: what the records of a game take on disks as they are, and packed with the dictionary of this
version. `PYTHONHASHSEED=0 python -m devtools.dictionary --make FILE` makes a new dictionary from other games, of bots at tables
of all titles: the same one each time, which sets in another order would not be.

A dictionary that was released never changes: a new one gets the next number in `services/common/kafka/unpacking.py`, and is
written from the version on that follows the one which reads it.
"""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path

from rich.console import Console

from devtools.dictionary.measuring import KEY, Form, Measured, measured, microseconds
from devtools.dictionary.records import RecordedGame
from devtools.dictionary.selecting import dictionary_of
from services.common.kafka.packing import DICTIONARY, FIRST_BYTE, packed, without_ids
from services.common.kafka.unpacking import DIGEST_BYTES, RAW_DEFLATE, dictionary, unpacked
from services.rules.titles import BUILT_IN

SIZE, STRETCH = 32_000, 64
SEEDS, COMMANDS = range(1, 3), 250
TITLE, PLAYERS, SEED, MEASURED_COMMANDS = "1824", 4, 33, 220
ALL = "all"
_out = Console(highlight=False, soft_wrap=True)


def main() -> int:
    """Measure, or make."""
    parser = argparse.ArgumentParser(prog="python -m devtools.dictionary", description=__doc__)
    parser.add_argument("--make", type=Path, metavar="FILE", help="write a new dictionary there")
    chosen = parser.parse_args()
    if chosen.make is None:
        _measure()
    elif os.environ.get("PYTHONHASHSEED") != "0":
        parser.error("--make needs PYTHONHASHSEED=0")
    else:
        content = dictionary_of(list(_games()), SIZE, STRETCH)
        chosen.make.write_bytes(content)
        _out.print(f"{len(content)} bytes, digest {blake2b(content, digest_size=DIGEST_BYTES).hexdigest()}")
    return 0


def _games() -> Iterator[list[bytes]]:
    """What is compressed of the records of each title's games, by each number of players."""
    for title in BUILT_IN:
        for players in title.player_counts:
            for seed in SEEDS:
                game = RecordedGame(title.name, players, seed)
                yield [without_ids(each.value, each.key)[1] for each in game.records(COMMANDS)]


def _measure() -> None:
    records = list(RecordedGame(TITLE, PLAYERS, SEED).records(MEASURED_COMMANDS))
    levels = {f"level {level}": partial(_at_level, level) for level in (6, 9)}
    forms: dict[str, Form] = {"plain": _plain, **levels, "packed": packed}
    _show(measured(records, forms))
    values = [record.value for record in records]
    for name, form in forms.items():
        _out.print(f"  {name:10} {microseconds(values, form):6.1f} us a value")
    found = microseconds([packed(each, KEY) for each in values], unpacked)
    _out.print(f"  {'unpacked':10} {found:6.1f} us a value")


def _plain(value: bytes, _key: bytes) -> bytes:
    return value


def _at_level(level: int, value: bytes, key: bytes) -> bytes:
    """As `packed`, which need not take the dictionary each time."""
    ids, rest = without_ids(value, key)
    stream = zlib.compressobj(level, zlib.DEFLATED, RAW_DEFLATE, zdict=dictionary(DICTIONARY))
    return FIRST_BYTE + ids + stream.compress(rest) + stream.flush()


def _show(found: Mapping[str, Measured]) -> None:
    names = list(next(iter(found.values())).bytes)
    _out.print(f"  {'bytes a command':22}{'records':>9}" + "".join(f"{name:>15}" for name in names))
    for topic, each in found.items():
        cells = "".join(f"{each.bytes[name]:15.1f}" for name in names)
        _out.print(f"  {topic:22}{each.records:9.2f}{cells}")
    sums = "".join(f"{sum(each.bytes[name] for each in found.values()):15.1f}" for name in names)
    _out.print(f"  {ALL:22}{'':9}{sums}")


if __name__ == "__main__":
    sys.exit(main())
