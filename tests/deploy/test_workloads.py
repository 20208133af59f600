"""What must hold for everything that runs pods, in every overlay."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import kubernetes_validate
import pytest

from services.common.settings.accounts import SignInSettings
from tests.common.faust.followers import eventually
from tests.deploy.rendered import SERVICES, WEB, Rendered, Workload, selects

# The oldest and the newest Kubernetes that the manifests are for.
KUBERNETES = ("1.30.0", "1.37.0")
CUSTOM_GROUPS = ("kafka.strimzi.io/", "keda.sh/", "cert-manager.io/")
PINNED = re.compile(r"^[a-z0-9./-]+(:v?\d+\.\d+\.\d+[\w.-]*)?(@sha256:[0-9a-f]{64})?$")
# What hashing one password takes.
PASSWORD_MEBIBYTES = SignInSettings().hash_mebibytes
SECRET_WORD = re.compile(r"password|secret|token|key", re.IGNORECASE)


@pytest.mark.parametrize("version", KUBERNETES)
def test_every_object_is_of_the_schema(overlay: Rendered, version: str) -> None:
    """Every object that is Kubernetes' own has the fields of its schema and no others."""
    faults = []
    for document in overlay.documents:
        if document["apiVersion"].startswith(CUSTOM_GROUPS):
            continue
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as fault:
            faults.append(f"{document['kind']} {document['metadata']['name']}: {fault.message}")
    assert faults == []


def test_all_services_and_the_topics_are_there(overlay: Rendered) -> None:
    """Each overlay runs the four services, the web server and the job that makes the topics, by the commands of the image."""
    started = {
        each.name: each.container["args"]
        for each in overlay.workloads()
        if each.container["image"].startswith("signalbox:") and each.name != "operator"
    }
    assert overlay.workload("operator").replicas == 0
    assert started == {name: ["serve", name] for name in (*SERVICES, WEB)} | {"topics": ["topics", "apply"]}


def test_every_object_is_in_the_namespace(overlay: Rendered) -> None:
    """No resource goes to a default namespace."""
    outside = [
        f"{each['kind']} {each['metadata']['name']}"
        for each in overlay.documents
        if each["kind"] != "Namespace" and each["metadata"].get("namespace") != "signalbox"
    ]
    assert outside == []


def test_every_workload_is_probed(overlay: Rendered) -> None:
    """Whatever serves has startup, readiness and liveness probes; liveness never asks whether it is ready."""
    for workload in overlay.workloads():
        if not workload.serves:
            continue
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            assert probe in workload.container, f"{workload.name} has no {probe}"
        assert "grpc" not in workload.container["livenessProbe"], workload.name


def test_services_are_ready_when_their_health_says_so(overlay: Rendered) -> None:
    """The four services are asked for their own health at a port that they declare."""
    for name in SERVICES:
        container = overlay.workload(name).container
        ports = {port["containerPort"] for port in container["ports"]}
        assert container["readinessProbe"]["grpc"]["port"] in ports, name


def test_every_workload_has_requests_and_limits(overlay: Rendered) -> None:
    """Processor and memory are asked for and bounded, and what is on disk is bounded too."""
    for workload in overlay.workloads():
        for kind in ("requests", "limits"):
            assert set(workload.container["resources"][kind]) == {"cpu", "memory"}, f"{workload.name} {kind}"
        for volume in workload.pod.get("volumes", []):
            if "emptyDir" in volume:
                assert "sizeLimit" in volume["emptyDir"], f"{workload.name} {volume['name']}"


def cores(quantity: str) -> float:
    """Cores of a quantity such as 250m."""
    return float(quantity.removesuffix("m")) / 1000 if quantity.endswith("m") else float(quantity)


def test_a_process_of_one_core_is_not_stopped_for_using_it(overlay: Rendered) -> None:
    """Python uses one core, beside it the clients of Kafka and gRPC, and passwords, use another: a limit of one core would
    stop the process for the rest of each period, one of more than two gives it nothing. Routing has a process per core."""
    for name in SERVICES:
        resources = overlay.workload(name).container["resources"]
        assert cores(resources["limits"]["cpu"]) == 2, name
        assert cores(resources["requests"]["cpu"]) <= 1, name


def test_passwords_fit_into_the_memory(overlay: Rendered) -> None:
    """How many are hashed at once follows from the limit, and not from the cores of the node."""
    lobby = overlay.workload("lobby")
    threads = int(overlay.environment(lobby)["SIGNALBOX_SIGN_IN_HASHING_THREADS"] or 0)
    limit = int(lobby.container["resources"]["limits"]["memory"].removesuffix("Mi"))
    assert threads >= 1 and threads * PASSWORD_MEBIBYTES <= limit / 4


