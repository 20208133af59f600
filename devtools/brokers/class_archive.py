"""The classes of Kafka's server in the form that Java maps into memory, so that a server starts with half the work."""

from __future__ import annotations

import fcntl
import tempfile
from hashlib import sha256
from pathlib import Path

from devtools.brokers.java_kafka import JavaKafka
from devtools.brokers.kafka import start_kafka
from services.host.children import ChildFailed


def with_class_archive(launcher: JavaKafka) -> JavaKafka:
    """This launcher with the archive beside its jars, made the first time by a server of its own; without one where that
    cannot be done."""
    try:
        archive = launcher.jars / f"classes-{edition_of(Path(launcher.java))}.jsa"
        if not archive.is_file():
            _make(launcher, archive)
    except (OSError, ChildFailed):
        return launcher
    return launcher.with_options(f"-XX:SharedArchiveFile={archive}")


def edition_of(java: Path) -> str:
    """An archive fits the Java alone that made it."""
    program = java.resolve(strict=True)
    about = program.stat()
    return sha256(f"{program} {about.st_size} {about.st_mtime_ns}".encode()).hexdigest()[:12]


def _make(launcher: JavaKafka, archive: Path) -> None:
    with (launcher.jars / "classes.lock").open("w") as lock, tempfile.TemporaryDirectory() as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if archive.is_file():
            return
        half = archive.with_suffix(".half")
        dumping = launcher.with_options(f"-XX:ArchiveClassesAtExit={half}")
        with start_kafka(dumping, Path(folder) / "kafka") as servers:
            for node in servers.nodes:
                node.stop()
        half.rename(archive)
