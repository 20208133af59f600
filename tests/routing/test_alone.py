"""Routing by itself: the package signalbox-routing has what it needs, and nothing of the rest."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY

GUIDE = REPOSITORY / "docs" / "routing-for-your-title.md"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
# Libraries of the rest by the names of their modules.
OTHERS = ("argon2", "confluent_kafka", "faust", "icu", "kafka", "mode", "openskill", "precis_i18n", "redis")
BLOCKED = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {OTHERS!r}:
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
"""


def project(path: Path) -> dict[str, Any]:
    """The table `project` of a pyproject.toml."""
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    return table


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A fresh Python without the libraries of the rest."""
    command = [sys.executable, "-c", BLOCKED + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)


def test_its_dependencies_are_those_of_the_whole_without_brokers() -> None:
    """The same bounds, so that one list of pinned versions serves both."""
    whole, alone = (
        project(path / "pyproject.toml") for path in (REPOSITORY, REPOSITORY / "packaging" / "routing")
    )
    assert set(alone["dependencies"]) < set(whole["dependencies"])
    assert not any(name in each for each in alone["dependencies"] for name in ("kafka", "redis", "faust"))
    assert (alone["version"], alone["requires-python"]) == (whole["version"], whole["requires-python"])


def test_the_command_solves_and_can_serve_without_the_rest() -> None:
    """Nothing that its commands import belongs to the rest."""
    start = "from services.cli.routes_alone import app\nimport services.host.cluster.routing\napp()"
    done = run(start, "explain", "docs/examples/routes/24-your-title.json")
    assert done.returncode == 0, done.stderr
    assert "280: every set of routes" in done.stdout
    assert "http" in run(start, "--help").stdout


def test_the_function_of_the_guide_runs() -> None:
    """Its Python block, as it stands."""
    (block,) = PYTHON.findall(GUIDE.read_text(encoding="utf-8"))
    done = run(block)
    assert done.returncode == 0, done.stderr
