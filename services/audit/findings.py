"""Findings and report of the checker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec

Kind = Literal[
    "unreadable",
    "misplaced",
    "sequence",
    "lost_commit",
    "request",
    "acknowledged",
    "outcome",
    "undecodable",
    "fold",
    "snapshot",
    "status",
    "books",
    "hold",
    "projection",
    "changed",
]


class Finding(msgspec.Struct, frozen=True, order=True):
    """An inconsistency. `stream`: the game's id, or the stream's name where it is no game; empty where neither is
    known. `sequence`: the first fact concerned, 0 where there is none."""

    kind: Kind
    stream: str
    sequence: int
    text: str

    def __str__(self) -> str:
        where = f"{self.stream} #{self.sequence}" if self.sequence else self.stream
        return f"{self.kind}: {where}: {self.text}" if where else f"{self.kind}: {self.text}"


class Acknowledged(msgspec.Struct, frozen=True):
    """A command that was acknowledged to its caller with the events `first` to `last`."""

    game_id: str
    request_id: str
    first: int
    last: int


@dataclass(slots=True)
class TitleCounts:
    """What was checked of one title."""

    games: int = 0
    finished: int = 0
    events: int = 0
    requests: int = 0
    snapshots: int = 0
    statuses: int = 0
    held: int = 0

    def add(self, other: TitleCounts) -> None:
        """Add the figures of `other`."""
        for name in TitleCounts.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Report:
    """What was checked and found. `lost_races`: rejected appends of the lobby, which are expected.

    `held`: held games with the reason. `advanced`: games that got events while the log was read. `unchanged`: streams that
    an earlier run verified and that have no new records. `archived`: games in the archive, which has a check of its own."""

    findings: list[Finding] = field(default_factory=list)
    titles: dict[str, TitleCounts] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    streams: int = 0
    commits: int = 0
    lost_races: int = 0
    acknowledged: int = 0
    advanced: int = 0
    unchanged: int = 0
    archived: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def count(self, title: str, counts: TitleCounts) -> None:
        """Add what was checked of one game."""
        self.titles.setdefault(title, TitleCounts()).add(counts)

    def add(self, other: Report) -> None:
        """Add what was checked of another part of the log."""
        self.findings += other.findings
        self.held |= other.held
        for title, counts in other.titles.items():
            self.count(title, counts)
        self.streams += other.streams
        self.commits += other.commits
        self.lost_races += other.lost_races
        self.acknowledged += other.acknowledged
        self.advanced += other.advanced
        self.unchanged += other.unchanged
        self.archived += other.archived
