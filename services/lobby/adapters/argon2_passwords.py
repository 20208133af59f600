"""Passwords hashed with argon2id."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

HASHES_AT_A_TIME = 2


class Argon2Passwords:
    """The `PasswordHasher` port. A hash takes 64 MiB, so only a few run at a time and others wait."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._running = threading.BoundedSemaphore(HASHES_AT_A_TIME)
        self._hash_of_nobody = self._hasher.hash("nobody")

    def hash(self, password: str) -> str:
        """See `PasswordHasher.hash`."""
        with self._running:
            return self._hasher.hash(password)

    def verify(self, password_hash: str | None, password: str) -> bool:
        """See `PasswordHasher.verify`."""
        with self._running:
            try:
                fits = self._hasher.verify(password_hash or self._hash_of_nobody, password)
            except (VerificationError, InvalidHashError):
                return False
        return fits and password_hash is not None
