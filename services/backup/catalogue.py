"""The objects of a backup in a store.

`points/NUMBER` are written one after another, each by one writer only, since an object cannot be written twice: a process that
begins writes a point, and from then on the process before it cannot write the next one. `segments/NUMBER-WRITER-DIGEST` count
only as far as a point says; what a process left that was killed, or had been replaced, is removed or passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.backup.format import (
    NO_RECORDS,
    BackedUpRecord,
    Point,
    UnusableBackup,
    digest_of,
    point_bytes,
    read_point,
    read_segment,
    segment_bytes,
)
from services.common.errors import SignalboxError
from services.common.objectstore.port import ObjectExists, ObjectMissing, ObjectStore

POINTS = "points/"
SEGMENTS = "segments/"
DIGITS = 12


class BackupReplaced(SignalboxError):
    """Another process backs up into the same store."""


class NoPoint(SignalboxError):
    """The store has no point to restore."""


def point_name(number: int) -> str:
    """The name of a point."""
    return f"{POINTS}{number:0{DIGITS}}"


def segments_digest(digest: str, name: str) -> str:
    """The digest of names of segments that end with this one, from that of those before it."""
    return digest_of(f"{digest} {name}".encode())


def digest_of_all(names: Iterable[str]) -> str:
    """The digest of these names of segments."""
    digest = NO_RECORDS
    for name in names:
        digest = segments_digest(digest, name)
    return digest


class Catalogue:
    """The points and segments in one store."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def newest(self) -> Point | None:
        """The newest point of all. Raises `StoreError`, `UnusableBackup`."""
        numbers = self.point_numbers()
        return self.point(numbers[-1]) if numbers else None

    def newest_consistent(self) -> Point:
        """The newest point that can be restored. Raises `NoPoint`, `StoreError`, `UnusableBackup`."""
        for number in reversed(self.point_numbers()):
            point = self.point(number)
            if point.consistent:
                return point
        raise NoPoint(f"{self._store} has no point to restore")

    def point_numbers(self) -> list[int]:
        """The numbers of all points, ascending."""
        return [int(name.removeprefix(POINTS)) for name in self._store.names(POINTS)]

    def point(self, number: int) -> Point:
        """Raises `NoPoint`, `StoreError`, `UnusableBackup`."""
        name = point_name(number)
        try:
            return read_point(name, self._store.get(name))
        except ObjectMissing as missing:
            raise NoPoint(str(missing)) from missing

    def add_point(self, point: Point) -> None:
        """Write a point. Raises `BackupReplaced` if another process has written one of this number."""
        try:
            self._store.put(point_name(point.number), point_bytes(point))
        except ObjectExists as exists:
            raise BackupReplaced(f"another process backs up into {self._store}") from exists

    def remove_points_before(self, number: int) -> None:
        """Remove points with smaller numbers; segments stay."""
        for each in self.point_numbers():
            if each < number:
                self._store.delete(point_name(each))

    def add_segment(self, number: int, writer: int, records: list[BackedUpRecord]) -> tuple[str, int]:
        """Write a segment; returns its name and its bytes."""
        content = segment_bytes(records)
        name = f"{SEGMENTS}{number:0{DIGITS}}-{writer:0{DIGITS}}-{digest_of(content)}"
        self._store.put(name, content)
        return name, len(content)

    def remove_segments_from(self, number: int) -> int:
        """Remove what a killed process left from this segment on; returns how many."""
        names = list(self._store.names(SEGMENTS, after=f"{SEGMENTS}{number:0{DIGITS}}"))
        for name in names:
            self._store.delete(name)
        return len(names)

    def segment_names(self, point: Point) -> list[str]:
        """The segments of a point in order. Raises `UnusableBackup` where one is missing."""
        by_number: dict[int, str] = {}
        # Of one number the last counts: a process that writes it after another's is one that has replaced it.
        for name in self._store.names(SEGMENTS):
            number = int(name.removeprefix(SEGMENTS).split("-")[0])
            if number >= point.segments:
                break
            by_number[number] = name
        names = [by_number[number] for number in sorted(by_number)]
        if len(names) != point.segments or digest_of_all(names) != point.segments_digest:
            raise UnusableBackup(
                f"{self._store}: point {point.number} has {point.segments} segments, some are missing or not those of the point"
            )
        return names

    def records(self, point: Point, first: int = 0) -> Iterator[list[BackedUpRecord]]:
        """The records of a point from this segment on, a segment at a time. Raises `UnusableBackup`, `StoreError`."""
        for name in self.segment_names(point)[first:]:
            content = self._store.get(name)
            if digest_of(content) != name.rpartition("-")[2]:
                raise UnusableBackup(f"{self._store}: {name} was changed")
            yield read_segment(name, content)
