"""How far a Kafka was filled from a backup: kept beside the backup, so that the next run begins there and not at the beginning.

Without it, or when Kafka has less than it says, a run begins at the beginning, with the same result.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping

import msgspec

from services.backup.catalogue import DIGITS
from services.backup.contents import Source
from services.backup.format import NO_RECORDS, Content, digest_of
from services.common.kafka.topics import PartitionName
from services.common.objectstore.port import ObjectMissing, ObjectStore

PREPARED = "prepared/"
GZIP_LEVEL = 6


class Filled(msgspec.Struct, frozen=True):
    """What partitions of facts have below the offsets `ends`."""

    ends: Mapping[PartitionName, int] = {}
    content: Mapping[Source, Content] = {}


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """All records of the first `segments` segments are in Kafka, and what is derived from them.

    `sources`: what the partitions of the backup have up to there."""

    segments: int = 0
    segments_digest: str = NO_RECORDS
    sources: Mapping[Source, Content] = {}
    filled: Filled = Filled()


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs in place of mappings, whose keys have to be text."""

    segments: int
    segments_digest: str
    sources: list[tuple[Source, Content]]
    ends: list[tuple[PartitionName, int]]
    content: list[tuple[Source, Content]]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Stored).decode


class PreparedTargets:
    """What is kept about one Kafka, by the identity of its topics."""

    def __init__(self, store: ObjectStore, identity: str) -> None:
        self._store = store
        self._prefix = f"{PREPARED}{digest_of(identity.encode())}/"

    def newest(self) -> Prepared:
        """The newest that was kept; an empty one where none was, or none of this version of the program."""
        names = list(self._store.names(self._prefix))
        if not names:
            return Prepared()
        try:
            kept = _decode(gzip.decompress(self._store.get(names[-1])))
        except (ObjectMissing, OSError, EOFError, msgspec.MsgspecError):
            return Prepared()
        return Prepared(
            segments=kept.segments,
            segments_digest=kept.segments_digest,
            sources=dict(kept.sources),
            filled=Filled(dict(kept.ends), dict(kept.content)),
        )

    def keep(self, prepared: Prepared) -> None:
        """Keep this in place of what was kept before. Raises `StoreError`."""
        stored = _Stored(
            segments=prepared.segments,
            segments_digest=prepared.segments_digest,
            sources=sorted(prepared.sources.items()),
            ends=sorted(prepared.filled.ends.items()),
            content=sorted(prepared.filled.content.items()),
        )
        content = gzip.compress(_encode(stored), GZIP_LEVEL, mtime=0)
        name = f"{self._prefix}{prepared.segments:0{DIGITS}}-{digest_of(content)}"
        self._store.put(name, content)
        for each in list(self._store.names(self._prefix)):
            if each != name:
                self._store.delete(each)
