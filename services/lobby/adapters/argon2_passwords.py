"""Passwords hashed with argon2id."""

import base64
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from services.common.settings.accounts import SignInSettings

KIBIBYTES = 1024


class Argon2Passwords:
    """The `PasswordHasher` port, at the cost of the settings. A hash made at another cost is still verified."""

    def __init__(self, settings: SignInSettings) -> None:
        self._hasher = PasswordHasher(
            time_cost=settings.hash_passes, memory_cost=settings.hash_mebibytes * KIBIBYTES
        )
        self._hash_of_nobody = hash_of_nobody(self._hasher)

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


def hash_of_nobody(hasher: PasswordHasher) -> str:
    """A hash that no password is known to have: verifying it takes as long as any other, making it takes nothing."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${digest}"
