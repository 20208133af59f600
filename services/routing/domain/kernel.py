"""How the searches are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`, which makes arrays; what was compiled is kept on disk for the next process."""
    return njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]


def tight(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`, which makes no array, without counting references.

    The counting would cost the inner loops several times what they do.
    """
    return njit(cache=True, nogil=True, _nrt=False)(function)  # type: ignore[no-any-return]
