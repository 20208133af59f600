"""Every overlay on a real control plane of Kubernetes: taken whole, its pods made and ready, its budgets and rights in force,
and upgraded from the manifests before. No container runs: kwok plays the nodes (deploy/k8s/README.md)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.host.children import Child
from tests.common.faust.followers import eventually
from tests.deploy.control_plane import ZONES, ControlPlane, Kubectl, Refused, programs_folder
from tests.deploy.earlier_manifests import OLD_TAG, earlier_manifests
from tests.deploy.installing import NAMESPACE, OURS, TIMEOUT, namespace, overlay_of, wait_until_ready
from tests.deploy.operators_page import type_in, upgrade_commands
from tests.deploy.pod_history import events_of, fewest_serving, is_ready, service_of, span_of
from tests.deploy.rendered import OVERLAYS, SERVICES, WEB, Rendered, selects

PROGRAMS = programs_folder()
if PROGRAMS is None:
    pytest.skip("no control plane of Kubernetes: `make kubernetes` builds it", allow_module_level=True)

pytestmark = pytest.mark.integration

# Everything is checked, nothing is kept.
TRIAL = ("apply", "--server-side", "--dry-run=server", "--validate=strict", "--field-manager=trial")
# As an operator's, but for what runs in a container: there is none.
KUBECTL = """#!/bin/sh
case " $* " in *" exec "*) exit 0 ;; esac
exec {kubectl} "$@"
"""
# Of what a pod could do harm with; every one is asked for in the namespace.
WANTED_RIGHTS = (
    ("get", "", "secrets"),
    ("list", "", "configmaps"),
    ("create", "", "pods"),
    ("create", "", "pods/exec"),
    ("patch", "apps", "statefulsets"),
    ("create", "", "serviceaccounts/token"),
    ("get", "kafka.strimzi.io", "kafkausers"),
)
# Validation by kubectl would take the right to list definitions.
ASK = ("create", "--validate=false", "-f", "-")
# What Kubernetes lets everybody ask who has come in: who am I, and what may I do.
OF_EVERYBODY = {"selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews"}


@dataclass(frozen=True, slots=True)
class Installation:
    """An overlay in the cluster, and what kubectl said when it was brought there."""

    plane: ControlPlane
    overlay: Rendered
    accepted: subprocess.CompletedProcess[str]
    applied: subprocess.CompletedProcess[str]

    @property
    def kubectl(self) -> Kubectl:
        """The operators' program."""
        return self.plane.kubectl

    def pods(self) -> list[Any]:
        """All pods that are not about to go."""
        found = self.kubectl.items("pods", OURS)
        return [each for each in found if "deletionTimestamp" not in each["metadata"]]


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane that knows the resources of the operators, with a node in each of three zones."""
    assert PROGRAMS is not None
    with ExitStack() as running:
        plane = ControlPlane(PROGRAMS, tmp_path_factory.mktemp("kubernetes"))
        plane.start(running)
        yield plane


def test_an_upgrade_rolls(plane: ControlPlane, repository: Path, overlay: Rendered, tmp_path: Path) -> None:
    """By the commands of the operators' page: one service after another, each whole, and never more than one pod away."""
    kubectl, log = plane.kubectl, tmp_path / "pods.json"
    wanted = {each.name: each.replicas for each in overlay.workloads() if each.name in (*SERVICES, WEB)}
    with namespace(plane, repository), ExitStack() as running:
        kubectl("apply", "-k", str(overlay_of(earlier_manifests(repository, tmp_path), overlay.name)))
        wait_until_ready(kubectl, overlay)
        watching = ("get", "pods", OURS, "--watch", "--output-watch-events", "-o", "json")
        watch = Child("watch", [str(kubectl.program), *watching], log, kubectl.environment)
        running.callback(watch.stop)
        watch.start()
        eventually(lambda: fewest_serving(list(events_of(log)), wanted) == wanted, "the pods of before")
        commands = upgrade_commands(repository).replace("overlays/production", f"overlays/{overlay.name}")
        script = KUBECTL.format(kubectl=kubectl.program)
        type_in(commands, script, repository / "deploy", tmp_path, kubectl.environment)
        wait_until_ready(kubectl, overlay)
        pods = [each for each in kubectl.items("pods", OURS) if "deletionTimestamp" not in each["metadata"]]
    images = {each["spec"]["containers"][0]["image"] for each in pods}
    assert f"signalbox:{OLD_TAG}" not in images
    events = list(events_of(log))
    kinds = {each.name: each.kind for each in overlay.workloads()}
    least = {name: count - (kinds[name] == "StatefulSet") for name, count in wanted.items()}
    assert fewest_serving(events, wanted) == least
    new = overlay.workload("rules").container["image"]
    spans = [span_of(events, name, new) for name in ("routing", "ledger", "lobby", "rules")]
    assert [each for span in spans for each in span] == sorted(each for span in spans for each in span)


