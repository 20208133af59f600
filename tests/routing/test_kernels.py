"""What is compiled is ready after the warm-up, so that no question waits for a compiler."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator, Set
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import cast

import pytest
from numba.core.dispatcher import Dispatcher

from services.routing import domain
from services.routing.domain import kernel
from tests.conftest import REPOSITORY

PROGRAM = """
from numba.core.dispatcher import Dispatcher
from services.routing.domain import choice, finder, frontier, gains, packer, search, sweep, sweepplan, walkback
from services.routing.domain.flow import crew, cuts, together
from services.routing.domain import narrow
from services.routing.domain.joint import choice as joint_choice
from services.routing.domain.joint import board, choosing, haulsearch, improving, money, offers, pool
from services.routing.domain.joint import pricing, visits
from services.routing.domain.links import plan, states, sweep as linksweep
from services.routing.domain.problem import Train
from services.routing.domain.solver import solve, warm_up
from services.routing.link_handlers import solve_deliveries
from tests.routing.boards import SMALL_FAMILIES, random_trains, small_board
from tests.routing.joint_boards import TRAIN_MIXES, express, freight, local, random_network
from tests.routing.joint_late import late_network
from tests.routing.link_networks import network_on_a_map
from tests.routing.term_boards import MIXED, term_board

modules = (finder, frontier, gains, packer, search, sweep, sweepplan, walkback)
modules += (narrow, plan, states, linksweep)
modules += (crew, cuts, together)
modules += (board, choosing, haulsearch, improving, money, offers, pool, pricing, visits)

def compiled():
    kernels = {k for module in modules for k in vars(module).values() if isinstance(k, Dispatcher)}
    return {k.py_func.__name__: len(k.signatures) for k in kernels}

warm_up()
before = compiled()
for family in SMALL_FAMILIES:
    for seed in range(40):
        solve(small_board(seed, random_trains(seed, family)))
for seed in range(80):
    solve(term_board(seed, MIXED))
for mix in TRAIN_MIXES:
    for seed in range(40):
        solve(random_network(seed, mix))
for seed in range(5):
    solve_deliveries(network_on_a_map(seed, 60, 100, 3))
choice.FLOW_SEGMENTS_LEAST = 0
for seed in range(20):
    solve(small_board(seed, (Train("D", "normal", 0), Train("E", "normal", 0), Train("3", "normal", 3))))
solve(late_network(0, (freight(2), freight(3), freight(7), local(5, 4), local(4), express(5))))
joint_choice.BRANCH_STEPS = 0
solve(late_network(1, (express(5), express(5, name="e"), local(4))))
later = sorted(name for name, count in compiled().items() if count != before[name])
print(later)
"""


def test_the_warm_up_leaves_nothing_to_compile() -> None:
    """In a fresh process no question after the warm-up has a kernel compiled or loaded, whatever its trains."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def kernels_in(module: ModuleType) -> dict[str, Dispatcher]:
    """The kernels that a module knows, by the names it knows them by."""
    return {name: each for name, each in vars(module).items() if isinstance(each, Dispatcher)}


def identity(code: CodeType) -> tuple[str, int]:
    """By which a function of a module is recognised: Numba changes the flags of a kernel's code that runs under a profiler."""
    return code.co_qualname, code.co_firstlineno


