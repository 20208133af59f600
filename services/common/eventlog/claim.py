"""The claim of one process to write a SQLite file: a lock beside it, which ends with the process however that ends.

The lock is on a file of its own: SQLite's locks on the database would be lost when any other handle of it is closed.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from services.common.eventlog.port import LogFileError

SUFFIX = ".lock"


class FileInUse(LogFileError):
    """Another process writes the file; the message names both."""


class FileClaim:
    """Held from its making until `close`. Only hosts and migrations need one; readers may open the file meanwhile."""

    def __init__(self, path: Path) -> None:
        """Raises `FileInUse`, and `LogFileError` if the lock file cannot be made."""
        real = path.resolve()
        lock = real.with_name(real.name + SUFFIX)
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LogFileError(f"{lock}: cannot be opened ({error.strerror})") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._descriptor, 64).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise FileInUse(
                f"{path}: process {holder or 'unknown'} uses it, and one alone may; stop that one or use another file"
            ) from error
        # On a full disk the lock holds without its owner's number.
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def close(self) -> None:
        """Let others use the file. The lock file stays, so that all processes lock the same one."""
        os.close(self._descriptor)
