"""The title's data taken away: whatever asks for it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from services.rules import loading


class DataAskedFor(Exception):
    """Something asked for a title's data while there was none."""


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise DataAskedFor


@contextmanager
def title_data_away() -> Iterator[None]:
    """No title gives its data, not even what it has loaded before."""
    with patch.object(loading.TitleLoader, "__call__", _refuse), patch.object(loading, "load_title", _refuse):
        yield
