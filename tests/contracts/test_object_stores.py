"""Both object stores keep the contract; what a folder and a bucket refuse, and how long nobody is waited for."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import boto3
import pytest
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server

from services.common.archive.contents import written
from services.common.archive.store import DAY_MS, ArchiveStore, Deletion
from services.common.eventlog.port import Record
from services.common.objectstore.folder import PARTIAL, FolderStore
from services.common.objectstore.location import open_store
from services.common.objectstore.port import (
    OBJECT_BYTES_MAX,
    ObjectMissing,
    ObjectStore,
    ObjectTooLarge,
    StoreRefused,
    StoreUnavailable,
)
from services.common.objectstore.s3 import S3Store
from tests.contracts.object_store_contract import ObjectStoreContract
from tests.s3_access import access_to

pytestmark = pytest.mark.integration

BUCKET = "platform"
NOW_MS = 1_700_000_000_000
# moto checks signatures and rights from the first call on that comes after so many.
WITHOUT_RIGHTS = "INITIAL_NO_AUTH_ACTION_COUNT"


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    """A server of the S3 API; its address."""
    app = one_at_a_time(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=MotoRequestHandler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def one_at_a_time(app: Any) -> Any:
    """moto looks whether an object is there and puts it in two steps, which a store does in one."""
    lock = Lock()

    def served(environ: Any, start_response: Any) -> list[bytes]:
        with lock:
            return list(app(environ, start_response))

    return served


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty bucket, and the variables by which it is reached."""
    for name, value in access_to(s3_server).items():
        monkeypatch.setenv(name, value)
    client = boto3.client("s3")
    client.create_bucket(Bucket=BUCKET)
    yield BUCKET
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET):
        for each in page.get("Contents", ()):
            client.delete_object(Bucket=BUCKET, Key=each["Key"])
    client.delete_bucket(Bucket=BUCKET)


class TestFolder(ObjectStoreContract):
    """A folder."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> ObjectStore:
        """An empty one."""
        return open_store(f"folder:{tmp_path / 'store'}")


class TestBucket(ObjectStoreContract):
    """A bucket that another platform uses too."""

    @pytest.fixture
    def store(self, bucket: str) -> ObjectStore:
        """A part of it."""
        open_store(f"s3:{bucket}/other").put("theirs", b"")
        return S3Store(bucket, "ours/", names_per_answer=5)


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_an_archive_in_either(kind: str, bucket: str, tmp_path: Path) -> None:
    """A game is written, listed, read, and deleted."""
    archive = ArchiveStore(open_store(f"folder:{tmp_path}" if kind == "folder" else f"s3:{bucket}/archive"))
    records = [Record("game/g", number, "x", 1, b"p", 5, number) for number in (1, 2)]
    heading, content = written("1824", ("ann", "bob"), False, records, [])
    for _ in range(2):
        name = archive.put("g", heading, content)
        archive.list_game("g", 2, NOW_MS)
    assert [(each.game_id, each.sequence) for each in archive.games()] == [("g", 2)]
    assert list(archive.games(NOW_MS + 2 * DAY_MS)) == []
    assert len(archive.get(name, "game/g", 2).records) == 2
    assert not archive.is_live("g", 2)
    archive.note_deleted(Deletion("g", "1824", "olga", "old", NOW_MS), 2, is_hidden=False)
    assert archive.recent_deletion("g", NOW_MS + DAY_MS) is not None
    archive.remove(name)
    with pytest.raises(ObjectMissing):
        archive.get(name, "game/g", 2)


def test_what_a_killed_process_left_in_a_folder_is_no_object(tmp_path: Path) -> None:
    """Half a file has a name that no list shows."""
    store = FolderStore(tmp_path)
    (tmp_path / f"{PARTIAL}1").write_bytes(b"half")
    assert list(store.names()) == []


def test_days_that_are_over_are_not_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for each day becomes long in some years, and is listed every ten minutes."""
    store, opened = FolderStore(tmp_path), list[str]()
    for name in ("games/20260101/a.1", "games/20260102/b.1", "games/20260102/c.1", "games/20260103/d.1", "x"):
        store.put(name, b"")
    scan = os.scandir

    def noting(path: Path) -> Iterator[os.DirEntry[str]]:
        opened.append(path.name)
        return scan(path)

    monkeypatch.setattr(os, "scandir", noting)
    for after, names, folders in (
        ("games/20260102", ["b", "c", "d"], ["20260102", "20260103"]),
        ("games/20260102/b.1", ["c", "d"], ["20260102", "20260103"]),
        ("games/20260104", [], []),
    ):
        opened.clear()
        found = [name.rpartition("/")[2][0] for name in store.names("games/", after)]
        assert (found, opened) == (names, ["games", *folders])


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """Somebody else wrote it."""
    with (tmp_path / "large").open("wb") as file:
        file.truncate(OBJECT_BYTES_MAX + 1)
    with pytest.raises(ObjectTooLarge, match="large"):
        FolderStore(tmp_path).get("large")


def test_an_object_that_is_too_large_is_not_read(bucket: str) -> None:
    """Nor one of a bucket."""
    boto3.client("s3").put_object(Bucket=bucket, Key="large", Body=bytes(OBJECT_BYTES_MAX + 1))
    with pytest.raises(ObjectTooLarge, match="s3:platform/large"):
        S3Store(bucket).get("large")


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "store"):
        with pytest.raises(StoreRefused, match="file"):
            FolderStore(folder)


def test_a_bucket_that_is_missing_is_named(bucket: str) -> None:
    """It is not made: that is for who pays for it."""
    store = S3Store("nowhere")
    for call in (lambda: store.put("a", b""), lambda: list(store.names()), lambda: store.delete("a")):
        with pytest.raises(StoreRefused, match=r"s3:nowhere/.*NoSuchBucket"):
            call()


def test_who_has_no_rights_is_refused(bucket: str, s3_server: str) -> None:
    """Every call, with what the server said; and what was there stays."""
    import requests

    store = S3Store(bucket)
    store.put("kept", b"one")
    requests.post(f"{s3_server}/moto-api/reset-auth", data=b"0", timeout=10)
    try:
        calls = (lambda: store.put("a", b""), lambda: store.get("kept"), lambda: list(store.names()))
        for call in calls:
            with pytest.raises(StoreRefused, match="InvalidAccessKeyId"):
                call()
    finally:
        requests.post(f"{s3_server}/moto-api/reset-auth", data=b"inf", timeout=10)
    assert store.get("kept") == b"one"


def test_without_credentials_nothing_is_sent(
    bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The message says what is missing."""
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(StoreRefused, match="Unable to locate credentials"):
        S3Store(bucket).put("a", b"")


def test_a_server_that_does_not_answer_is_not_waited_for(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes the connection and says nothing, and one that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
        store = S3Store(bucket, connect_seconds=0.2, answer_seconds=0.2, attempts=2)
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="Read timeout"):
            store.put("a", b"")
        assert time.monotonic() - began < 5
    with pytest.raises(StoreUnavailable, match="Could not connect"):
        store.get("a")


@pytest.mark.parametrize("location", ["", "folder:", "s3:", "bucket", "file:/x"])
def test_a_location_that_is_none_is_refused(location: str) -> None:
    """The message says what it may be."""
    with pytest.raises(StoreRefused, match="it must be folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX"):
        open_store(location)
