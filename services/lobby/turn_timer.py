"""The thread that records overdue turns, publishes rounds of tournaments, and repairs what fell behind."""

import time
from collections.abc import Callable

from services.common.process.progress import Loop
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import IsCancelled

CHECK_SECONDS = 1.0
# Wake-ups may be lost; so often they are set again.
CATCH_UP_SECONDS = 60.0


def _nothing(is_cancelled: IsCancelled) -> None:
    """For a lobby without tournaments."""


class TurnTimer:
    """Records overdue turns and publishes every second; every minute catches up and sets all wake-ups again."""

    def __init__(
        self,
        followed: FollowedGames,
        catch_up: Callable[[IsCancelled], None],
        publish: Callable[[IsCancelled], None] = _nothing,
        check_seconds: float = CHECK_SECONDS,
        catch_up_seconds: float = CATCH_UP_SECONDS,
    ) -> None:
        """`catch_up` and `publish` are given the check for cancellation. They must be cheap when there is nothing to do."""
        self._followed = followed
        self._publish = publish
        self._catch_up = catch_up
        self._checks_per_catch_up = max(1, round(catch_up_seconds / check_seconds))
        self._log = get_logger("lobby")
        self._checks_left = 0
        self._last_pass = time.monotonic()
        self._thread = RepeatingThread("lobby-turn-timer", self._check, check_seconds, begins_at_once=True)

    def start(self) -> None:
        """Begin."""
        self._last_pass = time.monotonic()
        self._thread.start()

    def progress_loop(self) -> Loop:
        """The progress of its thread: each check for cancellation counts as progress."""
        return Loop("clocks", lambda: self._last_pass)

    def stop(self) -> None:
        """Stop; returns when the thread has ended. May be called before `start`."""
        self._thread.close()

    def _is_cancelled(self) -> bool:
        self._last_pass = time.monotonic()
        return self._thread.is_closing

    def _check(self) -> None:
        self._last_pass = time.monotonic()
        try:
            if self._checks_left <= 0:
                self._catch_up(self._is_cancelled)
                self._followed.reset_wake_ups()
                self._checks_left = self._checks_per_catch_up
            self._followed.record_holds(self._is_cancelled)
            self._followed.record_overdue_turns(self._is_cancelled)
            self._publish(self._is_cancelled)
        except Exception as problem:
            self._log.error("turn timer failed", problem=repr(problem))
        self._checks_left -= 1
