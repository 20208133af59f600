"""Ways of a search, by number. Each is the way before it and one segment more."""

from __future__ import annotations

from array import array

from services.routing.domain.direct.network import Lead

NONE = -1


class Ways:
    """For each way: the stop at its end, the segment to it, the number of the way before (`NONE` for a start), what it costs
    and gathered, the bits of the places and resources it has taken, and another way to its stop that took the same, or `NONE`.

    Lists of plain values: hundreds of thousands of objects would each hold up the collector of garbage, and with it the
    looks at the clock, and would take long to free when the search ends."""

    def __init__(self) -> None:
        self.stop: list[str] = []
        self.cost, self.gathered = array("q"), array("q")
        self.taken: list[int] = []
        self.like = array("q")
        self._segment: list[str] = []
        self._before = array("q")

    def begin(self, stop: str, taken: int) -> int:
        """A way that is only its start."""
        return self._add(stop, "", NONE, 0, 0, taken, NONE)

    def extend(self, way: int, lead: Lead, like: int = NONE) -> int:
        """A way and one segment more; `like`: another one that takes the same."""
        return self._add(
            lead.stop,
            lead.segment,
            way,
            self.cost[way] + lead.cost,
            self.gathered[way] + lead.traffic,
            self.taken[way] | lead.taken,
            like,
        )

    def _add(
        self, stop: str, segment: str, before: int, cost: int, gathered: int, taken: int, like: int
    ) -> int:
        self.stop.append(stop)
        self._segment.append(segment)
        self._before.append(before)
        self.cost.append(cost)
        self.gathered.append(gathered)
        self.taken.append(taken)
        self.like.append(like)
        return len(self.stop) - 1

    def travelled(self, way: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Stops and segments from the start on."""
        stops, segments = [self.stop[way]], []
        while self._before[way] != NONE:
            segments.append(self._segment[way])
            way = self._before[way]
            stops.append(self.stop[way])
        return tuple(reversed(stops)), tuple(reversed(segments))
