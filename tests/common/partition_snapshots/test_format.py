"""Bytes of the first version of the format: replicas of other versions read them."""

from __future__ import annotations

import msgspec
import pytest

from services.common.eventlog.archived import Marker
from services.common.eventlog.port import Record, RequestRecord, Snapshot
from services.common.eventlog.whole_streams import WholeStream
from services.common.partition_snapshots.format import (
    Log,
    Manifest,
    Piece,
    UnusableSnapshot,
    in_pieces,
    manifest_bytes,
    manifest_name,
    new_piece_prefix,
    piece_of,
    read_manifest,
    read_piece,
)

LOG = Log("rules.events:A rules.snapshots:B", 2)
STREAMS = (
    WholeStream(
        "game/a",
        (Record("game/a", 1, "Created", 1, b"\0x", 1_700_000_000_000, 0),),
        (RequestRecord("r1", "ann", b"hash", b"outcome"),),
        Snapshot("game/a", 1, 1, b"state"),
    ),
    WholeStream("game/b", marker=Marker("game/b", 412, "contents/b.412")),
)
MANIFEST = Manifest(
    log=LOG,
    partition=1,
    number=12,
    offsets={"rules.events": 20, "rules.snapshots": 3},
    last_offset=18,
    last_digest=7,
    time_ms=1_700_000_000_000,
    pieces=(Piece("pieces/x", "ab", 2, 300),),
)
BODY = (
    "9295a667616d652f619197a667616d652f6101a74372656174656401c4020078cf0000018bcfe56800009184aa7265717565"
    "73745f6964a27231a6706c61796572a3616e6eac636f6e74656e745f68617368c40468617368a76f7574636f6d65c4076f75"
    "74636f6d6584a673747265616da667616d652f61a873657175656e636501a6736368656d6101a77061796c6f6164c4057374"
    "617465c095a667616d652f629090c084a673747265616da667616d652f62a873657175656e6365cd019ca66f626a656374ae"
    "636f6e74656e74732f622e343132a5737461746500"
)
OBJECT = (
    "789c558e310ac23018851351bc8da5e20d3c4849d31fa334494d52b07b379756101727c554443c4387acd253780fab04c1e5"
    "f196f77d6fb7b70bc22120f5c117dccc151003097603b4e910c2dbeec510aacb9b82750eda44cbe4a4429ba5a400752642dc"
    "a91406848918d1cc0d3fd9c8dc50c9c18d7d29ad363d977bcb557f588202b69a32e0bd3623452a49e246daf4fad61f8babaa"
    "fddfc6bfed131fad8c5740cdc33fd0413c9985d3cb1781de58d25d3a"
)
OF_MANIFEST = (
    b'{"format":"signalbox partition 1","log":{"identity":"rules.events:A rules.snapshots:B","pa'
    b'rtitions":2},"partition":1,"number":12,"offsets":{"rules.events":20,"rules.snapshots":3},"'
    b'last_offset":18,"last_digest":7,"time_ms":1700000000000,"pieces":[{"name":"pieces/x","dige'
    b'st":"ab","streams":2,"bytes":300}],"digest":"07f1919775078c41fbd486fa65db18c7cc4131c9d9e32'
    b'2edf71c6f636eca4a58"}'
)


def test_pieces_are_as_they_were() -> None:
    """What is in them; compression may differ."""
    assert msgspec.msgpack.encode(STREAMS).hex() == BODY
    piece, _ = piece_of("p", STREAMS)
    stored = bytes.fromhex(OBJECT)
    kept = Piece("p", "f78831425f9533479016135c091b26362441daba9c00436c4914904d7df5480f", 2, piece.bytes)
    assert msgspec.msgpack.encode(read_piece(kept, stored)).hex() == BODY


def test_manifests_are_as_they_were() -> None:
    """Byte by byte."""
    assert manifest_bytes(MANIFEST) == OF_MANIFEST
    found = read_manifest("m", OF_MANIFEST)
    assert msgspec.structs.replace(found, digest="") == MANIFEST


def test_names_sort_by_their_numbers() -> None:
    """In every listing."""
    assert manifest_name(LOG, 1, 12) == f"manifests/{LOG.name}/1/0000000012"
    assert LOG.name == "ff270754e88d06c5"
    assert new_piece_prefix(LOG, 1, 12).startswith(f"pieces/{LOG.name}/1/0000000012.")


def test_a_piece_that_would_be_too_large_is_not_unpacked() -> None:
    """Memory is bounded whatever a manifest says."""
    piece, content = piece_of("p", STREAMS)
    with pytest.raises(UnusableSnapshot, match="says that it has"):
        read_piece(msgspec.structs.replace(piece, bytes=2**40), content)
    with pytest.raises(UnusableSnapshot, match="is no piece"):
        read_piece(msgspec.structs.replace(piece, bytes=10), content)


def test_pieces_are_bounded_by_their_bytes() -> None:
    """One stream is never parted."""
    assert [len(each) for each in in_pieces(STREAMS, 1)] == [1, 1]
    assert [len(each) for each in in_pieces(STREAMS, 1000)] == [2]
    assert list(in_pieces([])) == []
