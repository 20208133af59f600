"""An object store in a folder: each object is a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from services.common.objectstore.port import (
    ObjectExists,
    ObjectMissing,
    StoreRefused,
    StoreUnavailable,
    check_name,
    check_size,
)

PARTIAL = ".partial-"
"""How the name of a file begins that a killed process may leave; it is no object, and can be deleted."""


class FolderStore:
    """The `ObjectStore` port. The file system must know hard links, by which a name is taken once only."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder if need be. Raises `StoreRefused`."""
        self._folder = folder
        with _reported(str(folder)):
            folder.mkdir(parents=True, exist_ok=True)

    def __str__(self) -> str:
        return f"folder:{self._folder}"

    def put(self, name: str, content: bytes) -> None:
        """See `ObjectStore.put`."""
        path = self._path(name)
        check_size(str(path), len(content))
        with _reported(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f"{PARTIAL}{uuid4().hex}")
            try:
                _write_durably(partial, content)
                os.link(partial, path)
            except FileExistsError:
                if path.read_bytes() != content:
                    raise ObjectExists(f"{path}: exists with other content") from None
            finally:
                partial.unlink(missing_ok=True)
            _sync_folder(path.parent)

    def get(self, name: str) -> bytes:
        """See `ObjectStore.get`."""
        path = self._path(name)
        with _reported(str(path)):
            try:
                check_size(str(path), path.stat().st_size)
                return path.read_bytes()
            except FileNotFoundError:
                raise ObjectMissing(f"{path}: there is no such object") from None

    def names(self, prefix: str = "", after: str = "") -> Iterator[str]:
        """See `ObjectStore.names`."""
        first = prefix.rpartition("/")[0]
        yield from self._names(f"{first}/" if first else "", prefix, after)

    def _names(self, folder: str, prefix: str, after: str) -> Iterator[str]:
        """The names in a folder, which is "" or ends with a slash. Folders that can have none are not opened."""
        for name in self._listed(folder):
            is_folder = name.endswith("/")
            if not name.startswith(prefix) or not (name > after or (is_folder and after.startswith(name))):
                continue
            if is_folder:
                yield from self._names(name, prefix, after)
            else:
                yield name

    def _listed(self, folder: str) -> list[str]:
        """What is in one folder, sorted like the names of all objects; folders in it end with a slash."""
        with _reported(str(self._folder / folder)):
            try:
                with os.scandir(self._folder / folder) as found:
                    return sorted(
                        f"{folder}{each.name}/" if each.is_dir(follow_symlinks=False) else folder + each.name
                        for each in found
                        if not each.name.startswith(PARTIAL)
                    )
            except (FileNotFoundError, NotADirectoryError):
                return []

    def delete(self, name: str) -> None:
        """See `ObjectStore.delete`."""
        path = self._path(name)
        with _reported(str(path)):
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        check_name(name)
        return self._folder / name


def _write_durably(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make a new name in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _reported(where: str) -> Iterator[None]:
    try:
        yield
    except (PermissionError, NotADirectoryError, FileExistsError) as problem:
        raise StoreRefused(f"{where}: {problem.strerror}") from problem
    except OSError as problem:
        raise StoreUnavailable(f"{where}: {problem.strerror}") from problem
