"""How long games were without service after faults: figures for each kind, as a table in Markdown."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Seconds = Mapping[str, Sequence[float]]
"""By kind of fault."""
P99_VALUES_MIN = 100


@dataclass(frozen=True, slots=True)
class Spell:
    """A time in which a fault had its effects, in monotonic seconds."""

    begin: float
    end: float


@dataclass(slots=True)
class Times:
    """What was measured, by kind of fault."""

    spells: dict[str, list[Spell]] = field(default_factory=dict)
    """From the beginning of a disturbance until every game went on after its end."""
    deaths: dict[str, list[float]] = field(default_factory=dict)
    """When processes of each service died."""

    def without_service(self, acknowledged: Sequence[Sequence[float]]) -> Seconds:
        """By kind of fault the longest time without an answer in a game, for each time it happened. `acknowledged`: when
        commands of each player were, in order."""
        spells = dict(self.spells)
        for service, moments in self.deaths.items():
            spells[f"kill {service}"] = [Spell(moment, moment) for moment in moments]
        return {
            kind: [max((longest_gap(each, spell) for each in acknowledged), default=0.0) for spell in found]
            for kind, found in spells.items()
            if found
        }


def together(runs: Iterable[Seconds]) -> Seconds:
    """What several runs measured."""
    found: dict[str, list[float]] = {}
    for run in runs:
        for kind, seconds in run.items():
            found.setdefault(kind, []).extend(seconds)
    return found


def table(measured: Seconds) -> Iterator[str]:
    """As Markdown, for docs/operations.md. Of fewer than a hundred values the 99th percentile is the most: it is left out."""
    yield "| fault | times | longest time without an answer in a game: p50 | p99 | most |"
    yield "|---|---|---|---|---|"
    for kind, seconds in sorted(measured.items()):
        p50, p99, most = (f"{percentile(seconds, share):.1f} s" for share in (0.5, 0.99, 1.0))
        yield f"| {kind} | {len(seconds)} | {p50} | {p99 if len(seconds) >= P99_VALUES_MIN else ''} | {most} |"


def longest_gap(moments: Sequence[float], spell: Spell) -> float:
    """The longest time between two neighbours of these ordered moments that has a part in the spell; 0 without two."""
    first = max(0, bisect_right(moments, spell.begin) - 1)
    last = min(len(moments) - 1, bisect_left(moments, spell.end))
    return max(
        (
            after - before
            for before, after in zip(moments[first:last], moments[first + 1 : last + 1], strict=True)
        ),
        default=0.0,
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that this share of all does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
