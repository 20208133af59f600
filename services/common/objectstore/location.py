"""The location of an object store in settings and command options: `folder:PATH`, `s3:BUCKET` or `s3:BUCKET/PREFIX`."""

from __future__ import annotations

from pathlib import Path

from services.common.objectstore.folder import FolderStore
from services.common.objectstore.port import ObjectStore, StoreRefused

FOLDER = "folder:"
S3 = "s3:"


def open_store(location: str) -> ObjectStore:
    """The store at a location. Raises `StoreRefused` for text that is none, and where a setting is missing."""
    kind, _, rest = location.partition(":")
    if kind + ":" == FOLDER and rest:
        return FolderStore(Path(rest))
    if kind + ":" == S3 and rest:
        # Slow to import, and most processes need none.
        from services.common.objectstore.s3 import S3Store

        bucket, _, prefix = rest.partition("/")
        return S3Store(bucket, f"{prefix.rstrip('/')}/" if prefix else "")
    raise StoreRefused(
        f"{location!r} names no object store: it must be folder:PATH, s3:BUCKET or s3:BUCKET/PREFIX"
    )
