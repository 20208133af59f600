"""The check of an archive finds what a run must not lead to."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from services.audit.commits import StreamCommits
from services.common.archive.contents import written
from services.common.archive.names import ObjectName, content_name
from services.common.archive.store import ArchiveStore
from services.common.eventlog.port import NewRecord, Record, RequestRecord
from services.common.kafka.commits import commit_message
from services.common.objectstore.folder import FolderStore
from tests.faults.archived import compared

STREAM = "game/g"
ASKED = RequestRecord("r1", "ann", b"hash", b"outcome")
FACTS = [NewRecord("moved", 1, b"a"), NewRecord("moved", 1, b"b")]
LISTED = ObjectName("", "g", 3)


def commits() -> StreamCommits:
    """A game of three events in Kafka."""
    first = commit_message(STREAM, 0, FACTS, ASKED, 5, "x")
    second = commit_message(STREAM, 2, FACTS[:1], None, 6, "y")
    return StreamCommits([first, second], {"r1"}, 3)


def archived(folder: Path, last: bytes = b"a", request: RequestRecord = ASKED) -> ArchiveStore:
    """The same game in an archive, with another last event or another request."""
    payloads = ((1, b"a", 5), (2, b"b", 5), (3, last, 6))
    records = [
        Record(STREAM, number, "moved", 1, body, time_ms, number) for number, body, time_ms in payloads
    ]
    store = ArchiveStore(FolderStore(folder))
    store.put("g", *written("1824", ("ann",), False, records, [request]))
    return store


def test_what_is_in_kafka_is_right(tmp_path: Path) -> None:
    """Record by record and request by request."""
    assert compared(archived(tmp_path), LISTED, commits()) == ""


@pytest.mark.parametrize(
    ("last", "request_id", "kafka", "said"),
    [
        (b"c", "r1", 3, "events [3] differ"),
        (b"a", "r2", 3, "other requests"),
        (b"a", "r1", 4, "has 3 events, Kafka 4"),
    ],
)
def test_what_differs_is_said(tmp_path: Path, last: bytes, request_id: str, kafka: int, said: str) -> None:
    """An event, a request, an end that is none."""
    store = archived(tmp_path, last, RequestRecord(request_id, "ann", b"hash", b"outcome"))
    assert said in compared(store, LISTED, dataclasses.replace(commits(), last=kafka))


def test_an_object_that_is_gone_is_named(tmp_path: Path) -> None:
    """It is listed, so others have dropped their copies."""
    store = archived(tmp_path)
    store.remove(content_name("g", 3))
    assert "contents/g.3" in compared(store, LISTED, commits())
