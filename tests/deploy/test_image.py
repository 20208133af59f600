"""The image: what its steps say, and the two scripts in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.grpc.server import create_server
from services.common.settings.service import Settings
from services.common.telemetry.logs import Telemetry

IMAGE_USER = 10001


@pytest.fixture(scope="module")
def steps(repository: Path) -> list[str]:
    """The Dockerfile's instructions, one line each."""
    text = (repository / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(path: Path) -> dict[str, str]:
    """Version and hashes by package."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if "==" in line]
    return {name: rest for name, _, rest in (line.partition("==") for line in entries)}


def test_two_stages_from_one_pinned_image(steps: list[str]) -> None:
    """What builds is left behind; both stages begin with the same pinned image."""
    begins = [step for step in steps if step.startswith("FROM")]
    assert begins == ["FROM ${PYTHON_IMAGE} AS build", "FROM ${PYTHON_IMAGE}"]
    assert re.match(r"ARG PYTHON_IMAGE=python:3\.11\.\d+-slim-bookworm@sha256:[0-9a-f]{64}$", steps[0])


def test_dependencies_are_locked(steps: list[str], repository: Path) -> None:
    """The first install takes exactly what is pinned with hashes, the second nothing but our own code."""
    installs = [step for step in steps if "pip install" in step]
    assert "--require-hashes" in installs[0] and "-r constraints-run.txt" in installs[0]
    assert "--no-deps" in installs[1] and "--no-index" in installs[1]
    run, everything = pins(repository / "constraints-run.txt"), pins(repository / "constraints.txt")
    assert run.items() <= everything.items()
    assert all("--hash=sha256:" in each for each in run.values())
    assert not {"pytest", "mypy", "ruff", "hypothesis", "testcontainers"} & set(run)


def test_nobody_is_root(steps: list[str]) -> None:
    """Everything after the image is put together runs as a numbered user."""
    last = steps[steps.index("FROM ${PYTHON_IMAGE}") :]
    users = [step for step in last if step.startswith("USER")]
    assert users == ["USER 10001:10001"]
    assert last.index(users[0]) < last.index(next(step for step in last if "warm_up" in step))


def test_kernels_are_made_for_any_processor(steps: list[str]) -> None:
    """They are compiled while the image is made, and for the processor that is asked for when it runs."""
    generic = next(number for number, step in enumerate(steps) if "NUMBA_CPU_NAME=generic" in step)
    assert steps[generic].startswith("ENV")
    assert generic < next(number for number, step in enumerate(steps) if "warm_up()" in step)


def test_only_what_is_copied_comes_in(steps: list[str], repository: Path) -> None:
    """The list of what Docker may see is everything that the steps copy, and each of it exists."""
    seen = (repository / ".dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = {line.removeprefix("!") for line in seen if line.startswith("!")}
    copied = {
        source.removeprefix("./")
        for step in steps
        if step.startswith("COPY") and "--from" not in step
        for source in step.split()[1:-1]
    }
    assert copied == allowed
    assert all((repository / path).exists() for path in copied)
    assert not any(step.startswith("ADD") for step in steps)


@pytest.fixture
def seen_by_all() -> Iterator[Path]:
    """A folder into which every user may look."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_entrypoint_brings_the_kernels(repository: Path, seen_by_all: Path) -> None:
    """Kernels are copied, with their times, into a volume of root's that all may write, also when they are there
    already; then the command takes the script's place."""
    program = seen_by_all / "bin" / "signalbox"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$@" $$\n')
    program.chmod(0o755)
    kernels, cache = seen_by_all / "kernels", seen_by_all / "cache"
    (kernels / "edition").mkdir(parents=True)
    cache.mkdir()
    cache.chmod(0o2777)
    (kernels / "edition" / "a.nbi").write_text("index")
    os.utime(kernels / "edition" / "a.nbi", (1_000_000, 1_000_000))
    script = seen_by_all / "entrypoint.sh"
    text = (repository / "deploy" / "entrypoint.sh").read_text(encoding="utf-8")
    script.write_text(text.replace("/opt/signalbox/kernels", str(kernels)))
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "NUMBA_CACHE_DIR": str(cache)}
    user = IMAGE_USER if os.geteuid() == 0 else None
    for _ in range(2):
        started = subprocess.Popen(
            ["/bin/sh", str(script), "serve", "rules"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            user=user,
            group=user,
        )
        printed = started.communicate()[0]
        assert started.returncode == 0
        assert printed.split() == ["serve", "rules", str(started.pid)]
        assert (cache / "edition" / "a.nbi").stat().st_mtime == 1_000_000


@pytest.mark.integration
def test_health_is_an_exit_code(repository: Path) -> None:
    """The script in the image says 0 for a service that is ready, and 1 for one that is not or not there."""
    server, port = create_server([], Settings(), Telemetry())
    script = str(repository / "deploy" / "healthy.py")

    def asked() -> int:
        return subprocess.run([sys.executable, script, str(port)], check=False).returncode

    server.start(is_ready=False)
    try:
        assert asked() == 1
        server.report_ready()
        assert asked() == 0
    finally:
        server.stop(0)
    assert asked() == 1
