"""The snapshots of the partitions of one log in an object store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from services.common.eventlog.whole_streams import StoredStream, WholeStream
from services.common.objectstore.port import ObjectExists, ObjectMissing, ObjectStore, StoreError
from services.common.partition_snapshots.format import (
    Log,
    Manifest,
    Piece,
    UnusableSnapshot,
    manifest_bytes,
    manifest_name,
    manifest_prefix,
    new_piece_prefix,
    number_in,
    piece_of,
    piece_prefix,
    read_manifest,
    read_piece,
)

KEPT = 2
"""How many complete snapshots of a partition stay: somebody may be reading the one before the newest."""


class PartitionSnapshots:
    """Every call may raise `StoreRefused` and `StoreUnavailable`, and take as long as its store does."""

    def __init__(self, objects: ObjectStore, log: Log) -> None:
        self._objects = objects
        self.log = log

    def __str__(self) -> str:
        return str(self._objects)

    def numbers(self, partition: int) -> list[int]:
        """The numbers of the complete snapshots of a partition, the oldest first."""
        prefix = manifest_prefix(self.log, partition)
        found = (number_in(name, prefix) for name in self._objects.names(prefix))
        return sorted(number for number in found if number is not None)

    def manifest(self, partition: int, number: int) -> Manifest:
        """Raises `UnusableSnapshot` where it is damaged, or is of another log, and `ObjectMissing`."""
        name = manifest_name(self.log, partition, number)
        found = read_manifest(name, self._objects.get(name))
        if (found.log, found.partition, found.number) != (self.log, partition, number):
            raise UnusableSnapshot(f"{name}: is of another log or partition")
        return found

    def newest(self, partition: int) -> Manifest | None:
        """The newest complete snapshot that can be read."""
        for number in reversed(self.numbers(partition)):
            with suppress(UnusableSnapshot, ObjectMissing):
                return self.manifest(partition, number)
        return None

    def streams(self, piece: Piece) -> tuple[Sequence[StoredStream], int]:
        """What is in a piece, and the bytes of its object. Raises `UnusableSnapshot` and `ObjectMissing`."""
        content = self._objects.get(piece.name)
        return read_piece(piece, content), len(content)

    def writer(self, partition: int) -> SnapshotWriter:
        """Of the next snapshot of a partition."""
        number = max(self.numbers(partition), default=0) + 1
        return SnapshotWriter(self._objects, self.log, partition, number)

    def remove_old(self, partition: int) -> None:
        """Delete all snapshots of a partition but the newest, manifests first, and what writers left that were cut off."""
        numbers = self.numbers(partition)
        if len(numbers) < KEPT:
            return
        oldest_kept = numbers[-KEPT]
        for number in numbers[:-KEPT]:
            self._objects.delete(manifest_name(self.log, partition, number))
        for name in self._old_pieces(piece_prefix(self.log, partition), lambda number: number < oldest_kept):
            self._objects.delete(name)

    def _old_pieces(self, prefix: str, is_old: Callable[[int], bool]) -> Iterator[str]:
        for name in list(self._objects.names(prefix)):
            number = number_in(name, prefix)
            if number is not None and is_old(number):
                yield name


class SnapshotWriter:
    """Writes one snapshot. What it wrote before `finish` does not count, and is deleted in time."""

    def __init__(self, objects: ObjectStore, log: Log, partition: int, number: int) -> None:
        self._objects = objects
        self._log = log
        self._partition = partition
        self._prefix = new_piece_prefix(log, partition, number)
        self._pieces: list[Piece] = []
        self.number = number
        self.bytes = 0
        """Of the pieces that were written."""

    def add(self, streams: Sequence[WholeStream]) -> None:
        """Write the next piece."""
        piece, content = piece_of(f"{self._prefix}{len(self._pieces):06}", streams)
        self._objects.put(piece.name, content)
        self._pieces.append(piece)
        self.bytes += len(content)

    def abandon(self) -> None:
        """Delete what was written, as far as the store does that now."""
        with suppress(StoreError):
            for piece in self._pieces:
                self._objects.delete(piece.name)

    def finish(
        self, offsets: dict[str, int], last_offset: int, last_digest: int, time_ms: int
    ) -> Manifest | None:
        """Write the manifest; None where somebody else wrote the snapshot of this number."""
        manifest = Manifest(
            log=self._log,
            partition=self._partition,
            number=self.number,
            offsets=offsets,
            last_offset=last_offset,
            last_digest=last_digest,
            time_ms=time_ms,
            pieces=tuple(self._pieces),
        )
        name = manifest_name(self._log, self._partition, self.number)
        try:
            self._objects.put(name, manifest_bytes(manifest))
        except ObjectExists:
            return None
        return manifest
