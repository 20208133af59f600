"""What the picture of a game costs after each move of the last part of a recorded game of 1824: milliseconds of one core with
nothing kept, with what earlier pictures left, and how much has to be sent.

`python -m tests.bench drawing`; the recorded game is in the shared folder of the tests."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from services.drawing.board import picture_of
from services.drawing.chart import price_cell
from services.drawing.mapdrawing import drawn_hex
from services.drawing.picture import Picture
from services.drawing.scene import scene_of
from services.rules.importer.files import read_record
from services.rules.importer.reduce import reduce_steps
from services.rules.importer.replay import play
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.presentation import presentation_of
from services.rules.titles import TITLES
from tests.conftest import shared_folder

RECORD = Path("fixtures/18xx.games/1824/p4-s138.json.gz")
MOVES = 60
AFRESH = 5
KILO = 1_000


def main() -> int:
    """Measure and print the table."""
    folder = shared_folder()
    states = list(_states(folder / RECORD))
    afresh = [_timed(*state, is_afresh=True)[0] for state in states[:AFRESH]]
    _timed(*states[0])
    kept, sent, earlier = [], [], _timed(*states[0])[1]
    for state in states[1:]:
        seconds, later = _timed(*state)
        began = time.process_time()
        changed = later.changes_since(earlier)
        kept.append(seconds + time.process_time() - began)
        sent.append(sum(len(each.svg) for each in changed) if changed is not None else len(later.document()))
        earlier = later
    print(f"  {'':<24}{'median':>9}{'max':>9}")
    for name, seconds_of in (("whole, nothing kept", afresh), ("after a move", kept)):
        print(f"  {name:<24}{KILO * statistics.median(seconds_of):9.1f}{KILO * max(seconds_of):9.1f} ms")
    print(f"  {'whole document':<24}{len(earlier.document()) / KILO:9.0f}{'':>9} kB")
    print(f"  {'sent after a move':<24}{statistics.median(sent) / KILO:9.1f}{max(sent) / KILO:9.1f} kB")
    return 0


def _states(path: Path) -> Iterator[tuple[TitleData, Game]]:
    """The game after each of its last moves."""
    record = read_record(path)
    steps = reduce_steps(record.steps)
    for count in range(len(steps) - MOVES, len(steps) + 1):
        replay = play(
            replace(record, steps=tuple(steps[:count])), TITLES["1824"], time.perf_counter, as_recorded=True
        )
        yield replay.data, replay.game


def _timed(data: TitleData, game: Game, *, is_afresh: bool = False) -> tuple[float, Picture]:
    """The picture and the seconds that it took."""
    if is_afresh:
        for each in (drawn_hex, scene_of, price_cell):
            each.cache_clear()
    began = time.process_time()
    picture = picture_of(presentation_of(TITLES["1824"]), data, game)
    return time.process_time() - began, picture


if __name__ == "__main__":
    sys.exit(main())
