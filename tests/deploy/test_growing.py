"""Volumes that get more room while their pods run."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.rendered import Rendered

KUBECTL = """#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in
    *"get pvc -l app.kubernetes.io/name=rules -o name"*)
        echo persistentvolumeclaim/data-rules-0 persistentvolumeclaim/data-rules-1 ;;
    *"get persistentvolumeclaim/"*) echo "$CLASS" ;;
    *"get storageclass growing "*) echo true ;;
esac
"""


class Cluster:
    """A stand-in for kubectl that notes what it is asked for; `growing` is the class that lets volumes grow."""

    def __init__(self, folder: Path, script: Path) -> None:
        self._script, self._calls = script, folder / "calls"
        self._folder = folder
        program = folder / "kubectl"
        program.write_text(KUBECTL)
        program.chmod(0o755)
        self._calls.touch()

    def expand(self, storage_class: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        environment = {
            "PATH": f"{self._folder}:/usr/bin:/bin",
            "CALLS": str(self._calls),
            "CLASS": storage_class,
        }
        command = ["sh", str(self._script), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    @property
    def changes(self) -> list[str]:
        """What was changed, in order."""
        return [call for call in self._calls.read_text().splitlines() if " get " not in f" {call} "]


@pytest.fixture
def cluster(tmp_path: Path, repository: Path) -> Cluster:
    """Two volumes of rules."""
    return Cluster(tmp_path, repository / "deploy" / "k8s" / "expand.sh")


def test_every_volume_grows_and_no_pod_ends(cluster: Cluster) -> None:
    """All claims get the size, then the set, whose template cannot be changed, goes without its pods."""
    done = cluster.expand("growing", "rules", "200Gi")
    assert done.returncode == 0, done.stderr
    size = '--patch {"spec":{"resources":{"requests":{"storage":"200Gi"}}}}'
    claim = "-n signalbox patch persistentvolumeclaim/data-rules-"
    assert cluster.changes == [
        *(f"{claim}{number} --type merge {size}" for number in (0, 1)),
        "-n signalbox delete statefulset rules --cascade=orphan",
    ]


def test_nothing_is_touched_where_volumes_cannot_grow(cluster: Cluster) -> None:
    """The class is named; and a service without claims, or in another namespace, is none of the script's business."""
    refused = cluster.expand("fixed", "rules", "200Gi")
    assert refused.returncode == 1 and "fixed does not let volumes grow" in refused.stderr
    none = cluster.expand("growing", "routing", "200Gi", "elsewhere")
    assert none.returncode == 1 and "no claims of routing in the namespace elsewhere" in none.stderr
    assert cluster.changes == []


def claims(workload: Any) -> list[Any]:
    """The volumes that a workload asks for."""
    return list(workload.document["spec"].get("volumeClaimTemplates", []))


def test_the_script_finds_the_claims_of_every_set(overlay: Rendered) -> None:
    """Kubernetes gives a claim the labels by which its set selects pods; the script asks for that of the name. The broker of the
    laptop is one of them."""
    names = {each["metadata"]["name"] for each in overlay.of_kind("StatefulSet")}
    assert {"rules", "ledger", "lobby"} <= names
    for each in overlay.of_kind("StatefulSet"):
        if each["spec"].get("volumeClaimTemplates"):
            labels = each["spec"]["selector"]["matchLabels"]
            assert labels == {"app.kubernetes.io/name": each["metadata"]["name"]}


def test_volumes_are_as_large_as_the_page_says(production: Rendered, repository: Path) -> None:
    """The sizes of production stand in the table of the operators' page."""
    text = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    sizes = {
        name: claims(production.workload(name))[0]["spec"]["resources"]["requests"]["storage"]
        for name in ("rules", "ledger", "lobby")
    }
    (pool,) = (each for each in production.of_kind("KafkaNodePool") if each["metadata"]["name"] == "brokers")
    sizes["broker"] = pool["spec"]["storage"]["volumes"][0]["size"]
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| volume of ")]
    said = {row[1].split()[-1]: row[-2].strip() for row in rows}
    assert said == sizes


def test_prometheus_ends_before_its_volume_does(overlay: Rendered) -> None:
    """Figures are thrown away by size, well below the size of the volume."""
    workload = overlay.workload("prometheus")
    (most,) = (each.partition("=")[2] for each in workload.container["args"] if "retention.size" in each)
    (claim,) = claims(workload)
    assert int(most.removesuffix("GB")) <= 0.8 * int(
        claim["spec"]["resources"]["requests"]["storage"].removesuffix("Gi")
    )
