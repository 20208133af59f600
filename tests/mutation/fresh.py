"""One mutant in a program of its own: for code that runs when its module is imported, such as a table or a default."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.mutation.pytest_options import PYTEST_OPTIONS, use_repeatable_examples
from tests.mutation.reach import Failures
from tests.mutation.trial import Order, Verdict, broken_import, run_until_one_fails


class _Trial:
    """A pytest plugin that runs the tests of an order."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.failures = Failures()
        self.verdict = Verdict.KILLED

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """A file that can no longer be collected kills too."""
        by_name = {item.nodeid: item for item in session.items}
        tests = [(by_name[name], seconds) for name, seconds in self.order.tests if name in by_name]
        if not session.testsfailed and len(tests) == len(self.order.tests):
            items, seconds = [item for item, _ in tests], [each for _, each in tests]
            self.verdict = run_until_one_fails(items, seconds, self.failures)
        return True


def start(order: Order) -> int:
    """Start the program; returns the id of its process, whose exit code is the verdict."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.mutation.fresh"],
        cwd=order.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert program.stdin is not None
    with program.stdin as pipe:
        pipe.write(pickle.dumps(order))
    return program.pid


def _files(tests: Sequence[tuple[str, float]]) -> list[str]:
    return sorted({name.partition("::")[0] for name, _ in tests})


def main() -> int:
    """Read the order from the standard input."""
    order = pickle.loads(sys.stdin.buffer.read())
    assert isinstance(order, Order)
    trial = _Trial(order)
    use_repeatable_examples()
    with broken_import(order.root, order.mutant):
        pytest.main([*PYTEST_OPTIONS, *_files(order.tests)], plugins=[trial, trial.failures])
    return trial.verdict


if __name__ == "__main__":
    sys.exit(main())
