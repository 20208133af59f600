"""Threads of their own for hashing passwords, so that calls that hash take few of a server's threads."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from services.common.settings.accounts import SignInSettings
from services.lobby.ports import HashingBusy, PasswordHasher

# Longer than a full queue usually takes.
RETRY_AFTER_MS = 1_000
ADDRESSES_MAX = 100_000

Answer = TypeVar("Answer")


class HashingPool:
    """The `PasswordChecks` port over a `PasswordHasher`; beyond the settings' bounds calls fail at once.

    Half of the queue is kept for signing in from addresses whose last password was not wrong, so that many guessers, or
    registrations in masses, do not keep players out."""

    def __init__(self, hasher: PasswordHasher, settings: SignInSettings) -> None:
        self._hasher = hasher
        self._most = settings.hashing_queue
        self._most_of_others = max(1, settings.hashing_queue // 2)
        self._most_of_address = settings.hashing_queue_per_address
        self._threads = ThreadPoolExecutor(settings.hashing_threads, thread_name_prefix="hashing")
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._last_was_wrong: OrderedDict[str, None] = OrderedDict()

    def hash(self, password: str, address: str) -> str:
        """See `PasswordChecks.hash`."""
        return self._run(address, self._most_of_others, lambda: self._hasher.hash(password))

    def verify(self, password_hash: str | None, password: str, address: str) -> bool:
        """See `PasswordChecks.verify`."""
        with self._lock:
            most = self._most_of_others if address in self._last_was_wrong else self._most
        fits = self._run(address, most, lambda: self._hasher.verify(password_hash, password))
        with self._lock:
            self._last_was_wrong.pop(address, None)
            if not fits:
                self._last_was_wrong[address] = None
            if len(self._last_was_wrong) > ADDRESSES_MAX:
                self._last_was_wrong.popitem(last=False)
        return fits

    def _run(self, address: str, most: int, work: Callable[[], Answer]) -> Answer:
        with self._lock:
            if self._taken.total() >= most or self._taken[address] >= self._most_of_address:
                raise HashingBusy(
                    "too many passwords are checked now; send the request again", RETRY_AFTER_MS
                )
            self._taken[address] += 1
        try:
            return self._threads.submit(work).result()
        finally:
            with self._lock:
                self._taken[address] -= 1
                self._taken = +self._taken