@pytest.fixture(scope="module", params=OVERLAYS)
def installed(
    request: pytest.FixtureRequest, plane: ControlPlane, repository: Path, overlays: dict[str, Rendered]
) -> Iterator[Installation]:
    """Each overlay, tried by server-side apply and then applied as the operators' page says."""
    folder = str(overlay_of(repository / "deploy", request.param))
    with namespace(plane, repository):
        accepted = plane.kubectl(*TRIAL, "-k", folder)
        applied = plane.kubectl("apply", "-k", folder)
        wait_until_ready(plane.kubectl, overlays[request.param])
        yield Installation(plane, overlays[request.param], accepted, applied)


def test_every_object_is_accepted(installed: Installation) -> None:
    """The API server takes each object whole: no field that it does not know, no warning."""
    for done in (installed.accepted, installed.applied):
        assert len(done.stdout.splitlines()) == len(installed.overlay.documents)
        assert done.stderr == ""


def test_all_pods_are_made_and_become_ready(installed: Installation) -> None:
    """Pod Security lets every pod in, the scheduler finds it a node, more than one of a service are in several zones."""
    pods = installed.pods()
    zones: dict[str, set[str]] = {}
    for pod in pods:
        zones.setdefault(service_of(pod), set()).add(pod["spec"]["nodeName"])
    for workload in installed.overlay.workloads():
        if workload.serves:
            ready = [each for each in pods if service_of(each) == workload.name and is_ready(each)]
            assert len(ready) == workload.replicas, workload.name
            assert len(zones[workload.name]) == min(workload.replicas, len(ZONES)), workload.name
    claims = installed.kubectl.items("persistentvolumeclaims", OURS)
    waiting = {each["metadata"]["name"] for each in claims if each["status"]["phase"] != "Bound"}
    assert waiting <= {"operator"}, "that claim waits until the operator's pod is wanted"


def test_every_service_leads_to_its_pods(installed: Installation) -> None:
    """Behind each name stand all pods of its workload, at a port that they have."""
    for service in installed.overlay.of_kind("Service"):
        eventually(partial(leads_to_all, installed, service), service["metadata"]["name"])


def leads_to_all(installed: Installation, service: Any) -> bool:
    """Whether all pods that a service is for are behind its name, ready, with all its ports."""
    chosen = f"--selector=kubernetes.io/service-name={service['metadata']['name']}"
    (found,) = installed.kubectl.items("endpointslices", OURS, chosen)
    endpoints, ports = found["endpoints"] or [], found["ports"] or []
    workload = installed.overlay.workload(service["spec"]["selector"]["app.kubernetes.io/name"])
    are_ready = all(each["conditions"]["ready"] for each in endpoints)
    return are_ready and len(endpoints) == workload.replicas and len(ports) == len(service["spec"]["ports"])


def test_every_policy_selects_pods(installed: Installation) -> None:
    """No policy is for pods that nobody makes, but for Kafka's operator and those that are there only when they are wanted."""
    labels = [each["metadata"]["labels"] for each in installed.kubectl.items("pods", OURS)]
    idle = {
        each["metadata"]["name"]
        for each in installed.kubectl.items("networkpolicies", OURS)
        if not any(selects(each["spec"]["podSelector"], of_pod) for of_pod in labels)
    }
    by_strimzi = {"kafka", "kafka-cluster-api"} if installed.overlay.name == "production" else set()
    assert idle == {"operator"} | by_strimzi


def test_budgets_hold(installed: Installation) -> None:
    """A drained node takes one pod of a service, and not the next one before that one is back."""
    eventually(lambda: allowed(installed.kubectl) == {1}, "a pod of each service may go")
    installed.plane.kwok.pause()
    try:
        for name in (*SERVICES, WEB):
            first, *others = (
                each["metadata"]["name"] for each in installed.pods() if service_of(each) == name
            )
            evict(installed.kubectl, first)
            for other in others:
                with pytest.raises(Refused, match="violate the pod's disruption budget"):
                    evict(installed.kubectl, other)
    finally:
        installed.plane.kwok.resume()
    wait_until_ready(installed.kubectl, installed.overlay)


def allowed(kubectl: Kubectl) -> set[int]:
    """How many pods may go now, by what the budgets say."""
    return {each["status"]["disruptionsAllowed"] for each in kubectl.items("poddisruptionbudgets", OURS)}


def evict(kubectl: Kubectl, pod: str) -> None:
    """Ask for a pod's end as a drained node does."""
    asked = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod, "namespace": NAMESPACE}}
    path = f"/api/v1/namespaces/{NAMESPACE}/pods/{pod}/eviction"
    kubectl("create", "--raw", path, "-f", "-", given=json.dumps(asked))


def test_pods_have_no_rights_in_the_cluster(installed: Installation) -> None:
    """No account of ours may do anything, and no pod is given a token of its account."""
    reviews = [review(*each) for each in WANTED_RIGHTS]
    for account in installed.overlay.of_kind("ServiceAccount"):
        user = f"--as=system:serviceaccount:{NAMESPACE}:{account['metadata']['name']}"
        asked = yaml.safe_dump_all(reviews)
        answers = installed.kubectl(*ASK, user, "-o", "jsonpath={.status.allowed} ", given=asked)
        assert answers.stdout.split() == ["false"] * len(reviews), user
        rules = may_do(installed.kubectl, user)
        assert {each for rule in rules for each in rule["resources"]} == OF_EVERYBODY, user
    accounts = {each["metadata"]["name"] for each in installed.overlay.of_kind("ServiceAccount")}
    for pod in installed.pods():
        assert pod["spec"]["serviceAccountName"] in accounts
        sources = [
            source
            for each in pod["spec"]["volumes"]
            for source in each.get("projected", {}).get("sources", [])
        ]
        assert not any("serviceAccountToken" in each for each in sources), pod["metadata"]["name"]


