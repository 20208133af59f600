"""Ways of a search, by number. Each is the way before it and one segment more."""

from __future__ import annotations

from services.routing.domain.direct.network import Lead

NONE = -1


class Ways:
    """For each way: the stop at its end, the segment to it, the number of the way before (`NONE` for a start), what it costs
    and gathered, and the bits of the places it visited and of what it used.

    Lists of plain values: hundreds of thousands of objects would each hold up the collector of garbage, and with it the
    looks at the clock."""

    def __init__(self) -> None:
        self.stop: list[str] = []
        self.cost: list[int] = []
        self.gathered: list[int] = []
        self.places: list[int] = []
        self.used: list[int] = []
        self._segment: list[str] = []
        self._before: list[int] = []

    def begin(self, stop: str, place: int) -> int:
        """A way that is only its start."""
        return self._add(stop, "", NONE, 0, 0, place, 0)

    def extend(self, way: int, lead: Lead) -> int:
        """A way and one segment more."""
        return self._add(
            lead.stop,
            lead.segment,
            way,
            self.cost[way] + lead.cost,
            self.gathered[way] + lead.traffic,
            self.places[way] | lead.places,
            self.used[way] | lead.used,
        )

    def _add(
        self, stop: str, segment: str, before: int, cost: int, gathered: int, places: int, used: int
    ) -> int:
        self.stop.append(stop)
        self._segment.append(segment)
        self._before.append(before)
        self.cost.append(cost)
        self.gathered.append(gathered)
        self.places.append(places)
        self.used.append(used)
        return len(self.stop) - 1

    def travelled(self, way: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Stops and segments from the start on."""
        stops, segments = [self.stop[way]], []
        while self._before[way] != NONE:
            segments.append(self._segment[way])
            way = self._before[way]
            stops.append(self.stop[way])
        return tuple(reversed(stops)), tuple(reversed(segments))
