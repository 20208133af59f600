"""Why a title cannot be played at all."""

from __future__ import annotations


class UnplayableTitleError(ValueError):
    """A listed title cannot be imported, or does not fit its messages; the text says what is wrong with which."""
