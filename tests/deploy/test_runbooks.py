"""Every command by which the operators' page asks something of Kubernetes, typed in as it stands there, section by section, on a
control plane with the production overlay and a backup. Where a section is through, everything is at its place again."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPOSITORY
from tests.deploy import without_kubelet
from tests.deploy.control_plane import ControlPlane, Kubectl, programs_folder
from tests.deploy.installing import NAMESPACE, OURS, namespace, overlay_of, wait_until_ready
from tests.deploy.operators_page import kubectl_commands, type_in
from tests.deploy.rendered import Labels, Rendered

PROGRAMS = programs_folder()
if PROGRAMS is None:
    pytest.skip("no control plane of Kubernetes: `make kubernetes` builds it", allow_module_level=True)

pytestmark = pytest.mark.integration

STRIMZI = "strimzi"
# What a reader fills in. The volumes of snapshots belong to an operator that nobody plays, so a claim from one stays unbound.
FILLED_IN = {
    "OVERLAY": "deploy/k8s/overlays/production",
    "NAMESPACE-OF-STRIMZI": STRIMZI,
    "POD": "rules-0",
    "NAME": "rules",
    "CLASS": "ready-made",
    "SNAPSHOT": "yesterday",
    "PATH-OF-THE-LOG-LINE": "/var/lib/signalbox/rules.copy.db.diverged",
}
# Typed in by test_control_plane.py, with the manifests of before, and on the other overlay.
ELSEWHERE = "Upgrade without downtime"
OTHER_OVERLAY = "overlays/laptop"
CHANGES = re.compile(r"kubectl .*\b(apply|delete|patch|rollout|scale)\b")
# That stop on purpose, and say how to go on.
STOPPING = {"Stop everything"}
PAGE = kubectl_commands((REPOSITORY / "docs" / "operations.md").read_text(encoding="utf-8"))
# The last is a part of another.
SECTIONS = [each for each in PAGE if each not in (ELSEWHERE, "A claim from a snapshot")]
LEAST_COMMANDS = 90


@dataclass(frozen=True, slots=True)
class Platform:
    """The overlay with its manifests, on a control plane."""

    kubectl: Kubectl
    deploy: Path
    overlay: Rendered

    def type_in(self, command: str, folder: Path) -> None:
        """As an operator does."""
        python, wrapper = sys.executable, without_kubelet.__file__
        script = f'#!/bin/sh\nexec "{python}" -P "{wrapper}" "{self.kubectl.program}" "$@"\n'
        signalbox = folder / "signalbox"
        signalbox.write_text(f'#!/bin/sh\nexec "{python}" -m services.cli "$@"\n')
        signalbox.chmod(0o755)
        environment = {
            "KUBECONFIG": self.kubectl.environment["KUBECONFIG"],
            "SIGNALBOX": str(signalbox),
            "PYTHONPATH": str(REPOSITORY),
        }
        type_in(command, script, self.deploy, folder, environment)


@pytest.fixture(scope="module")
def platform(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """Production with a backup, and what the operators of others would have made for it."""
    assert PROGRAMS is not None
    folder = tmp_path_factory.mktemp("runbooks")
    deploy = folder / "deploy"
    shutil.copytree(repository / "deploy", deploy)
    overlay = overlay_of(deploy, "production")
    settings = overlay / "kustomization.yaml"
    strimzi = "  - ../../components/kafka-strimzi\n"
    text = settings.read_text(encoding="utf-8")
    assert strimzi in text
    settings.write_text(text.replace(strimzi, f"  - ../../components/backup\n{strimzi}"), encoding="utf-8")
    with ExitStack() as running:
        plane = ControlPlane(PROGRAMS, folder / "kubernetes")
        plane.start(running)
        kubectl = plane.kubectl
        running.enter_context(namespace(plane, repository))
        rendered = Rendered.of("production", kubectl("kustomize", str(overlay)).stdout)
        kubectl("apply", "-k", str(overlay))
        kubectl("apply", "-f", "-", given=yaml.safe_dump_all(claims_of_brokers(rendered)))
        wait_until_ready(kubectl, rendered)
        yield Platform(kubectl, deploy, rendered)


def of_operators(overlay: Rendered) -> list[Any]:
    """Secrets of cert-manager and Strimzi, pods of Kafka, and Strimzi's own operator, by the names that these give."""
    names = [each["spec"]["secretName"] for each in overlay.of_kind("Certificate")]
    names += [each["metadata"]["name"] for each in overlay.of_kind("KafkaUser")]
    (kafka,) = (each["metadata"]["name"] for each in overlay.of_kind("Kafka"))
    names.append(f"{kafka}-cluster-ca-cert")
    operator = made("Deployment", "strimzi-cluster-operator", STRIMZI)
    labels = {"name": "strimzi-cluster-operator"}
    operator["spec"] = {"selector": {"matchLabels": labels}, "template": pod(labels)}
    return [
        made("Namespace", STRIMZI, ""),
        operator,
        *(made("Secret", each) for each in names),
        *(named_pod(each, labels) for each, labels in brokers(overlay)),
    ]


