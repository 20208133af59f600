"""What every adapter that slows down guessing of passwords must do. Each adapter's test class inherits these tests."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from services.lobby.ports import AttemptLimiter, RisingDelay
from tests.redis_connections import wait_until

HOUR_MS = 3_600_000
SLOW = RisingDelay(free=5, first_ms=60_000, longest_ms=600_000, forget_ms=HOUR_MS)
FAST = RisingDelay(free=2, first_ms=200, longest_ms=400, forget_ms=HOUR_MS)
SHORT = RisingDelay(free=2, first_ms=60_000, longest_ms=60_000, forget_ms=50)


class AttemptLimiterContract:
    """Needs a fixture `limiter` without attempts. Time is the real one."""

    def test_after_the_free_attempts_one_has_to_wait(self, limiter: AttemptLimiter) -> None:
        """The wait is that of the rule, refused attempts do not prolong it, and other keys are not delayed."""
        assert [limiter.begin("ann", SLOW) for _ in range(5)] == [0] * 5
        for _ in range(20):
            assert 30_000 < limiter.begin("ann", SLOW) <= 60_000
        assert limiter.begin("bob", SLOW) == 0

    def test_each_wait_is_longer_up_to_the_longest(self, limiter: AttemptLimiter) -> None:
        """200, 400, 400 ms: attempts are delayed but never locked out."""
        began = time.monotonic()
        for _ in range(2):
            assert limiter.begin("ann", FAST) == 0
        passed_at = []

        def passes(longest_ms: int) -> bool:
            left_ms = limiter.begin("ann", FAST)
            assert left_ms <= longest_ms
            return left_ms == 0

        for longest_ms in (200, 400, 400):
            wait_until(lambda most=longest_ms: passes(most))  # type: ignore[misc]
            passed_at.append(time.monotonic())
        assert passed_at[0] - began >= 0.19
        assert passed_at[2] - began >= 0.98

    def test_attempts_at_once_are_counted_before_they_are_made(self, limiter: AttemptLimiter) -> None:
        """Of 64 at the same time as many pass as are free."""
        together = threading.Barrier(8)

        def begin(_number: int) -> int:
            together.wait()
            return limiter.begin("ann", SLOW)

        with ThreadPoolExecutor(8) as threads:
            waits = list(threads.map(begin, range(64)))
        assert waits.count(0) == 5

    def test_what_is_taken_back_is_free_again(self, limiter: AttemptLimiter) -> None:
        """One attempt taken back makes room for one."""
        for _ in range(5):
            limiter.begin("ann", SLOW)
        limiter.take_back("ann", SLOW)
        assert limiter.begin("ann", SLOW) == 0
        assert limiter.begin("ann", SLOW) > 0
        limiter.take_back("nobody", SLOW)
        assert [limiter.begin("nobody", SLOW) == 0 for _ in range(6)] == [True] * 5 + [False]

    def test_what_is_forgotten_starts_again(self, limiter: AttemptLimiter) -> None:
        """All attempts are free again."""
        for _ in range(5):
            limiter.begin("ann", SLOW)
        limiter.forget("ann")
        assert [limiter.begin("ann", SLOW) for _ in range(5)] == [0] * 5

    def test_old_attempts_are_forgotten(self, limiter: AttemptLimiter) -> None:
        """After the time of the rule without an attempt."""
        for _ in range(2):
            limiter.begin("ann", SHORT)
        wait_until(lambda: limiter.begin("ann", SHORT) == 0)
        assert limiter.begin("ann", SHORT) == 0
