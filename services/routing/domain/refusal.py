"""How a problem without meaning is refused."""

from __future__ import annotations


class ProblemError(ValueError):
    """A problem that means nothing. `field` is the path of the bad field, `reason` a code that never changes meaning."""

    def __init__(self, field: str, reason: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.reason = reason
        self.message = message


def require(condition: bool, field: str, reason: str, message: str) -> None:
    """Raise `ProblemError` unless `condition` holds."""
    if not condition:
        raise ProblemError(field, reason, message)
