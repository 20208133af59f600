"""The log of staff acts as each service knows it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from services.common.auth.revocations import Revocations
from services.common.clock import Clock
from services.common.staff.acts import revoke
from services.gen.signalbox.lobby.v1.staff_act_pb2 import StaffAct


class StaffLog(ABC):
    """All acts of operators, oldest first, each once. `revocations` are the tokens that they take back."""

    def __init__(self, clock: Clock) -> None:
        self.revocations = Revocations(clock)
        self._followers: list[Callable[[StaffAct], None]] = [lambda act: revoke(self.revocations, act)]
        self._known: set[str] = set()
        self._lock = threading.Lock()

    @property
    def act_count(self) -> int:
        """Acts that are known."""
        return len(self._known)

    def follow(self, take: Callable[[StaffAct], None]) -> None:
        """Call `take` with every act, also with those from before. Before `start`. `take` must not raise."""
        self._followers.append(take)

    @abstractmethod
    def start(self) -> None:
        """Begin to follow."""

    @abstractmethod
    def write(self, act: StaffAct) -> None:
        """An act, in the log for good and known to every follower of this process when this returns; one that is there
        already changes nothing. Raises `Unavailable` when it is not known whether it was written; it may be written again."""

    def _take(self, act: StaffAct) -> None:
        with self._lock:
            if act.act_id in self._known:
                return
            self._known.add(act.act_id)
            for take in self._followers:
                take(act)
