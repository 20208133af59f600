"""How the processes of a session share the work of its start.

Each of them has to import every module of tests. Python and pytest compile a module at its first import and keep the result
in a file, so that the others only read it: each process begins with another part of the modules, and compiles that one.
Hypothesis parses all modules, ours of the platform too, for constants to draw, and keeps them in files likewise."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis.internal.constants_ast import constants_from_module

from services.common.process.garbage import freeze_loaded_objects

PACKAGES = ("devtools", "services", "tests")


def in_turn(modules: Sequence[str], process: int, processes: int) -> list[str]:
    """All modules, beginning where the part of this process begins."""
    begin = process * len(modules) // processes
    return [*modules[begin:], *modules[:begin]]


def modules_in(folders: Iterable[Path], root: Path) -> list[str]:
    """The names of the modules of tests in these folders; `root` is that of the packages."""
    paths = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("test_*.py"))
    return [_name_of(path, root) for path in paths]


def loaded_modules(packages: Iterable[Path], root: Path) -> list[str]:
    """The names of all modules of these packages that are loaded by now."""
    ours = tuple(f"{_name_of(package, root)}." for package in packages)
    return sorted(name for name in sys.modules if name.startswith(ours))


def _name_of(path: Path, root: Path) -> str:
    return ".".join(path.resolve().relative_to(root).with_suffix("").parts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the modules before pytest does, and have Hypothesis read them. One that cannot be imported is left for pytest to
    report.

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
    packages = (config.rootpath / name for name in PACKAGES)
    for module in in_turn(loaded_modules(packages, config.rootpath), process, worker["workercount"]):
        constants_from_module(sys.modules[module])


def pytest_collection_finish() -> None:
    """As in a process that serves: what is there now stays until the end."""
    freeze_loaded_objects()
    gc.enable()
