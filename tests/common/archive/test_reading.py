"""Reading from an archive whose store is slow, away or hangs: nobody waits long, and few threads wait at all."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from prometheus_client import CollectorRegistry

from services.common.archive.contents import Heading, written
from services.common.archive.errors import ArchiveUnavailable
from services.common.archive.names import content_name, parsed
from services.common.archive.reading import READING_MAX, THREADS, WAITING_MAX, ArchiveReader
from services.common.archive.store import ArchiveStore
from services.common.clock import ManualClock
from services.common.eventlog.archived import Marker
from services.common.eventlog.port import Record, RequestRecord
from services.common.objectstore.port import ObjectExists, ObjectMissing, StoreUnavailable

WAIT_SECONDS = 0.2
REFUSE_SECONDS = 0.3


class MemoryStore:
    """An `ObjectStore` in memory, whose `get` can be held up or refused."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.gets = 0
        self.is_away = False
        self.free = threading.Event()
        self.free.set()

    def put(self, name: str, content: bytes) -> None:
        """See `ObjectStore`."""
        if self.objects.setdefault(name, content) != content:
            raise ObjectExists(name)

    def get(self, name: str) -> bytes:
        """See `ObjectStore`."""
        self.gets += 1
        self.free.wait()
        if self.is_away:
            raise StoreUnavailable("no route to host")
        if name not in self.objects:
            raise ObjectMissing(name)
        return self.objects[name]

    def names(self, prefix: str = "", after: str = "") -> Iterator[str]:
        """See `ObjectStore`."""
        yield from sorted(name for name in self.objects if name.startswith(prefix) and name > after)

    def delete(self, name: str) -> None:
        """See `ObjectStore`."""
        self.objects.pop(name, None)


def a_game(game_id: str, events: int = 3) -> tuple[Heading, bytes]:
    """The object of a game."""
    records = [
        Record(f"game/{game_id}", number, "x", 1, b"payload", 1_000 + number, 77)
        for number in range(1, events + 1)
    ]
    requests = [RequestRecord("b", "ann", b"h", b"o"), RequestRecord("a", "ann", b"h", b"o")]
    return written("1824", ("ann", "bob"), False, records, requests)


@pytest.fixture
def objects() -> Iterator[MemoryStore]:
    """A store that is freed at the end."""
    store = MemoryStore()
    yield store
    store.free.set()


@pytest.fixture
def registry() -> CollectorRegistry:
    """Of the reader."""
    return CollectorRegistry()


@pytest.fixture
def reader(objects: MemoryStore, registry: CollectorRegistry) -> Iterator[ArchiveReader]:
    """A reader that waits a moment only."""
    made = ArchiveReader(
        ArchiveStore(objects), registry, ManualClock(), WAIT_SECONDS, REFUSE_SECONDS, cached_bytes_max=1_000
    )
    yield made
    made.close()


def archived(objects: MemoryStore, game_id: str, events: int = 3) -> Marker:
    """A game in the store."""
    heading, content = a_game(game_id, events)
    name = ArchiveStore(objects).put(game_id, heading, content)
    return Marker(f"game/{game_id}", events, name)


def test_what_was_read_is_read_once(objects: MemoryStore, reader: ArchiveReader) -> None:
    """As long as there is room for it."""
    marker = archived(objects, "g")
    objects.gets = 0
    assert [each.sequence for each in reader.get(marker).records] == [1, 2, 3]
    assert reader.get(marker) is reader.get(marker)
    assert objects.gets == 1
    for number in range(10):
        reader.get(archived(objects, f"other{number}", 5))
    objects.gets = 0
    reader.get(marker)
    assert objects.gets == 1


def test_the_same_stream_gives_the_same_object() -> None:
    """Whatever the positions in a file are, and in which order requests come."""
    records = [Record("game/g", number, "x", 1, b"p", 5, 10 * number) for number in (1, 2)]
    moved = [Record("game/g", number, "x", 1, b"p", 5, 99 - number) for number in (1, 2)]
    requests = [RequestRecord("b", "ann", b"h", b"o"), RequestRecord("a", "ann", b"h", b"o")]
    assert written("1824", ("a",), False, records, requests) == written(
        "1824", ("a",), False, moved, requests[::-1]
    )


def test_a_store_that_hangs_holds_up_few_and_not_for_long(
    objects: MemoryStore, reader: ArchiveReader, registry: CollectorRegistry
) -> None:
    """Of a hundred calls at once sixteen wait, for the time set; then all are refused at once for a while."""
    markers = [archived(objects, f"g{number}") for number in range(100)]
    objects.free.clear()
    refused: list[float] = []

    def ask(marker: Marker) -> None:
        began = time.monotonic()
        with pytest.raises(ArchiveUnavailable, match="archive"):
            reader.get(marker)
        refused.append(time.monotonic() - began)

    callers = [threading.Thread(target=ask, args=(marker,)) for marker in markers]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(10)
    assert len(refused) == len(markers)
    assert sum(seconds > WAIT_SECONDS / 2 for seconds in refused) <= WAITING_MAX
    assert max(refused) < 10 * WAIT_SECONDS
    began = time.monotonic()
    with pytest.raises(ArchiveUnavailable):
        reader.get(markers[0])
    assert time.monotonic() - began < WAIT_SECONDS / 2
    assert sum(each.name == "archive-reader" for each in threading.enumerate()) <= THREADS
    objects.free.set()
    time.sleep(REFUSE_SECONDS)
    assert reader.get(markers[0]).heading.records == 3
    assert (registry.get_sample_value("signalbox_archive_reads_total", {"result": "away"}) or 0) >= 1


def test_a_store_that_hangs_for_long_is_asked_for_few(objects: MemoryStore, reader: ArchiveReader) -> None:
    """However often callers come."""
    objects.free.clear()
    for number in range(READING_MAX + 3):
        reader._away_until = 0.0
        reader._seconds = 0.001
        with pytest.raises(ArchiveUnavailable):
            reader.get(Marker(f"game/g{number}", 3, content_name(f"g{number}", 3)))
    assert len(reader._reading) == READING_MAX


def test_a_store_that_is_away_is_left_alone_for_a_while(objects: MemoryStore, reader: ArchiveReader) -> None:
    """And answers again afterwards; what is remembered is given all the time."""
    marker, other = archived(objects, "g"), archived(objects, "h")
    reader.get(marker)
    objects.is_away = True
    objects.gets = 0
    for _ in range(3):
        with pytest.raises(ArchiveUnavailable):
            reader.get(other)
    assert objects.gets == 1
    assert reader.get(marker).heading.records == 3
    objects.is_away = False
    time.sleep(REFUSE_SECONDS)
    assert reader.get(other).heading.records == 3


@pytest.mark.parametrize("game_id", ["g7xk3", "G", "a.b", "a/b", "-x", "Ä_1", "a_2e"])
def test_any_id_has_a_name(game_id: str) -> None:
    """One of its own, from which it can be read again."""
    found = parsed(content_name(game_id, 12))
    assert found is not None
    assert (found.game_id, found.sequence) == (game_id, 12)


def test_other_names_are_of_no_game() -> None:
    """What somebody put there is passed over."""
    assert parsed("games/20260101/readme.txt") is None
    assert parsed("games/20260101/readme") is None
