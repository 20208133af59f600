"""Finding a free place on a hex for a small piece of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.drawing.geometry import HEX_SIZE, direction

OUTSIDE = 40.0
ON_TEXT = 60.0
MARGIN = 1.5
RINGS = (0.0, 12.0, 20.0, 28.0, 35.0, 41.0, 46.0)
SPOKES = 24


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle around its centre."""

    centre: complex
    width: float
    height: float

    def overlap(self, other: Box) -> float:
        """How deep two boxes lie in each other, 0 when they are apart."""
        gap = self.centre - other.centre
        wide = (self.width + other.width) / 2 - abs(gap.real)
        high = (self.height + other.height) / 2 - abs(gap.imag)
        return min(wide, high) if wide > 0 and high > 0 else 0.0

    def distance(self, point: complex) -> float:
        """From a point to the nearest point of the box, 0 inside."""
        gap = point - self.centre
        wide = max(abs(gap.real) - self.width / 2, 0)
        high = max(abs(gap.imag) - self.height / 2, 0)
        return abs(complex(wide, high))

    def corners(self) -> list[complex]:
        """Its four corners."""
        return [
            self.centre + complex(x * self.width / 2, y * self.height / 2) for x in (-1, 1) for y in (-1, 1)
        ]


@dataclass(slots=True)
class Room:
    """What is already on a hex: discs with a penalty for covering them, and text, which is never covered."""

    sides: Sequence[complex]
    discs: list[tuple[complex, float, float]] = field(default_factory=list)
    texts: list[Box] = field(default_factory=list)

    def keep_off(self, points: Iterable[complex], radius: float, weight: float) -> None:
        """Keep text off discs of this radius as far as possible: the more so, the greater the weight."""
        self.discs += [(point, radius, weight) for point in points]

    def take(self, width: float, height: float, preferred: Sequence[complex]) -> Box:
        """The best place for a box of this size: near the first preferred point that is free."""
        return self.best([(width, height)], preferred)[1]

    def best(self, sizes: Sequence[tuple[float, float]], preferred: Sequence[complex]) -> tuple[int, Box]:
        """The best place for a box of one of these sizes, the first ones preferred, and which size it is."""
        candidates = [(point, 1.5 * rank) for rank, point in enumerate(preferred)]
        for ring in RINGS:
            for spoke in range(SPOKES if ring else 1):
                point = ring * direction(spoke * 360 / SPOKES)
                candidates.append((point, 4 + 0.15 * min(abs(point - each) for each in preferred)))
        found: tuple[float, int, Box] | None = None
        for index, (width, height) in enumerate(sizes):
            for point, dislike in candidates:
                if found is not None and dislike + index >= found[0]:
                    continue
                box = Box(point, width, height)
                cost = dislike + index + self._cost(box)
                if found is None or cost < found[0]:
                    found = cost, index, box
        assert found is not None
        self.texts.append(found[2])
        return found[1], found[2]

    def _cost(self, box: Box) -> float:
        cost = sum(OUTSIDE for corner in box.corners() if not self._inside(corner))
        for point, radius, weight in self.discs:
            deep = radius - box.distance(point)
            if deep > 0:
                cost += weight * deep
        for text in self.texts:
            deep = box.overlap(text)
            if deep > 0:
                cost += ON_TEXT + 20 * deep
        return cost

    def _inside(self, point: complex) -> bool:
        """Whether a point lies on the hex: its share along every side's direction stays below the apothem."""
        reach = HEX_SIZE * 0.866 - MARGIN
        return all(point.real * side.real + point.imag * side.imag <= reach for side in self.sides)