def test_no_workload_has_rights(overlay: Rendered) -> None:
    """No root, no writing to the image, no capability, no way to more rights, system calls filtered."""
    for workload in overlay.workloads():
        pod, container = workload.pod["securityContext"], workload.container["securityContext"]
        assert pod["runAsNonRoot"] is True and pod["runAsUser"] > 0, workload.name
        assert pod["seccompProfile"] == {"type": "RuntimeDefault"}, workload.name
        assert container == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, workload.name
        for field in ("hostNetwork", "hostPID", "hostIPC", "initContainers"):
            assert field not in workload.pod, f"{workload.name} {field}"
        assert all("hostPath" not in volume for volume in workload.pod.get("volumes", [])), workload.name


def test_every_workload_has_an_account_without_token(overlay: Rendered) -> None:
    """Each has a service account of its own, and no pod gets a token to the cluster."""
    accounts = {each["metadata"]["name"]: each for each in overlay.of_kind("ServiceAccount")}
    for workload in overlay.workloads():
        assert workload.pod["serviceAccountName"] == workload.name
        assert accounts[workload.name]["automountServiceAccountToken"] is False
        assert workload.pod["automountServiceAccountToken"] is False


def test_every_workload_survives_the_drain_of_a_node(overlay: Rendered) -> None:
    """One disruption budget selects each workload that serves, and lets a drain go on."""
    for workload in overlay.workloads():
        budgets = [
            each
            for each in overlay.of_kind("PodDisruptionBudget")
            if selects(each["spec"]["selector"], workload.labels)
        ]
        if workload.serves:
            (budget,) = budgets
            assert budget["spec"]["maxUnavailable"] == 1
        else:
            assert budgets == []


