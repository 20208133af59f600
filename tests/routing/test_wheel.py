"""The package of routing alone: built as a wheel, put beside what it says it needs and nothing else, and run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import REPOSITORY

EXAMPLE = REPOSITORY / "docs" / "examples" / "routes" / "24-your-title.json"
OTHERS = ("argon2", "confluent_kafka", "faust", "redis")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    package = folder / "packaging" / "routing"
    shutil.copytree(REPOSITORY / "packaging" / "routing", package)
    shutil.copytree(
        REPOSITORY / "services",
        folder / "services",
        ignore=shutil.ignore_patterns("__pycache__", "node_modules"),
    )
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=package, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment that holds the wheel and the distributions that it needs, however indirectly."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home)
    (site,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    for needed in closure(re.findall(r"^Requires-Dist: (.+)$", text, re.MULTILINE)):
        for file in needed.files or ():
            source, top = Path(str(needed.locate_file(file.parts[0]))), site / file.parts[0]
            if file.parts[0] != ".." and not top.exists():
                top.symlink_to(source.resolve())
    return home / "bin" / "python"


def closure(requirements: list[str]) -> list[Distribution]:
    """The installed distributions that meet these requirements, and theirs."""
    found: dict[str, Distribution] = {}
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        try:
            installed = distribution(requirement.name)
        except PackageNotFoundError:
            pytest.fail(f"{requirement} is not installed")
        assert requirement.specifier.contains(installed.version, prereleases=True), requirement
        extras = ["", *requirement.extras] if requirement.name not in found else sorted(requirement.extras)
        found[requirement.name] = installed
        waiting += [(Requirement(text), each) for text in installed.requires or () for each in extras]
    return list(found.values())


def run(python: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program in the fresh environment; the solver's kernels are not compiled for one small problem."""
    environment = {"PATH": os.environ["PATH"], "NUMBA_DISABLE_JIT": "1", "TERM": "dumb"}
    return subprocess.run(
        [str(python), "-I", "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=python.parent,
        env=environment,
    )


def test_the_wheel_solves_in_an_environment_without_brokers(python: Path) -> None:
    """By the command that it installs."""
    start = (
        "import sys; from importlib.metadata import entry_points\n"
        "(command,) = entry_points(group='console_scripts', name='signalbox-routes')\n"
        "command.load()()"
    )
    done = run(python, start, "solve", "--json", str(EXAMPLE))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["revenue"], answer["proven"]) == (280, True)


def test_its_servers_can_be_loaded_there(python: Path) -> None:
    """What `serve` and `http` start, without any library of the rest."""
    done = run(python, "import services.host.cluster.routing, services.routing.adapters.worker_main")
    assert done.returncode == 0, done.stderr
    for name in OTHERS:
        assert run(python, f"import {name}").returncode != 0, name
