"""The trials of one folder: its tests are collected once, measured once, and run for each mutant in a fork."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mutation import fresh
from tests.mutation.mutants import MODULE_LEVEL, Mutant
from tests.mutation.pytest_options import PYTEST_OPTIONS, use_repeatable_examples
from tests.mutation.reach import Failures, Reach, measure
from tests.mutation.trial import Loaded, Order, Verdict, try_here

# The fixture by which a test reads recorded games, and the longest a process may take, however busy the machine is.
RECORDED_GAMES = "shared"
LONGEST_SECONDS = 600.0
POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant, what became of it, and the clauses whose tests reach the broken place."""

    mutant: Mutant
    verdict: Verdict
    clauses: tuple[str, ...]
    reached: bool


@dataclass(frozen=True, slots=True)
class Job:
    """The mutants of one title or of shared code, where the tests are, and how many processes may run at a time."""

    root: Path
    tests: tuple[Path, ...]
    mutants: Sequence[Mutant]
    jobs: int
    report: Callable[[Result], None]


class CannotRun(Exception):
    """The tests do not pass with nothing broken, or there are none."""


@dataclass(slots=True)
class _Running:
    mutant: Mutant
    tests: list[int]
    deadline: float


@dataclass(slots=True)
class Trials:
    """A pytest plugin that, instead of running the tests once, runs them for every mutant."""

    job: Job
    failures: Failures = field(default_factory=Failures)
    results: list[Result] = field(default_factory=list)
    problem: str = "no tests were collected"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The rules have to be held by tests that say what they want, not by comparison with recorded games."""
        items[:] = [item for item in items if RECORDED_GAMES not in getattr(item, "fixturenames", ())]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure, then try all mutants."""
        items = session.items
        if session.testsfailed or not items:
            folders = ", ".join(map(str, self.job.tests))
            self.problem = f"the tests in {folders} cannot be collected"
            return True
        files = sorted({mutant.path for mutant in self.job.mutants})
        reach = measure(self.job.root, files, items, self.failures)
        if reach.failed:
            names = ", ".join(items[index].nodeid for index in reach.failed)
            self.problem = f"with nothing broken these tests fail: {names}"
            return True
        self.problem = ""
        _Loop(self.job, items, reach, self.failures, self.results).run()
        return True


class _Loop:
    """Runs the processes, so many at a time."""

    def __init__(
        self, job: Job, items: Sequence[pytest.Item], reach: Reach, failures: Failures, results: list[Result]
    ) -> None:
        self.job, self.items, self.reach, self.failures, self.results = job, items, reach, failures, results
        self.loaded = Loaded(job.root)
        self.running: dict[int, _Running] = {}
        gc.freeze()

    def run(self) -> None:
        """Until every mutant has its verdict."""
        waiting = list(reversed(self.job.mutants))
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.job.jobs:
                    self._start(waiting.pop())
                for process, verdict in list(self._ended()):
                    self._end(process, verdict)
        finally:
            for process in self.running:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)

    def _start(self, mutant: Mutant) -> None:
        """Tests of the broken place first, then, as some of it may be remembered, all others that use the file."""
        near = self.reach.tests_at(mutant)
        tests = [*near, *(test for test in self.reach.tests_of_file(mutant.path) if test not in set(near))]
        deadline = time.monotonic() + LONGEST_SECONDS
        if mutant.function == MODULE_LEVEL:
            self.running[self._start_fresh(mutant, tests)] = _Running(mutant, tests, deadline)
            return
        items = [self.items[test] for test in tests]
        seconds = [self.reach.seconds[test] for test in tests]
        process = try_here(self.loaded, mutant, items, seconds, self.failures)
        self.running[process] = _Running(mutant, tests, deadline)

    def _start_fresh(self, mutant: Mutant, tests: Sequence[int]) -> int:
        named = [(self.items[test].nodeid, self.reach.seconds[test]) for test in tests]
        return fresh.start(Order(self.job.root, mutant, named))

    def _ended(self) -> Iterator[tuple[int, Verdict]]:
        time.sleep(POLL_SECONDS)
        for process, running in self.running.items():
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                yield process, Verdict(code) if code in set(Verdict) else Verdict.NOT_TRIED
            elif time.monotonic() > running.deadline:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                yield process, Verdict.TIMED_OUT

    def _end(self, process: int, verdict: Verdict) -> None:
        running = self.running.pop(process)
        mutant = running.mutant
        if verdict is Verdict.NOT_APPLIED:
            self.running[self._start_fresh(mutant, running.tests)] = running
            return
        near = self.reach.tests_at(mutant)
        marks = (mark for test in near for mark in self.items[test].iter_markers("clause"))
        clauses = tuple(sorted({str(clause) for mark in marks for clause in mark.args}))
        result = Result(mutant, verdict, clauses, bool(near) or mutant.function == MODULE_LEVEL)
        self.results.append(result)
        self.job.report(result)


def run(job: Job) -> list[Result]:
    """Try all mutants of a job; `CannotRun` when the tests say nothing about the code as it is."""
    use_repeatable_examples()
    trials = Trials(job)
    folders = map(str, job.tests)
    pytest.main([*PYTEST_OPTIONS, f"--rootdir={job.root}", *folders], plugins=[trials, trials.failures])
    if trials.problem:
        raise CannotRun(trials.problem)
    return trials.results
