"""Processes that die and are started again, and what of it a run counts as a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.common.process.exit_on_timeout import EXIT_HUNG
from services.host.children import Child
from tests.faults.deaths import Victim
from tests.faults.hangs import COMES_TO_NO_END, LIVES, AllowedHangs
from tests.faults.plan import Death

NO_END = f'{{"event": "{COMES_TO_NO_END}: the process ends", "level": "critical"}}'
STALLED = '{"event": "the process ends to be started again", "level": "critical"}'
STACKS = 'Thread 0x1\n{"event": "ready", "level": "info"}\n  File "threading.py", in _bootstrap'


class Program:
    """In the place of a service: it ends by itself in its first run, as if at a point of the code in its second, and not at all
    in its third."""

    def __init__(self, folder: Path, said: str, code: int) -> None:
        script = f"""
            runs=$(cat runs 2>/dev/null); echo x >> runs
            case "$runs" in
                "") echo '{said}'; echo '{STACKS}'; exit {code};;
                x) kill -9 $$;;
            esac
            exec sleep 600"""
        command = ["sh", "-c", f"cd {folder}; {script}"]
        self.name = "rules-1"
        self.process = Child(self.name, command, folder / "rules-1.log")

    def is_healthy(self) -> bool:
        """While it runs."""
        return self.process.is_running


def victim(folder: Path, said: str, code: int, hangs: AllowedHangs) -> Victim:
    """One that was to die once and is through."""
    program = Program(folder, said, code)
    found = Victim(program, [Death("owner.after-commit", 2, 0.0)], print, lambda: False, hangs, lambda: 0)
    found.start()
    try:
        found.wait_through()
        found.release()
    finally:
        program.process.kill()
    return found


def test_an_owner_that_ended_over_a_command_of_the_run_is_counted_once_and_was_not_killed(
    tmp_path: Path,
) -> None:
    """Its end is seen twice: while its death is awaited, and when it is started again."""
    hangs = AllowedHangs()
    hangs.allow()
    found = victim(tmp_path, NO_END, EXIT_HUNG, hangs)
    assert found.failures == []
    assert [each.is_at_point for each in found.died] == [True]
    assert [hangs.take(NO_END) for _ in range(LIVES)] == [True] * (LIVES - 1) + [False]


@pytest.mark.parametrize(
    ("said", "code", "kind"),
    [(NO_END, EXIT_HUNG, "standstill"), (STALLED, EXIT_HUNG, "standstill"), (STALLED, 3, "crash")],
)
def test_what_nothing_explains_is_a_failure(tmp_path: Path, said: str, code: int, kind: str) -> None:
    """Given as the reason is what the process said, and not the stacks behind it."""
    hangs = AllowedHangs()
    if said != NO_END:
        hangs.allow()
    (failure,) = victim(tmp_path, said, code, hangs).failures
    assert failure.kind == kind and failure.what.endswith(said)