def python_codes(code: CodeType, kernels: Set[tuple[str, int]]) -> Iterator[CodeType]:
    """All functions in a piece of code that Python itself runs."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and identity(constant) not in kernels:
            yield constant
            yield from python_codes(constant, kernels)


def test_python_calls_no_inner_kernel() -> None:
    """It would end the process."""
    found, inner_count = [], 0
    for each in pkgutil.walk_packages(domain.__path__, f"{domain.__name__}."):
        module = import_module(each.name)
        kernels = kernels_in(module)
        inner = {name for name, kernel in kernels.items() if "no_cpython_wrapper" in kernel.targetoptions}
        inner_count += len(inner)
        path = Path(module.__file__ or "")
        code = compile(path.read_text(), str(path), "exec", dont_inherit=True)
        compiled = {identity(kernel.py_func.__code__) for kernel in kernels.values()}
        for function in python_codes(code, compiled):
            found += [
                f"{function.co_qualname} in {each.name}: {name}" for name in inner & {*function.co_names}
            ]
    assert inner_count > 100
    assert found == []


def keeping(environment: dict[str, str], before: str = "") -> str:
    """Where a fresh process of this environment keeps its kernels."""
    program = (
        f"{before}\nfrom services.routing.domain import kernel\nprint(kernel.KEPT, kernel.config.CACHE_DIR)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_kernels_are_kept_by_edition_of_their_sources(tmp_path: Path) -> None:
    """One kernel is compiled into others across files, so a change of any source leads to another folder."""
    first = keeping({"NUMBA_CACHE_DIR": str(tmp_path)})
    assert first.startswith(f"True {tmp_path}/kernels-")
    changed = (
        "import pathlib; read = pathlib.Path.read_bytes; pathlib.Path.read_bytes = lambda p: read(p) + b'#'"
    )
    assert keeping({"NUMBA_CACHE_DIR": str(tmp_path)}, changed) != first


HOMELESS = """
import numba
from services.routing.domain import kernel, solver

@kernel.tight
def doubled(number):
    return 2 * number

print(kernel.__file__, kernel.KEPT, doubled(21))
"""


def test_without_a_folder_to_keep_kernels_in_they_are_compiled_all_the_same(tmp_path: Path) -> None:
    """Neither the package nor the user's cache can be written, as in a read-only container: each process compiles anew."""
    package = tmp_path / "services"
    shutil.copytree(REPOSITORY / "services", package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *filter(Path.is_dir, package.rglob("*"))]:
        (folder / "__pycache__").touch()
    blocked = str(tmp_path / "services" / "__init__.py")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", HOMELESS],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"HOME": blocked, "XDG_CACHE_HOME": blocked, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert done.stdout.split() == [str(package / "routing/domain/kernel.py"), "False", "42"], done.stderr


SAVED_BY_TWO = """
import subprocess, sys, time
from pathlib import Path
from numba.core.caching import IndexDataCacheFile as Saved
from services.routing.domain import kernel

folder, number, who = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
save_index, save_data = Saved._save_index, Saved._save_data

@kernel.tight
def twice(number):
    return 2 * number

def wait_for(is_so, seconds):
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)

def first_saves_index(self, overloads):
    global second
    second = subprocess.Popen([sys.executable, "-P", __file__, sys.argv[1], "1.5", "second"])
    wait_for((folder / "begun").exists, 120)
    wait_for((folder / "looked").exists, 3)
    save_index(self, overloads)

def first_saves_data(self, name, data):
    wait_for(lambda: second.poll() is not None, 3)
    save_data(self, name, data)

def second_saves_index(self, overloads):
    (folder / "looked").touch()
    wait_for(Path(self._index_path).exists, 3)
    save_index(self, overloads)

if who == "first":
    Saved._save_index, Saved._save_data = first_saves_index, first_saves_data
    print(twice(int(number)))
    second.wait()
else:
    if who == "second":
        (folder / "begun").touch()
        Saved._save_index = second_saves_index
    print(twice(number), twice.stats.cache_hits.total())
"""


def test_two_processes_may_save_the_same_kernel_at_once(tmp_path: Path) -> None:
    """One for whole numbers and one for others, each when it has seen that nothing is saved yet: none gets the other's code."""
    program = tmp_path / "saving.py"
    program.write_text(SAVED_BY_TWO)

    def said(number: str, who: str) -> str:
        done = subprocess.run(
            [sys.executable, "-P", str(program), str(tmp_path), number, who],
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout

    assert sorted(said("3", "first").splitlines()) == ["3.0 0", "6"]
    assert said("1.5", "third") == "3.0 1\n"


def test_a_number_in_a_call_has_no_kernel_compiled_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One compiled kernel serves calls with any numbers, those written in the call as well."""
    monkeypatch.setattr(kernel, "KEPT", False)

    @kernel.inner
    def halved(number: int, rounded_up: bool) -> int:
        return (number + 1) // 2 if rounded_up else number // 2

    @kernel.compiled
    def halves(number: int) -> int:
        return halved(number, number > 3) + halved(7, True) + halved(9, False)

    assert halves(5) == 11
    assert len(cast(Dispatcher, halved).signatures) == 1