def test_every_service_selects_pods_that_have_its_ports(overlay: Rendered) -> None:
    """A service stands for exactly one workload and names ports that this declares."""
    for service in overlay.of_kind("Service"):
        name = service["metadata"]["name"]
        (workload,) = (
            each
            for each in overlay.workloads()
            if selects({"matchLabels": service["spec"]["selector"]}, each.labels)
        )
        ports = {port["name"] for port in workload.container["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports, name


def test_replicas_are_seen_before_they_are_ready(overlay: Rendered) -> None:
    """Callers find pods that are ready; Prometheus finds all of them, under the name that it asks for."""
    services = {each["metadata"]["name"]: each["spec"] for each in overlay.of_kind("Service")}
    for name in SERVICES:
        ready, every = services[name], services[f"{name}-replicas"]
        assert ready["clusterIP"] == every["clusterIP"] == "None"
        assert ready["selector"] == every["selector"]
        assert not ready.get("publishNotReadyAddresses")
        assert every["publishNotReadyAddresses"] is True


def test_workloads_select_their_own_pods(overlay: Rendered) -> None:
    """Selectors hold for the pods' own labels and for no other workload's."""
    for workload in overlay.workloads():
        if workload.kind != "Job":
            selector = workload.document["spec"]["selector"]
            chosen = [each.name for each in overlay.workloads() if selects(selector, each.labels)]
            assert chosen == [workload.name]


def test_images_are_pinned(overlay: Rendered) -> None:
    """Every image has a full version or a digest."""
    for workload in overlay.workloads():
        image = workload.container["image"]
        assert PINNED.match(image) and (":" in image), f"{workload.name}: {image}"


def test_secrets_are_named_and_never_contained(overlay: Rendered) -> None:
    """No object holds a secret, and no variable's value is one: secrets come as files."""
    assert list(overlay.of_kind("Secret")) == []
    for workload in overlay.workloads():
        for variable in workload.container.get("env", []):
            assert "secretKeyRef" not in variable.get("valueFrom", {}), f"{workload.name} {variable['name']}"
        for name, value in overlay.environment(workload).items():
            if SECRET_WORD.search(name):
                assert value is None or value.startswith("/etc/"), f"{workload.name} {name}"


def test_every_secret_is_documented(overlay: Rendered, repository: Path) -> None:
    """Each secret that is mounted stands in the table of the operators' page, with the entries that are used."""
    text = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    for workload in overlay.workloads():
        for volume in workload.pod.get("volumes", []):
            if "secret" in volume:
                name = volume["secret"]["secretName"]
                (row,) = (line for line in rows if f"`{name}`" in line.split("|")[1])
                for item in volume["secret"].get("items", []):
                    assert f"`{item['key']}`" in row, f"{name}: {item['key']}"


def test_mounts_and_volumes_belong_together(overlay: Rendered) -> None:
    """Each mount has its volume, each volume is mounted, and every file named in a variable is under a mount."""
    for workload in overlay.workloads():
        volumes = {volume["name"] for volume in workload.pod.get("volumes", [])}
        volumes |= {
            claim["metadata"]["name"] for claim in workload.document["spec"].get("volumeClaimTemplates", [])
        }
        mounts = workload.container.get("volumeMounts", [])
        assert {mount["name"] for mount in mounts} == volumes, workload.name
        for name, value in overlay.environment(workload).items():
            if value is not None and value.startswith("/"):
                assert any(value.startswith(mount["mountPath"]) for mount in mounts), (
                    f"{workload.name} {name}"
                )


def test_maps_that_are_mounted_exist(overlay: Rendered) -> None:
    """A map is named with the hash of what is in it."""
    maps = {each["metadata"]["name"] for each in overlay.of_kind("ConfigMap")}
    for workload in overlay.workloads():
        for volume in workload.pod.get("volumes", []):
            if "configMap" in volume:
                assert volume["configMap"]["name"] in maps, workload.name


def test_services_end_in_time(overlay: Rendered) -> None:
    """A pod is taken out of the names before it stops, and has longer than that and its grace together."""
    for name in SERVICES:
        workload = overlay.workload(name)
        before = workload.container["lifecycle"]["preStop"]["sleep"]["seconds"]
        assert before >= 5
        assert workload.pod["terminationGracePeriodSeconds"] >= before + 5 + 15, name


def test_services_are_spread(overlay: Rendered) -> None:
    """Pods of one service are spread over nodes and zones."""
    for name in SERVICES:
        workload = overlay.workload(name)
        constraints = workload.pod["topologySpreadConstraints"]
        assert {each["topologyKey"] for each in constraints} == {
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
        }
        assert all(selects(each["labelSelector"], workload.labels) for each in constraints)


def test_owners_share_partitions_evenly(overlay: Rendered) -> None:
    """The replicas of rules divide the partitions."""
    partitions = int(overlay.config_map("signalbox")["SIGNALBOX_KAFKA_PARTITIONS"])
    assert partitions % overlay.workload("rules").replicas == 0


def test_whatever_stores_an_offset_has_a_stable_name(overlay: Rendered) -> None:
    """Services with a copy of the log are stateful sets with a volume, and their instance is the pod's name."""
    for name in SERVICES:
        workload = overlay.workload(name)
        (instance,) = (
            each for each in workload.container["env"] if each["name"] == "SIGNALBOX_KAFKA_INSTANCE"
        )
        assert instance["valueFrom"] == {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}} or (
            instance["valueFrom"] == {"fieldRef": {"fieldPath": "metadata.name"}}
        )
        assert workload.kind == ("Deployment" if name == "routing" else "StatefulSet")


def test_production_can_lose_one_of_everything(production: Rendered) -> None:
    """In production there are two of each service at least."""
    (scaled,) = production.of_kind("ScaledObject")
    least = {name: production.workload(name).replicas for name in SERVICES}
    least["routing"] = scaled["spec"]["minReplicaCount"]
    assert min(least.values()) >= 2, least


def test_a_full_redis_throws_away_only_what_ends_by_itself(overlay: Rendered) -> None:
    """Lists of games have no time to live and are used as long as all of them are there."""
    arguments = overlay.workload("redis").container["args"]
    assert arguments[arguments.index("--maxmemory-policy") + 1] == "volatile-lru"


def test_names_of_workloads_are_their_labels(overlay: Rendered) -> None:
    """The label that policies, services and budgets go by is the workload's name."""
    for workload in overlay.workloads():
        assert _name_of(workload) == workload.name


def _name_of(workload: Workload) -> str:
    return workload.labels["app.kubernetes.io/name"]


def test_a_plain_redis_answers_other_pods(overlays: dict[str, Rendered]) -> None:
    """Where no password is asked for, Redis refuses everybody but its own machine unless its settings say otherwise."""
    arguments = overlays["laptop"].workload("redis").container["args"]
    assert arguments[arguments.index("--protected-mode") + 1] == "no"


def test_the_operators_pod_ends_when_it_is_asked_to(overlay: Rendered) -> None:
    """The first process of a container is not ended by a signal that it does not take: exit 0, not a death after its time."""
    waiting = subprocess.Popen(overlay.workload("operator").container["command"], start_new_session=True)
    try:
        eventually(lambda: takes(waiting.pid, signal.SIGTERM), "the signal is waited for")
        waiting.terminate()
        assert waiting.wait(timeout=10) == 0
    finally:
        # What it started may have outlived it, or not.
        with suppress(ProcessLookupError):
            os.killpg(waiting.pid, signal.SIGKILL)


def takes(pid: int, number: signal.Signals) -> bool:
    """Whether this process has a say in what this signal does."""
    (mask,) = re.findall(r"SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return bool(int(mask, 16) >> (number - 1) & 1)
