"""Compiles the searches with Numba and caches the result for the next process."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import FunctionCache

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
# Numba's own types describe the dispatcher, not the signature of the compiled function.
njit: Any = numba.njit
config: Any = numba.config
unliteral: Any = numba.types.unliteral
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
    """A hash of all kernel sources, for kernels are inlined into each other across files, and of who compiles them."""
    digest = hashlib.sha256(numba.__version__.encode())
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


class _SavedInTurn(FunctionCache):
    """Numba's files of a kernel, to which one process at a time adds: two that have not seen each other's would save the code
    for arguments of different types under one name, and either would later be taken for the other."""

    def save_overload(self, sig: Any, data: Any) -> None:
        with (Path(config.CACHE_DIR) / "lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save: Any = super().save_overload
            save(sig, data)


saved_in_turn: Any = _SavedInTurn


def _kernel(function: Kernel, **options: bool) -> Kernel:
    # Nothing calls kernels as functions of C.
    kernel: Any = njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if not config.DISABLE_JIT:
        _compile_once_for_all_numbers(kernel)
    if KEPT:
        kernel._cache = saved_in_turn(function)
    return cast(Kernel, kernel)


def _compile_once_for_all_numbers(kernel: Any) -> None:
    """A number written in the call of a kernel is to Numba a type of its own, for which it would compile the kernel once more."""
    fold: Any = kernel._compiler.fold_argument_types

    def fold_any_number(arguments: Any, named: Any) -> tuple[Any, tuple[Any, ...]]:
        signature, folded = fold(arguments, named)
        return signature, tuple(map(unliteral, folded))

    kernel._compiler.fold_argument_types = fold_any_number


def compiled(function: Kernel) -> Kernel:
    """Compile `function`, which allocates arrays; cached if possible."""
    return _kernel(function)


def tight(function: Kernel) -> Kernel:
    """Compile `function`, which allocates no array, without reference counting.

    The counting would cost the inner loops several times their own work.
    """
    return _kernel(function, _nrt=False)


def inner(function: Kernel) -> Kernel:
    """As `tight`, for a kernel that other kernels alone call: a call from Python would end the process.

    What such a call needs takes a quarter of the time of compiling.
    """
    return _kernel(function, _nrt=False, no_cpython_wrapper=True)
