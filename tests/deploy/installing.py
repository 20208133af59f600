"""Installs an overlay on a control plane, as the operators' page says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.control_plane import ControlPlane, Kubectl
from tests.deploy.rendered import Rendered

NAMESPACE = "signalbox"
OURS = f"--namespace={NAMESPACE}"
TIMEOUT = "--timeout=300s"


def overlay_of(deploy: Path, name: str) -> Path:
    """The folder of an overlay in a folder `deploy`."""
    return deploy / "k8s" / "overlays" / name


@contextmanager
def namespace(plane: ControlPlane, repository: Path) -> Iterator[None]:
    """The namespace as production has it; gone afterwards, with all that is in it."""
    plane.kubectl("apply", "-f", str(overlay_of(repository / "deploy", "production") / "namespace.yaml"))
    try:
        yield
    finally:
        plane.kubectl("delete", "namespace", NAMESPACE)


def wait_until_ready(kubectl: Kubectl, overlay: Rendered) -> None:
    """Block until all workloads have their pods, ready and of the newest form, and the job is done."""
    for each in overlay.workloads():
        if each.serves:
            kubectl("rollout", "status", f"{each.kind}/{each.name}", OURS, TIMEOUT)
    kubectl("wait", "--for=condition=Complete", "job/topics", OURS, TIMEOUT)
