"""The laptop overlay in real containers on a real kubelet (deploy/k8s/README.md), and what judges how its pods end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.node.endings import Ending, endings
from tests.deploy.node.overlay import CPU_REQUESTED, NOT_PLAYED, write_overlay
from tests.deploy.node.programs import node_programs
from tests.deploy.pod_history import PodEvent
from tests.deploy.rendered import Rendered

SHOWN_MAX = 4_000


@pytest.mark.soak
@pytest.mark.integration
def test_the_laptop_overlay_lives_on_a_kubelet(repository: Path) -> None:
    """Its walls hold, the demo plays on it, and it is upgraded while bots play: nothing is lost, no pod has to be killed."""
    place = node_programs()
    if isinstance(place, str):
        pytest.skip(place)
    command = [sys.executable, "-m", "tests.deploy.node"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-SHOWN_MAX:] + done.stderr[-SHOWN_MAX:]
    assert "games meanwhile" in done.stdout


def test_the_overlay_differs_only_where_a_small_machine_needs_it(
    repository: Path, kustomize: list[str], overlays: dict[str, Rendered], tmp_path: Path
) -> None:
    """The laptop's, but for a tag, a number of replicas, what is not played, and how much processor time pods ask for."""
    folder = write_overlay(tmp_path, repository, "next", rules=2)
    done = subprocess.run([*kustomize, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    own, laptop = Rendered.of("own", done.stdout), overlays["laptop"]
    assert own.workload("rules").container["image"] == "signalbox:next"
    assert [own.workload(each).replicas for each in ("rules", *NOT_PLAYED)] == [2, 0, 0]
    for each in own.workloads():
        assert each.container["resources"]["requests"]["cpu"] == CPU_REQUESTED
        before = laptop.workload(each.name)
        each.container["resources"]["requests"] = before.container["resources"]["requests"]
        each.container["image"] = before.container["image"]
        assert each.pod == before.pod


def leaving(name: str, grace: int, exit_code: int, finished: str) -> PodEvent:
    """A pod that has to be gone at 12:00:45, and whose container ended."""
    state = {"terminated": {"exitCode": exit_code, "finishedAt": finished}}
    metadata: Any = {
        "name": name,
        "uid": name,
        "deletionTimestamp": "2026-01-02T12:00:45Z",
        "deletionGracePeriodSeconds": grace,
    }
    return PodEvent("MODIFIED", {"metadata": metadata, "status": {"containerStatuses": [{"state": state}]}})


def test_how_pods_end() -> None:
    """Once for each that was to go, with the time it took; not for one that had ended before."""
    killed = leaving("slow", 45, 137, "2026-01-02T12:00:45Z")
    quick = leaving("quick", 45, 0, "2026-01-02T12:00:06Z")
    done = leaving("done", 0, 0, "2026-01-02T11:00:00Z")
    running = PodEvent("MODIFIED", yaml.safe_load("{metadata: {name: on, uid: on}, status: {}}"))
    found = list(endings([running, killed, quick, killed, done]))
    assert found == [Ending("slow", 137, 45.0, 45), Ending("quick", 0, 6.0, 45)]
