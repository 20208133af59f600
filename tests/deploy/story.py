"""A story of an alert: series over time, when it fires with which text, and when it is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Story:
    """`series` in promtool's notation, one value every 10 seconds. Times in minutes."""

    alert: str
    series: Mapping[str, str]
    rings_at: int
    silent_at: int
    summary: str
    labels: Mapping[str, str] = field(default_factory=dict)
