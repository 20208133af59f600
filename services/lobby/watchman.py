"""Looks at the clocks: a thread beside the lobby's server that records turns whose allowance has run out."""

import threading
import time
from collections.abc import Callable

from services.common.process.progress import Loop
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.lobby.handlers.following import FollowedGames
from services.lobby.ports import IsUnwanted

LOOK_SECONDS = 1.0
# How long a lost wake-up may go unnoticed.
ROUND_SECONDS = 60.0


class Watchman:
    """Looks at the clocks every second, and every minute brings up to date what needs it and sets all wake-ups anew."""

    def __init__(
        self,
        followed: FollowedGames,
        catch_up: Callable[[IsUnwanted], None],
        look_seconds: float = LOOK_SECONDS,
        round_seconds: float = ROUND_SECONDS,
    ) -> None:
        """`catch_up` is told how to see that it is no longer wanted; with nothing to do it must be cheap."""
        self._followed = followed
        self._catch_up = catch_up
        self._look_seconds = look_seconds
        self._looks_per_round = max(1, round(round_seconds / look_seconds))
        self._log = get_logger("lobby")
        self._stopping = threading.Event()
        self._last_turn = time.monotonic()
        self._thread = ServiceThread("lobby-watchman", self._watch)

    def start(self) -> None:
        """Begin."""
        self._last_turn = time.monotonic()
        self._thread.start()

    def progress_loop(self) -> Loop:
        """Its thread, which asks again and again whether it is to stop."""
        return Loop("clocks", lambda: self._last_turn)

    def stop(self) -> None:
        """End; returns when nothing is under way any more. May be called before `start`."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _is_unwanted(self) -> bool:
        self._last_turn = time.monotonic()
        return self._stopping.is_set()

    def _watch(self) -> None:
        looks_left = 0
        while not self._is_unwanted():
            try:
                if looks_left <= 0:
                    self._catch_up(self._is_unwanted)
                    self._followed.set_wake_ups_anew()
                    looks_left = self._looks_per_round
                self._followed.look_at_clocks(self._is_unwanted)
            except Exception as problem:
                self._log.error("looking at the clocks failed", problem=repr(problem))
            looks_left -= 1
            self._stopping.wait(self._look_seconds)
