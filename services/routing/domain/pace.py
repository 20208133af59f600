"""Expected waiting time, from how long the latest questions took."""

from __future__ import annotations

import math

WEIGHT = 0.05
FIRST_GUESS_SECONDS = 0.02
SHORTEST_SECONDS = 1e-6
LEAST_MS = 10
MOST_MS = 10_000
# At least so many may wait for each worker, however slow the questions are: their own deadlines limit the wait.
LEAST_WAITING = 4


class Pace:
    """Moving average of the seconds that a worker takes for one question."""

    def __init__(self) -> None:
        self.seconds = FIRST_GUESS_SECONDS

    def observe(self, seconds: float) -> None:
        """Note how long a worker took for one question."""
        self.seconds += WEIGHT * (seconds - self.seconds)

    def queue_limit(self, wait_seconds: float, workers: int) -> int:
        """How many may wait so that the last one is expected to wait no longer than `wait_seconds`."""
        return max(
            LEAST_WAITING * workers, math.floor(wait_seconds * workers / max(self.seconds, SHORTEST_SECONDS))
        )

    def retry_after_ms(self, waiting: int, workers: int) -> int:
        """Milliseconds until half of those waiting now are expected to be served."""
        rounds = math.ceil((waiting + 1) / 2 / max(1, workers))
        return min(MOST_MS, max(LEAST_MS, math.ceil(rounds * self.seconds * 1000)))
