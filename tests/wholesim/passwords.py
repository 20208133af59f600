"""Passwords that cost no time."""

from __future__ import annotations


class PlainPasswords:
    """The `PasswordHasher` port for people whose passwords nobody wants."""

    def hash(self, password: str) -> str:
        """See `PasswordHasher`."""
        return f"plain:{password}"

    def verify(self, password_hash: str | None, password: str) -> bool:
        """See `PasswordHasher`."""
        return password_hash == f"plain:{password}"
