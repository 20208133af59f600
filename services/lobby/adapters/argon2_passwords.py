"""Passwords hashed with argon2id."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """The `PasswordHasher` port. A hash takes 64 MiB while it is made."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._hash_of_nobody = self._hasher.hash("nobody")

    def hash(self, password: str) -> str:
        """See `PasswordHasher.hash`."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str | None, password: str) -> bool:
        """See `PasswordHasher.verify`."""
        try:
            fits = self._hasher.verify(password_hash or self._hash_of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return fits and password_hash is not None
