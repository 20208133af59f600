"""How the searches are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
# The compiler's own types describe what it gives back, not what that takes and answers.
njit: Any = numba.njit


def compiled(function: Kernel) -> Kernel:
    """Compile `function`, which makes arrays; what was compiled is kept on disk for the next process."""
    kernel: Kernel = njit(cache=True, nogil=True)(function)
    return kernel


def tight(function: Kernel) -> Kernel:
    """Compile `function`, which makes no array, without counting references.

    The counting would cost the inner loops several times what they do.
    """
    kernel: Kernel = njit(cache=True, nogil=True, _nrt=False)(function)
    return kernel
