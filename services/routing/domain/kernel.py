"""How the searches are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
# The compiler's own types describe what it gives back, not what that takes and answers.
njit: Any = numba.njit


def _nothing() -> None:
    """Compiled by nobody; where it would be kept tells where the kernels would."""


def _can_be_kept() -> bool:
    try:
        njit(cache=True)(_nothing)
    except RuntimeError:
        return False
    return True


# Whether there is a folder in which compiled kernels wait for the next process: beside the sources, in the user's cache,
# or where NUMBA_CACHE_DIR says.
KEPT = _can_be_kept()


def compiled(function: Kernel) -> Kernel:
    """Compile `function`, which makes arrays; what was compiled is kept for the next process if it can be."""
    kernel: Kernel = njit(cache=KEPT, nogil=True)(function)
    return kernel


def tight(function: Kernel) -> Kernel:
    """Compile `function`, which makes no array, without counting references.

    The counting would cost the inner loops several times what they do.
    """
    kernel: Kernel = njit(cache=KEPT, nogil=True, _nrt=False)(function)
    return kernel
