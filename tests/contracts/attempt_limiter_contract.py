"""What every adapter that slows down guessing of passwords must do. Each adapter's test class inherits these tests."""

from services.common.clock import ManualClock
from services.lobby.adapters.attempt_limit import FAILURES_MAX, WINDOW_MS
from services.lobby.ports import AttemptLimiter


class AttemptLimiterContract:
    """Needs a fixture `limiter` without failures, and the `clock` it reads."""

    def test_a_name_rests_after_the_last_allowed_failure(
        self, limiter: AttemptLimiter, clock: ManualClock
    ) -> None:
        """For the window after its last failure; others are not held up."""
        for _ in range(FAILURES_MAX):
            assert limiter.allows("ann")
            limiter.failed("ann")
        assert not limiter.allows("ann")
        assert limiter.allows("bob")
        clock.advance(WINDOW_MS - 1)
        assert not limiter.allows("ann")
        clock.advance(1)
        assert limiter.allows("ann")

    def test_success_forgets(self, limiter: AttemptLimiter) -> None:
        """The right password gives all attempts back."""
        for _ in range(FAILURES_MAX - 1):
            limiter.failed("ann")
        limiter.succeeded("ann")
        for _ in range(FAILURES_MAX - 1):
            limiter.failed("ann")
        assert limiter.allows("ann")

    def test_old_failures_do_not_add_up(self, limiter: AttemptLimiter, clock: ManualClock) -> None:
        """Counting starts again when a window has passed without a failure."""
        for _ in range(FAILURES_MAX - 1):
            limiter.failed("ann")
        clock.advance(WINDOW_MS)
        limiter.failed("ann")
        assert limiter.allows("ann")
