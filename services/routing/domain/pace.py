"""How long a question will have to wait, from how long the latest ones took."""

from __future__ import annotations

import math

WEIGHT = 0.05
FIRST_GUESS_SECONDS = 0.02
LEAST_MS = 10
MOST_MS = 10_000


class Pace:
    """The moving average of what one question takes a worker, in seconds."""

    def __init__(self) -> None:
        self.seconds = FIRST_GUESS_SECONDS

    def observe(self, seconds: float) -> None:
        """Note how long one question took."""
        self.seconds += WEIGHT * (seconds - self.seconds)

    def retry_after_ms(self, waiting: int, workers: int) -> int:
        """When half of those who wait now will probably have been served, in whole milliseconds."""
        rounds = math.ceil((waiting + 1) / 2 / max(1, workers))
        return min(MOST_MS, max(LEAST_MS, math.ceil(rounds * self.seconds * 1000)))
