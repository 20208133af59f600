"""What the checker says."""

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
    "standing",
    "books",
    "hold",
    "projection",
]


class Finding(msgspec.Struct, frozen=True, order=True):
    """Something that must not be. `stream`: the game's id, or the stream's name where it is no game; empty where neither is
    known. `sequence`: the fact it begins at, 0 where there is none."""

    kind: Kind
    stream: str
    sequence: int
    text: str

    def __str__(self) -> str:
        place = f"{self.stream} #{self.sequence}" if self.sequence else self.stream
        return f"{self.kind}: {place}: {self.text}" if place else f"{self.kind}: {self.text}"


class Acknowledged(msgspec.Struct, frozen=True):
    """A command of which a caller was told that it led to the events `first` to `last`."""

    game_id: str
    request_id: str
    first: int
    last: int


@dataclass(slots=True)
class TitleCounts:
    """How much of one title was looked at."""

    games: int = 0
    finished: int = 0
    events: int = 0
    requests: int = 0
    snapshots: int = 0
    standings: int = 0
    held: int = 0

    def add(self, other: TitleCounts) -> None:
        """Take the figures of `other` along."""
        for name in TitleCounts.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Report:
    """What was looked at and found. `lost_races`: appends of the lobby that came too late, which is as it should be.

    `held`: games held, and why. `moved`: games that went on while the log was read."""

    findings: list[Finding] = field(default_factory=list)
    titles: dict[str, TitleCounts] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    streams: int = 0
    commits: int = 0
    lost_races: int = 0
    acknowledged: int = 0
    moved: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def count(self, title: str, counts: TitleCounts) -> None:
        """Add what was looked at in one game."""
        self.titles.setdefault(title, TitleCounts()).add(counts)