def brokers(overlay: Rendered) -> list[tuple[str, Labels]]:
    """Names and labels of the pods of all pools, as Strimzi gives them."""
    (kafka,) = (each["metadata"]["name"] for each in overlay.of_kind("Kafka"))
    pools = [
        (each["metadata"]["name"], each["spec"]["replicas"]) for each in overlay.of_kind("KafkaNodePool")
    ]
    return [
        (f"{kafka}-{pool}-{number}", {"strimzi.io/cluster": kafka, "strimzi.io/pool-name": pool})
        for pool, count in pools
        for number in range(count)
    ]


def claims_of_brokers(overlay: Rendered) -> list[Any]:
    """As Strimzi names and marks them."""
    found = []
    for name, labels in brokers(overlay):
        claim = made("PersistentVolumeClaim", f"data-0-{name}")
        claim["metadata"]["labels"] = labels
        claim["spec"] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
        found.append(claim)
    return found


def made(kind: str, name: str, where: str = NAMESPACE) -> Any:
    """An object without anything in it."""
    version = {"Deployment": "apps/v1"}.get(kind, "v1")
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": name, **({"namespace": where} if where else {})},
    }


def pod(labels: Labels) -> Any:
    """One that the namespace lets in, without its name."""
    container = {
        "name": "kafka",
        "image": "kafka",
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    context = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    return {
        "metadata": {"labels": labels},
        "spec": {"containers": [container], "securityContext": context},
    }


def named_pod(name: str, labels: Labels) -> Any:
    """One of its own, of nobody's template."""
    found = {**made("Pod", name), **pod(labels)}
    found["metadata"] |= made("Pod", name)["metadata"]
    return found


def filled_in(command: str) -> str:
    """A command without places for names."""
    return re.sub("|".join(rf"\b{each}\b" for each in FILLED_IN), lambda found: FILLED_IN[found[0]], command)


def test_the_commands_are_found() -> None:
    """Not an empty search; and what stops or starts everything stands where a step says so."""
    assert sum(map(len, PAGE.values())) >= LEAST_COMMANDS
    assert set(PAGE["Stop everything"]) | set(PAGE["Start everything"]) < set(
        PAGE["Brokers put back to an earlier state"]
    )


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_can_be_typed_in(platform: Platform, section: str, tmp_path: Path) -> None:
    """Each command does what it says, and in the end nothing is left stopped. What is gone of other operators' comes anew."""
    for number, command in enumerate(each for each in PAGE[section] if OTHER_OVERLAY not in each):
        if number == 0 or "delete secret" in command:
            made_by_others = yaml.safe_dump_all(of_operators(platform.overlay))
            platform.kubectl("apply", "-f", "-", given=made_by_others)
        folder = tmp_path / str(number)
        folder.mkdir()
        platform.type_in(filled_in(command), folder)
    if section not in STOPPING and any(map(CHANGES.search, PAGE[section])):
        wait_until_ready(platform.kubectl, platform.overlay)
        assert stopped(platform) == []


def stopped(platform: Platform) -> Sequence[str]:
    """What has fewer pods than the overlay wants, or is not scaled by anybody."""
    wanted = {each.name: each.replicas for each in platform.overlay.workloads() if each.serves}
    found = platform.kubectl.items("deployments,statefulsets", OURS)
    counts = {each["metadata"]["name"]: each["status"].get("readyReplicas", 0) for each in found}
    routing = platform.kubectl.read("scaledobject", "routing", OURS)["metadata"].get("annotations", {})
    paused = [each for each in routing if each.startswith("autoscaling.keda.sh/paused")]
    scaled = {"routing"}
    return [each for each in wanted if each not in scaled and counts.get(each, 0) < wanted[each]] + paused
