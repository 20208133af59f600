"""The laptop overlay as it is played on one small node."""

from __future__ import annotations

import os
from pathlib import Path

import yaml

from tests.deploy.control_plane import Kubectl
from tests.deploy.rendered import Rendered

NAMESPACE = "signalbox"
OURS = f"--namespace={NAMESPACE}"
NOT_PLAYED = ("prometheus", "grafana")
"""Their images are not built here."""
READY_SECONDS = 600
CPU_REQUESTED = "50m"
"""By each pod: all of them, and one more of those that are rolled, are to find room on two cores."""


def write_overlay(folder: Path, repository: Path, tag: str, rules: int = 1) -> Path:
    """An overlay of one's own in `folder`: the laptop's with this tag of our image and so many replicas of rules."""
    folder.mkdir(exist_ok=True)
    less = [
        {
            "op": "replace",
            "path": "/spec/template/spec/containers/0/resources/requests/cpu",
            "value": CPU_REQUESTED,
        }
    ]
    content = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": NAMESPACE,
        "resources": [
            os.path.relpath(repository / "deploy" / "k8s" / "overlays" / "laptop", folder.resolve())
        ],
        "replicas": [{"name": "rules", "count": rules}, *({"name": each, "count": 0} for each in NOT_PLAYED)],
        "images": [{"name": "signalbox", "newTag": tag}],
        "patches": [{"target": {"kind": "(Deployment|StatefulSet|Job)"}, "patch": yaml.safe_dump(less)}],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return folder


def render(kubectl: Kubectl, folder: Path) -> Rendered:
    """The overlay as it renders."""
    return Rendered.of("own", kubectl("kustomize", str(folder)).stdout)


def wait_until_ready(kubectl: Kubectl, overlay: Rendered) -> None:
    """Block until all workloads have their pods, ready and of the newest form, and the job is done."""
    timeout = f"--timeout={READY_SECONDS}s"
    for each in overlay.workloads():
        if each.serves:
            kubectl("rollout", "status", f"{each.kind}/{each.name}", OURS, timeout)
    kubectl("wait", "--for=condition=Complete", "job/topics", OURS, timeout)
