"""Small disks in memory that can be made full: writing to a full one fails with ENOSPC, as on any other."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import disk_usage

from services.host.children import ChildFailed

SIZE_BYTES = 1024**3
ATTEMPTS = 10


class Disk:
    """A file system mounted at a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mount(self) -> None:
        """Put an empty one there. Raises `ChildFailed`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _run("mount", "-t", "tmpfs", "-o", f"size={SIZE_BYTES}", "tmpfs", str(self.folder))

    def unmount(self) -> None:
        """Take it away with all that is on it."""
        _run("umount", "--lazy", str(self.folder))

    def fill(self, room_bytes: int) -> None:
        """Leave so much room, about. Raises `ChildFailed`."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._resize(disk_usage(self.folder).used + room_bytes)
                return
            except ChildFailed:
                # Written to meanwhile, so that the new size was less than what is on it.
                if attempt == ATTEMPTS:
                    raise

    def free(self) -> None:
        """Give it all its room again."""
        self._resize(SIZE_BYTES)

    def _resize(self, size_bytes: int) -> None:
        _run("mount", "-o", f"remount,size={size_bytes}", str(self.folder))


@contextmanager
def disks(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Disk]]:
    """A disk for each name in a folder of this name; only in a process for which `is_isolated`. Raises `ChildFailed`."""
    with ExitStack() as stack:
        made = {}
        for name in names:
            made[name] = Disk(folder / name)
            made[name].mount()
            stack.callback(made[name].unmount)
        yield made


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ChildFailed(f"{' '.join(command)}: {done.stderr.strip()}")
