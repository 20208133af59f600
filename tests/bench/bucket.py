"""A bucket of the S3 API with what is in a folder, on a server of its own."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

from services.common.objectstore.location import open_store
from services.common.objectstore.port import ObjectStore
from tests.s3_access import access_to

BUCKET = "measured"
WRITERS = 4


@contextmanager
def in_bucket(folder: Path, parts: tuple[str, ...]) -> Iterator[str]:
    """A location under which each of these folders has its store; processes that are started meanwhile reach it."""
    # It would write a line for each call.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(access_to(f"http://{host}:{port}"))
    try:
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        for part in parts:
            _fill(open_store(f"s3:{BUCKET}/{part}"), folder / part)
        yield f"s3:{BUCKET}"
    finally:
        server.stop()


def _fill(store: ObjectStore, folder: Path) -> None:
    def put(path: Path) -> None:
        store.put(path.relative_to(folder).as_posix(), path.read_bytes())

    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(put, (each for each in folder.rglob("*") if each.is_file())))
