"""One mutant against the tests: the broken code in the place of the right one, in a process that ends with it."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.abc
import importlib.machinery
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import pytest

from tests.mutation.mutants import Mutant
from tests.mutation.reach import Failures, run_test

# Seconds of computing a test may take beside ten times what it takes with nothing broken.
EXTRA_SECONDS = 5.0
MEMORY_BYTES = 6 << 30


class Verdict(IntEnum):
    """What became of a mutant; the exit code of its process, so that none is what Python itself ends with after an error."""

    SURVIVED = 0
    KILLED = 6
    TIMED_OUT = 3
    NOT_APPLIED = 4
    NOT_TRIED = 5


@dataclass(frozen=True, slots=True)
class Order:
    """What a program of its own has to do: try this mutant with the tests by name, in their order, each with its seconds."""

    root: Path
    mutant: Mutant
    tests: list[tuple[str, float]]


class NotApplicable(Exception):
    """The broken function cannot take the place of the right one while the program runs."""


class Loaded:
    """The functions of the repository that are loaded, by file, and what they remember of earlier answers."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.functions: dict[str, list[FunctionType]] = {}
        self.caches: list[functools._lru_cache_wrapper[object]] = []
        # What is frozen after the collection of tests is not among the objects that the collector lists.
        gc.unfreeze()
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                self.functions.setdefault(each.__code__.co_filename, []).append(each)
            elif isinstance(each, functools._lru_cache_wrapper) and self._is_ours(each):
                self.caches.append(each)

    def _is_ours(self, cache: functools._lru_cache_wrapper[object]) -> bool:
        function = getattr(cache, "__wrapped__", None)
        return isinstance(function, FunctionType) and Path(function.__code__.co_filename).is_relative_to(
            self.root
        )

    def exchange(self, mutant: Mutant) -> None:
        """Give the function, wherever it was imported to, the broken code, and forget what the right code worked out."""
        file = self.root / mutant.path
        broken = compile(mutant.applied_to(file.read_text(encoding="utf-8")), str(file), "exec")
        codes = {code.co_qualname: code for code in _inner_codes(broken)}
        exchanged = False
        for function in self.functions.get(str(file), ()):
            name = function.__code__.co_qualname
            if name != mutant.function and not name.startswith(f"{mutant.function}.<locals>."):
                continue
            if name not in codes or len(codes[name].co_freevars) != len(function.__code__.co_freevars):
                raise NotApplicable(name)
            function.__code__ = codes[name]
            exchanged = exchanged or name == mutant.function
        if not exchanged:
            raise NotApplicable(mutant.function)
        for cache in self.caches:
            cache.cache_clear()


def _inner_codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner_codes(constant)


def try_here(
    loaded: Loaded, mutant: Mutant, items: Sequence[pytest.Item], seconds: Sequence[float], failures: Failures
) -> int:
    """Starts the process that tries one mutant with these tests, in their order, until one fails; returns its id."""
    child = os.fork()
    if child:
        return child
    verdict = Verdict.NOT_TRIED
    try:
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        loaded.exchange(mutant)
        verdict = run_until_one_fails(items, seconds, failures)
    except NotApplicable:
        verdict = Verdict.NOT_APPLIED
    finally:
        os._exit(verdict)


def run_until_one_fails(
    items: Sequence[pytest.Item], seconds: Sequence[float], failures: Failures
) -> Verdict:
    """Run the tests in their order; a test that computes for too long ends the process with `TIMED_OUT`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, _end_by_time)
    for index in range(len(items)):
        signal.setitimer(signal.ITIMER_VIRTUAL, EXTRA_SECONDS + 10 * seconds[index])
        run_test(items, index)
        if failures.names:
            return Verdict.KILLED
    return Verdict.SURVIVED


def _end_by_time(signum: int, frame: FrameType | None) -> None:
    os._exit(Verdict.TIMED_OUT)


class BrokenModule(importlib.abc.MetaPathFinder):
    """Imports one file as a mutant says; for code that runs when its module is imported."""

    def __init__(self, root: Path, mutant: Mutant) -> None:
        self.file = root / mutant.path
        self.name = ".".join(Path(mutant.path).with_suffix("").parts)
        self.source = mutant.applied_to(self.file.read_text(encoding="utf-8"))

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The broken module under its own name, nothing for others."""
        if name != self.name:
            return None
        loader = _SourceLoader(name, str(self.file), self.source)
        return importlib.machinery.ModuleSpec(name, loader, origin=str(self.file))


class _SourceLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compiled anew, nothing is taken from files."""
        return compile(self.source, self.path, "exec")


@contextlib.contextmanager
def broken_import(root: Path, mutant: Mutant) -> Iterator[None]:
    """While it lasts, the file of the mutant is imported broken."""
    finder = BrokenModule(root, mutant)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
