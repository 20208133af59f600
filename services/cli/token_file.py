"""The file of a token, as commands name it."""

from __future__ import annotations

from pathlib import Path


class NoTokenError(UnicodeError):
    """A file holds no token; the message names it."""


def read_token(path: Path) -> str:
    """The token in a file. Raises `OSError`, `NoTokenError`."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError as error:
        raise NoTokenError(f"{path}: is no file of a token, which has ASCII letters alone") from error
    if not token:
        raise NoTokenError(f"{path}: has no token in it")
    return token
