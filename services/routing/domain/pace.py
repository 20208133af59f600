"""How long a question will have to wait, from how long the latest ones took."""

from __future__ import annotations

import math

WEIGHT = 0.05
FIRST_GUESS_SECONDS = 0.02
SHORTEST_SECONDS = 1e-6
LEAST_MS = 10
MOST_MS = 10_000
# However slow the questions, so many may wait for each worker: their own deadlines are the limit then.
LEAST_PLACES = 4


class Pace:
    """The moving average of how long a worker is busy with one question, in seconds."""

    def __init__(self) -> None:
        self.seconds = FIRST_GUESS_SECONDS

    def observe(self, seconds: float) -> None:
        """Note how long one question kept a worker from the next."""
        self.seconds += WEIGHT * (seconds - self.seconds)

    def places(self, wait_seconds: float, workers: int) -> int:
        """How many may wait so that the last one will probably wait no longer than `wait_seconds`."""
        return max(
            LEAST_PLACES * workers, math.floor(wait_seconds * workers / max(self.seconds, SHORTEST_SECONDS))
        )

    def retry_after_ms(self, waiting: int, workers: int) -> int:
        """When half of those who wait now will probably have been served, in whole milliseconds."""
        rounds = math.ceil((waiting + 1) / 2 / max(1, workers))
        return min(MOST_MS, max(LEAST_MS, math.ceil(rounds * self.seconds * 1000)))
