"""Threads of their own for hashing passwords, so that calls that hash take few of a server's threads."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from services.common.settings.accounts import SignInSettings
from services.lobby.ports import HashingBusy, PasswordHasher

# Longer than a full queue usually takes.
RETRY_AFTER_MS = 1_000

Answer = TypeVar("Answer")


class HashingPool:
    """The `PasswordChecks` port over a `PasswordHasher`; beyond the settings' bounds calls fail at once."""

    def __init__(self, hasher: PasswordHasher, settings: SignInSettings) -> None:
        self._hasher = hasher
        self._most = settings.hashing_queue
        self._most_of_address = settings.hashing_queue_per_address
        self._threads = ThreadPoolExecutor(settings.hashing_threads, thread_name_prefix="hashing")
        self._counting = threading.Lock()
        self._taken: Counter[str] = Counter()

    def hash(self, password: str, address: str) -> str:
        """See `PasswordChecks.hash`."""
        return self._run(address, lambda: self._hasher.hash(password))

    def verify(self, password_hash: str | None, password: str, address: str) -> bool:
        """See `PasswordChecks.verify`."""
        return self._run(address, lambda: self._hasher.verify(password_hash, password))

    def _run(self, address: str, work: Callable[[], Answer]) -> Answer:
        with self._counting:
            is_full = self._taken.total() >= self._most or self._taken[address] >= self._most_of_address
            if is_full:
                raise HashingBusy(
                    "too many passwords are checked now; send the request again", RETRY_AFTER_MS
                )
            self._taken[address] += 1
        try:
            return self._threads.submit(work).result()
        finally:
            with self._counting:
                self._taken[address] -= 1
                self._taken = +self._taken
