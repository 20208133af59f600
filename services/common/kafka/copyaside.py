"""Files of copies that were set aside because they have records which Kafka has lost: nothing else has those."""

from __future__ import annotations

import shutil
from pathlib import Path

from services.common.eventlog.sqlite_database import remove_database
from services.common.telemetry.logs import get_logger

SET_ASIDE = ".diverged"
"""How the name of a file ends that was set aside; from the second one on a number follows."""


def copies_set_aside(path: Path) -> list[Path]:
    """The files that were set aside beside the copy at `path`, the oldest first."""
    return [_numbered(path, number) for number in sorted(_numbers(path))]


def set_copy_aside(path: Path, problem: str) -> None:
    """Keep the closed file under another name. That takes no room, but the copy that is made anew does."""
    kept = _numbered(path, max(_numbers(path), default=0) + 1)
    log = get_logger("copy")
    log.critical("Kafka has lost records: the copy is set aside", kept=str(kept), problem=problem)
    path.replace(kept)
    remove_database(path)
    if missing := missing_bytes(path):
        log.critical(
            "no room for a whole copy beside those set aside: enlarge the volume, or move them to another place",
            missing_bytes=missing,
            set_aside=[str(each) for each in copies_set_aside(path)],
        )


def missing_bytes(path: Path) -> int:
    """How many bytes the volume lacks for a copy at `path` as large as the largest one set aside; 0 where it has them."""
    try:
        whole = max((each.stat().st_size for each in copies_set_aside(path)), default=0)
        so_far = path.stat().st_size if path.exists() else 0
        return max(0, whole - so_far - free_bytes(path.parent))
    except FileNotFoundError:
        # Moved away at this moment.
        return 0


def free_bytes(folder: Path) -> int:
    """Of its volume."""
    return shutil.disk_usage(folder).free


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}{SET_ASIDE}" + (f"-{number}" if number > 1 else ""))


def _numbers(path: Path) -> set[int]:
    """Of those set aside; files that SQLite has beside an opened one are none."""
    found = set()
    for each in path.parent.glob(f"{path.name}{SET_ASIDE}*"):
        ending = each.name.removeprefix(path.name + SET_ASIDE)
        if not ending:
            found.add(1)
        elif ending[0] == "-" and ending[1:].isdecimal():
            found.add(int(ending[1:]))
    return found