def review(verb: str, group: str, resource: str) -> Any:
    """The question whether who asks may do this in the namespace."""
    kind, _, part = resource.partition("/")
    wanted = {"namespace": NAMESPACE, "verb": verb, "group": group, "resource": kind, "subresource": part}
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": wanted},
    }


def may_do(kubectl: Kubectl, user: str) -> list[Any]:
    """All that this user may do with objects of the namespace."""
    asked = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectRulesReview",
        "spec": {"namespace": NAMESPACE},
    }
    answer = kubectl(*ASK, user, "-o", "json", given=json.dumps(asked))
    rules: list[Any] = json.loads(answer.stdout)["status"]["resourceRules"]
    return rules


def test_the_namespace_refuses_pods_with_rights(installed: Installation) -> None:
    """A pod that has not given up its rights does not come in."""
    with pytest.raises(Refused, match="violates PodSecurity"):
        installed.kubectl("run", "stranger", "--image=stranger", OURS, "--dry-run=server")


def test_the_same_objects_again_change_nothing(installed: Installation, repository: Path) -> None:
    """What is applied twice replaces no pod."""
    before = generations(installed.kubectl)
    installed.kubectl("apply", "-k", str(overlay_of(repository / "deploy", installed.overlay.name)))
    assert generations(installed.kubectl) == before


def generations(kubectl: Kubectl) -> dict[str, int]:
    """How often each workload was changed."""
    return {
        f"{each['kind']}/{each['metadata']['name']}": each["metadata"]["generation"]
        for each in kubectl.items("deployments,statefulsets,jobs", OURS)
    }


def test_what_cannot_be_changed_is_changed_as_the_pages_say(
    installed: Installation, repository: Path
) -> None:
    """A job is refused until it is deleted; a larger volume is refused until expand.sh was run, which ends no pod."""
    kubectl, overlay = installed.kubectl, installed.overlay
    (job,) = overlay.of_kind("Job")
    newer = json.loads(json.dumps(job))
    newer["spec"]["template"]["spec"]["containers"][0]["image"] = "signalbox:newer"
    with pytest.raises(Refused, match="field is immutable"):
        kubectl("apply", "-f", "-", given=json.dumps(newer))
    kubectl("delete", "job", "topics", OURS, "--ignore-not-found")
    kubectl("apply", "-f", "-", given=json.dumps(newer))
    larger = json.loads(json.dumps(overlay.workload("rules").document))
    larger["spec"]["volumeClaimTemplates"][0]["spec"]["resources"]["requests"]["storage"] = "300Gi"
    with pytest.raises(Refused, match="updates to statefulset spec"):
        kubectl("apply", "-f", "-", given=json.dumps(larger))
    pods = {each["metadata"]["uid"] for each in installed.pods() if service_of(each) == "rules"}
    path = f"{kubectl.program.parent}:{os.environ['PATH']}"
    command = ["sh", str(repository / "deploy" / "k8s" / "expand.sh"), "rules", "300Gi"]
    subprocess.run(command, env={**kubectl.environment, "PATH": path}, check=True, capture_output=True)
    kubectl("apply", "-f", "-", given=json.dumps(larger))
    kubectl("rollout", "status", "statefulset/rules", OURS, TIMEOUT)
    assert {each["metadata"]["uid"] for each in installed.pods() if service_of(each) == "rules"} == pods
    claims = kubectl.items("persistentvolumeclaims", OURS, "--selector=app.kubernetes.io/name=rules")
    assert {each["spec"]["resources"]["requests"]["storage"] for each in claims} == {"300Gi"}


def test_components_of_no_overlay_are_accepted(
    installed: Installation, repository: Path, tmp_path: Path
) -> None:
    """An overlay of one's own with a way in for players and with traces is taken as it is."""
    overlay = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": NAMESPACE,
        "resources": [os.path.relpath(overlay_of(repository / "deploy", installed.overlay.name), tmp_path)],
        "components": [
            os.path.relpath(repository / "deploy" / "k8s" / "components" / each, tmp_path)
            for each in ("gateway", "traces")
        ],
    }
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay), encoding="utf-8")
    rendered = Rendered.of("own", installed.kubectl("kustomize", str(tmp_path)).stdout)
    added = [each for each in rendered.documents if each["apiVersion"].startswith("gateway.")]
    added += rendered.of_kind("NetworkPolicy", "ConfigMap")
    done = installed.kubectl(*TRIAL, "--force-conflicts", "-f", "-", given=yaml.safe_dump_all(added))
    assert len(done.stdout.splitlines()) == len(added)
    assert done.stderr == ""
