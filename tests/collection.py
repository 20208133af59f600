"""How the processes of a session share the work of its start.

Each of them has to import every module of tests. Python and pytest compile a module at its first import and keep the result
in a file, so that the others only read it: each process begins with another part of the modules, and compiles that one."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

from services.common.process.garbage import freeze_loaded_objects


def in_turn(modules: Sequence[str], process: int, processes: int) -> list[str]:
    """All modules, beginning where the part of this process begins."""
    begin = process * len(modules) // processes
    return [*modules[begin:], *modules[:begin]]


def modules_in(folders: Iterable[Path], root: Path) -> list[str]:
    """The names of the modules of tests in these folders; `root` is that of the packages."""
    paths = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("test_*.py"))
    return [_name_of(path, root) for path in paths]


def _name_of(path: Path, root: Path) -> str:
    return ".".join(path.resolve().relative_to(root).with_suffix("").parts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the modules before pytest does. One that cannot be imported is left for pytest to report.

    What is imported stays, so meanwhile nothing is searched for garbage."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    gc.disable()
    config, process = session.config, int(worker["workerid"].removeprefix("gw"))
    folders = [config.invocation_params.dir / argument for argument in config.args]
    for module in in_turn(modules_in(folders, config.rootpath), process, worker["workercount"]):
        with suppress(Exception, pytest.skip.Exception):
            import_module(module)


def pytest_collection_finish() -> None:
    """As in a process that serves: what is there now stays until the end."""
    freeze_loaded_objects()
    gc.enable()
