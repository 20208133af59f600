"""What the tests of the deployment share: the overlays as they render."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.deploy.rendered import OVERLAYS, Rendered
from tests.programs import need


@pytest.fixture(scope="session")
def promtool() -> str:
    """Prometheus' own checker."""
    return need(("promtool",), "on Debian, apt install prometheus")


@pytest.fixture(scope="session")
def kustomize() -> list[str]:
    """The command that renders a folder of manifests."""
    program = need(
        ("kustomize", "kubectl"), "install kubectl, or go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.3"
    )
    return [program, "build" if Path(program).name == "kustomize" else "kustomize"]


@pytest.fixture(scope="session")
def overlays(repository: Path, kustomize: list[str]) -> dict[str, Rendered]:
    """All overlays, rendered."""
    found = {}
    for name in OVERLAYS:
        folder = repository / "deploy" / "k8s" / "overlays" / name
        done = subprocess.run([*kustomize, str(folder)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found[name] = Rendered.of(name, done.stdout)
    return found


@pytest.fixture(params=OVERLAYS)
def overlay(request: pytest.FixtureRequest, overlays: dict[str, Rendered]) -> Rendered:
    """Each overlay."""
    return overlays[str(request.param)]


@pytest.fixture
def production(overlays: dict[str, Rendered]) -> Rendered:
    """The overlay with operators."""
    return overlays["production"]
