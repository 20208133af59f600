"""The stacks of all threads on standard error, after a crash in native code and whenever they are asked for."""

from __future__ import annotations

import signal
import subprocess
import sys

WORK = """
import faulthandler, os, signal, threading
from services.common.telemetry.stack_dumps import enable_stack_dumps

def waiting_in_another_thread():
    begun.set()
    ended.wait()

enable_stack_dumps()
begun, ended = threading.Event(), threading.Event()
threading.Thread(target=waiting_in_another_thread, daemon=True).start()
begun.wait()
"""


def run(program: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a program in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", WORK + program], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_crash_shows_where_every_thread_was() -> None:
    """The process still ends by its signal."""
    code, _, errors = run("faulthandler._sigsegv()")
    assert code == -signal.SIGSEGV
    assert "Fatal Python error: Segmentation fault" in errors
    assert "waiting_in_another_thread" in errors
    assert "in <module>" in errors


def test_stacks_are_shown_on_a_signal_and_work_goes_on() -> None:
    """SIGUSR1, which would end a process that does not await it."""
    code, output, errors = run("os.kill(os.getpid(), signal.SIGUSR1)\nprint('goes on')")
    assert (code, output) == (0, "goes on\n")
    assert "Fatal" not in errors
    assert "waiting_in_another_thread" in errors


def test_asking_for_stacks_ends_no_busy_process() -> None:
    """The stacks of threads that run are not read while they change."""
    busy = """
def compute():
    while True:
        exec("def deeper(n):\\n return n and deeper(n - 1)\\ndeeper(30)", {})

for _ in range(4):
    threading.Thread(target=compute, daemon=True).start()
import time
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
process = os.getpid()
if os.fork() == 0:
    for _ in range(1000):
        os.kill(process, signal.SIGUSR1)
        time.sleep(0.001)
    os._exit(0)
while os.waitpid(-1, os.WNOHANG) == (0, 0):
    time.sleep(0.01)
os._exit(0)
"""
    assert run(busy)[0] == 0


def test_what_shows_crashes_already_is_left_alone() -> None:
    """A test runner or PYTHONFAULTHANDLER may have sent crashes elsewhere."""
    into_file = """
import tempfile
with tempfile.TemporaryFile() as file:
    faulthandler.enable(file)
    enable_stack_dumps()
    faulthandler.disable() if os.fork() else faulthandler._sigsegv()
    os.wait()
    file.seek(0)
    print(file.read().decode())
"""
    code, output, errors = run(into_file)
    assert (code, errors) == (0, "")
    assert "Fatal Python error: Segmentation fault" in output
