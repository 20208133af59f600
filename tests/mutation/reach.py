"""Which tests reach which line, and how long each takes: one run of all tests under coverage."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

from tests.mutation.mutants import Mutant

NOTHING_FAILED, SOME_FAILED = 0, 1


@dataclass(frozen=True, slots=True)
class Reach:
    """For every file, from the root of the repository, the tests that reach each of its lines; seconds by test; the tests
    that fail with nothing broken. Tests are indexes into the list of those collected."""

    lines: dict[str, dict[int, frozenset[int]]]
    seconds: list[float]
    failed: list[int]

    def tests_at(self, mutant: Mutant) -> list[int]:
        """The tests that run the broken place, or else the statement around it; the fastest first."""
        of_file = self.lines.get(mutant.path, {})
        first, _, last, _ = mutant.span
        for begin, end in ((first, last), mutant.lines):
            found = {test for line in range(begin, end + 1) for test in of_file.get(line, ())}
            if found:
                return self._fastest_first(found)
        return []

    def tests_of_file(self, path: str) -> list[int]:
        """The tests that run any line of the file, the fastest first; all when none is known to."""
        found = {test for tests in self.lines.get(path, {}).values() for test in tests}
        return self._fastest_first(found or set(range(len(self.seconds))))

    def _fastest_first(self, tests: set[int]) -> list[int]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


class Failures:
    """A pytest plugin that remembers which tests failed."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Setup and teardown count too."""
        if report.failed:
            self.names.add(report.nodeid)


def run_test(items: Sequence[pytest.Item], index: int) -> None:
    """Run one of these tests as pytest does; what it shares with the next one stays."""
    item = items[index]
    following = items[index + 1] if index + 1 < len(items) else None
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def measure(root: Path, files: Sequence[str], items: Sequence[pytest.Item], failures: Failures) -> Reach:
    """Run all tests in a process of its own, so that nothing of it is left here; only these files are watched."""
    with tempfile.TemporaryDirectory() as temporary:
        written = Path(temporary) / "reach"
        child = os.fork()
        if not child:
            code = 2
            try:
                written.write_bytes(pickle.dumps(_measured(root, files, items, failures)))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError("the tests could not be run with nothing broken")
        reach = pickle.loads(written.read_bytes())
    assert isinstance(reach, Reach)
    return reach


def _measured(root: Path, files: Sequence[str], items: Sequence[pytest.Item], failures: Failures) -> Reach:
    measuring = coverage.Coverage(
        data_file=None, include=[str(root / file) for file in files], config_file=False
    )
    measuring.start()
    seconds = []
    for index in range(len(items)):
        measuring.switch_context(str(index))
        began = time.process_time()
        run_test(items, index)
        seconds.append(time.process_time() - began)
    measuring.stop()
    data = measuring.get_data()
    lines = {}
    for file in data.measured_files():
        contexts = data.contexts_by_lineno(file)
        tests = {line: frozenset(int(name) for name in names if name) for line, names in contexts.items()}
        lines[Path(file).relative_to(root).as_posix()] = tests
    failed = [index for index, item in enumerate(items) if item.nodeid in failures.names]
    return Reach(lines, seconds, failed)
