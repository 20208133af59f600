"""The metrics of a copy of a topic of commits."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge

from services.common.kafka.copyaside import copies_set_aside, missing_bytes


class CopyMetrics:
    """One copy has one of these; its thread sets them."""

    def __init__(self, path: Path, topic: str, registry: CollectorRegistry) -> None:
        """`path`: its file. `topic`: the name of the topic of commits."""
        self.copied = Counter(
            "signalbox_copy_commits", "Commits copied", ("topic", "result"), registry=registry
        )
        self.unreadable = Counter(
            "signalbox_copy_unreadable", "Records that are no commits", ("topic",), registry=registry
        )
        self.behind = Gauge(
            "signalbox_copy_behind_seconds", "Age of the newest commit when it was copied", registry=registry
        )
        set_aside = Gauge(
            "signalbox_copy_set_aside",
            "Copies that are kept because they have records which Kafka has lost",
            ("topic",),
            registry=registry,
        )
        set_aside.labels(topic).set_function(lambda: float(len(copies_set_aside(path))))
        missing = Gauge(
            "signalbox_copy_room_missing_bytes",
            "Bytes that the volume lacks for a whole copy beside those that are kept",
            ("topic",),
            registry=registry,
        )
        missing.labels(topic).set_function(lambda: float(missing_bytes(path)))
