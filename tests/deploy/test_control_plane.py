"""Every overlay on a real control plane of Kubernetes: it takes the objects, makes their pods, and upgrades from the release
before. Nodes are simulated, so no container runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.kubernetes.control_plane import ControlPlane
from devtools.kubernetes.missing import KubernetesMissing, installed
from tests.deploy.operators_page import type_in, upgrade_commands
from tests.deploy.rendered import OVERLAYS, Rendered

pytestmark = pytest.mark.integration

RELEASED = Path(__file__).parent / "released"
NAMESPACE = "signalbox"
ZONES = ("a", "b", "c")
VOLUMES = 40
# In this order.
ROLLED = ("routing", "ledger", "lobby", "rules")
OLD = "before-"
# As the operator's, but for what runs in a container: there is none.
KUBECTL = """#!/bin/sh
case " $* " in *" exec "*) exit 0 ;; esac
exec {kubectl} --kubeconfig {kubeconfig} "$@"
"""


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane that knows the operators' resources, with nodes and volumes for all pods."""
    try:
        programs = installed()
    except KubernetesMissing as missing:
        pytest.skip(str(missing))
    plane = ControlPlane(programs, tmp_path_factory.mktemp("kubernetes"))
    plane.start()
    try:
        plane.define()
        plane.add_nodes(ZONES)
        yield plane
    finally:
        plane.stop()


@pytest.fixture(params=OVERLAYS)
def released(request: pytest.FixtureRequest, control: ControlPlane) -> Iterator[str]:
    """An overlay whose objects of the release before are in the cluster; gone afterwards."""
    control.add_volumes(VOLUMES)
    before = (RELEASED / f"{request.param}.yaml").read_text(encoding="utf-8")
    before = before.replace("image: signalbox:", f"image: signalbox:{OLD}")
    control.kubectl("apply", "--filename", "-", documents=before)
    yield str(request.param)
    control.kubectl("delete", "namespace", NAMESPACE, "--wait")
    control.kubectl("delete", "persistentvolumes", "--all", "--wait")


def rolled_out(control: ControlPlane, overlay: Rendered) -> None:
    """Wait until every workload of an overlay that is always there has its pods, ready and of its newest form."""
    for each in overlay.workloads():
        if each.serves and each.replicas:
            name = f"{each.kind}/{each.name}"
            control.kubectl("rollout", "status", name, "--namespace", NAMESPACE, "--timeout=180s")


def pods_of(control: ControlPlane, service: str) -> list[Any]:
    """The pods of a service that are not about to go."""
    found = (each for each in control.objects("pods") if "deletionTimestamp" not in each["metadata"])
    return [each for each in found if each["metadata"]["labels"].get("app.kubernetes.io/name") == service]


def test_an_upgrade_from_the_release_before(
    repository: Path, tmp_path: Path, control: ControlPlane, released: str, overlays: dict[str, Rendered]
) -> None:
    """By the commands of the operators' page: nothing is refused, and each service is replaced whole before the next one."""
    kubectl = KUBECTL.format(kubectl=installed().programs["kubectl"], kubeconfig=control.kubeconfig)
    commands = upgrade_commands(repository).replace("overlays/production", f"overlays/{released}")
    type_in(commands, kubectl, repository, tmp_path)
    rolled_out(control, overlays[released])
    pods = [pods_of(control, name) for name in ROLLED]
    made = [sorted(pod["metadata"]["creationTimestamp"] for pod in each) for each in pods]
    assert all(made), made
    assert all(before[-1] <= after[0] for before, after in pairwise(made)), made
    images = {pod["spec"]["containers"][0]["image"] for each in pods for pod in each}
    assert not any(OLD in image for image in images), images


def test_the_same_objects_again_change_nothing(
    control: ControlPlane, released: str, overlays: dict[str, Rendered]
) -> None:
    """What is applied twice replaces no pod."""
    text = yaml.safe_dump_all(each for each in overlays[released].documents if each["kind"] != "Job")
    control.apply(text)
    rolled_out(control, overlays[released])
    before = generations(control)
    control.apply(text)
    assert generations(control) == before


def generations(control: ControlPlane) -> dict[str, int]:
    """How often each workload was changed."""
    return {
        f"{kind}/{each['metadata']['name']}": each["metadata"]["generation"]
        for kind in ("deployments", "statefulsets")
        for each in control.objects(kind)
    }
