"""An overlay of one's own: the components go together in other ways than in ours."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from services.cli.main import app
from services.common.settings.service import load_settings
from services.common.telemetry.tracing import configure_tracing
from tests.deploy.rendered import SERVICES, Rendered
from tests.deploy.settings_names import variables
from tests.deploy.test_policies import reached

CHOSEN = (
    "kafka-plain", "redis-plain", "redis-secured", "grpc-tls", "traces", "prometheus", "backup", "images", "hardening",
)  # fmt: skip


@pytest.fixture(scope="module")
def own(repository: Path, kustomize: list[str], tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    """A plain Kafka, TLS for all else, traces, and a setting that differs."""
    return rendered_with(CHOSEN, repository, kustomize, tmp_path_factory.mktemp("overlay"))


def rendered_with(chosen: Sequence[str], repository: Path, kustomize: list[str], folder: Path) -> Rendered:
    """An overlay of these components."""
    manifests = Path(os.path.relpath(repository / "deploy" / "k8s", folder))
    overlay: dict[str, Any] = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": "elsewhere",
        "resources": [str(manifests / "base")],
        "components": [str(manifests / "components" / each) for each in chosen],
        "configMapGenerator": [
            {"name": "signalbox", "behavior": "merge", "literals": ["SIGNALBOX_LOG_LEVEL=debug"]}
        ],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(overlay), encoding="utf-8")
    done = subprocess.run([*kustomize, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Rendered.of("own", done.stdout)


def test_settings_of_all_components_meet(own: Rendered) -> None:
    """Every service gets what each component and the overlay itself say, and nothing that the code does not read."""
    for name in SERVICES:
        given = own.environment(own.workload(name))
        assert set(given) <= variables(), name
        assert given["SIGNALBOX_LOG_LEVEL"] == "debug"
        assert given["SIGNALBOX_TLS_KEY_FILE"] == "/etc/signalbox/tls/tls.key"
        assert ("SIGNALBOX_REDIS_TLS" in given) is (name != "ledger")


def test_replicas_of_rules_share_the_log(repository: Path, kustomize: list[str], tmp_path: Path) -> None:
    """Each has an address of its own, which its certificate names, a token, and a way to the others."""
    overlay = rendered_with(("kafka-plain", "redis-plain", "rules-copies"), repository, kustomize, tmp_path)
    rules = overlay.workload("rules")
    given = overlay.environment(rules)
    names = [each["name"] for each in rules.container["env"]]
    address = str(given["SIGNALBOX_RULES_PEER_ADDRESS"])
    put_in = re.findall(r"\$\((\w+)\)", address)
    assert all(names.index(each) < names.index("SIGNALBOX_RULES_PEER_ADDRESS") for each in put_in)
    for name, value in zip(put_in, ("rules-0", "elsewhere"), strict=True):
        address = address.replace(f"$({name})", value)
    assert address == "rules-0.rules.elsewhere.svc:8402"
    read = {
        "SIGNALBOX_RULES_COPIES": str(given["SIGNALBOX_RULES_COPIES"]),
        "SIGNALBOX_RULES_PEER_ADDRESS": address,
    }
    assert load_settings(read).rules_copies == 2
    assert set(given) - variables() == set(put_in)
    (mount,) = (each for each in rules.container["volumeMounts"] if each["name"] == "rules-token")
    assert given["SIGNALBOX_SERVICE_TOKEN_FILE"] == f"{mount['mountPath']}/token"
    for direction in ("Ingress", "Egress"):
        assert ("rules", 8402) in reached(overlay, "rules", direction)


def test_rules_and_the_operator_reach_a_bucket(
    repository: Path, kustomize: list[str], tmp_path: Path
) -> None:
    """They alone know where finished games and snapshots of partitions go, have the credentials, and may leave the cluster."""
    chosen = ("operator-shell", "kafka-plain", "redis-plain", "object-store", "images", "hardening")
    overlay = rendered_with(chosen, repository, kustomize, tmp_path)
    places = {"SIGNALBOX_ARCHIVE", "SIGNALBOX_PARTITION_SNAPSHOTS"}
    for name in ("rules", "operator"):
        workload = overlay.workload(name)
        given = overlay.environment(workload)
        read = load_settings({each: str(value) for each, value in given.items() if each in places})
        assert read.archive.startswith("s3:")
        assert read.partition_snapshots.startswith("s3:")
        assert read.archive != read.partition_snapshots
        assert {each for each in given if each.startswith("SIGNALBOX_")} <= variables()
        (mount,) = (each for each in workload.container["volumeMounts"] if each["name"] == "object-store")
        assert given["AWS_SHARED_CREDENTIALS_FILE"] == f"{mount['mountPath']}/credentials"
        assert "AWS_REGION" in given
    for other in set(SERVICES) - {"rules"}:
        assert not {*places, "AWS_REGION"} & set(overlay.environment(overlay.workload(other)))
    out = [
        each
        for each in overlay.of_kind("NetworkPolicy")
        if {"ports": [{"port": 443}]} in each["spec"].get("egress", [])
    ]
    names = {each["spec"]["podSelector"]["matchLabels"]["app.kubernetes.io/name"] for each in out}
    assert names == {"rules", "operator"}


def test_traces_are_taken_and_let_out(own: Rendered) -> None:
    """The services accept the settings of traces, and only they reach the collector."""
    given = own.config_map("signalbox")
    configure_tracing("test", given)()
    (policy,) = (each for each in own.of_kind("NetworkPolicy") if each["metadata"]["name"] == "traces")
    (chosen,) = policy["spec"]["podSelector"]["matchExpressions"]
    assert set(chosen["values"]) == set(SERVICES)
    (port,) = policy["spec"]["egress"][0]["ports"]
    assert given["OTEL_EXPORTER_OTLP_ENDPOINT"].endswith(f":{port['port']}")


def test_the_backup_reaches_what_it_needs(own: Rendered) -> None:
    """Kafka and a bucket; Prometheus reaches it; it is one process, and its command is one that there is."""
    backup = own.workload("backup")
    assert (backup.replicas, backup.document["spec"]["strategy"]["type"]) == (1, "Recreate")
    assert reached(own, "backup", "Egress") == {("kafka", 9092)}
    assert ("backup", 9092) in {(name, port) for name, port in reached(own, "kafka", "Ingress")}
    assert reached(own, "backup", "Ingress") == {("prometheus", 8409)}
    assert ("backup", 8409) in reached(own, "prometheus", "Egress")
    given = own.environment(backup)
    assert {name for name in given if name.startswith("SIGNALBOX_")} <= variables()
    assert {"BACKUP_STORE", "AWS_REGION", "AWS_SHARED_CREDENTIALS_FILE"} <= set(given)
    command, *options = backup.container["args"]
    offered = CliRunner().invoke(app, [command, "--help"]).stdout
    assert all(name in offered for name in options[::2]), offered


def test_hardening_reaches_everything(own: Rendered) -> None:
    """Whatever an overlay puts together, the component named last holds for all of it."""
    assert len(own.workloads()) == 10
    for workload in own.workloads():
        assert workload.container["securityContext"]["readOnlyRootFilesystem"] is True, workload.name
        assert workload.pod["automountServiceAccountToken"] is False


def test_the_namespace_is_the_overlays(repository: Path, kustomize: list[str], tmp_path: Path) -> None:
    """Production in another namespace: no address and no certificate names the one of before."""
    folder = repository / "deploy" / "k8s" / "overlays" / "production"
    overlay = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    overlay["namespace"] = "elsewhere"
    overlay["resources"].remove("namespace.yaml")
    for field in ("resources", "components"):
        overlay[field] = [os.path.relpath(folder / each, tmp_path) for each in overlay[field]]
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay), encoding="utf-8")
    done = subprocess.run([*kustomize, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rendered = Rendered.of("elsewhere", done.stdout)
    assert "NAMESPACE" not in done.stdout
    assert not re.search(r"\.signalbox\b(?!/)", done.stdout)
    (scaled,) = rendered.of_kind("ScaledObject")
    addresses = {each["metadata"]["serverAddress"] for each in scaled["spec"]["triggers"]}
    assert addresses == {"http://prometheus.elsewhere.svc:9090"}
    names = {
        each["metadata"]["name"]: each["spec"].get("dnsNames") for each in rendered.of_kind("Certificate")
    }
    of_rules = ["rules", "rules.elsewhere", "rules.elsewhere.svc"]
    assert names["rules"] == [*of_rules, "*.rules.elsewhere.svc"]
