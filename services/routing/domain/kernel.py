"""Compiles the searches with Numba and caches the result for the next process."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
# Numba's own types describe the dispatcher, not the signature of the compiled function.
njit: Any = numba.njit
config: Any = numba.config
SOURCES = Path(__file__).parent


def _places() -> Iterator[Path]:
    """The folder for compiled kernels: NUMBA_CACHE_DIR, else beside the sources or in the user's cache."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
        return
    yield SOURCES / "__pycache__"
    cache = os.environ.get("XDG_CACHE_HOME") or (
        os.environ.get("HOME", "") and f"{os.environ['HOME']}/.cache"
    )
    if cache:
        yield Path(cache) / "signalbox"


def _edition() -> str:
    """A hash of all kernel sources: kernels are inlined into each other across files."""
    digest = hashlib.sha256()
    for source in sorted(SOURCES.rglob("*.py")):
        digest.update(source.read_bytes())
    return f"kernels-{digest.hexdigest()[:16]}"


def _keep_in_some_place() -> bool:
    for place in _places():
        folder = place / _edition()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                config.CACHE_DIR = str(folder)
                return True
        except OSError:
            continue
    return False


# Whether there is a writable cache folder; without one every process compiles for itself.
KEPT = _keep_in_some_place()


def compiled(function: Kernel) -> Kernel:
    """Compile `function`, which allocates arrays; cached if possible."""
    return _compiled(function)


def tight(function: Kernel) -> Kernel:
    """Compile `function`, which allocates no array, without reference counting.

    The counting would cost the inner loops several times their own work.
    """
    return _compiled(function, _nrt=False)


def inner(function: Kernel) -> Kernel:
    """As `tight`, for a kernel that other kernels alone call: a call from Python would end the process.

    What such a call needs takes a quarter of the time of compiling.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True)


def _compiled(function: Kernel, **options: bool) -> Kernel:
    """Nothing calls kernels as functions of C."""
    kernel: Kernel = njit(cache=KEPT, nogil=True, no_cfunc_wrapper=True, **options)(function)
    return kernel
