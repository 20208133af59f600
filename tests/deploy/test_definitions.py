"""The definitions that manifests are tried against on a real API server are of the oldest releases that we promise to serve."""

from __future__ import annotations

import re
from pathlib import Path


def promised(repository: Path, component: str, name: str) -> str:
    """The oldest release, as major and minor number, that a component says it needs."""
    page = repository / "deploy" / "k8s" / "components" / component / "kustomization.yaml"
    (found,) = re.findall(rf"{name} (\d+\.\d+) or newer", page.read_text(encoding="utf-8"))
    return str(found)


def test_gateways_are_as_old_as_promised(repository: Path) -> None:
    """A field or a kind that came later would be refused: BackendTLSPolicy, for one, has its v1 since 1.4."""
    pinned = (repository / "scripts" / "kubernetes" / "definitions.txt").read_text(encoding="utf-8")
    versions = set(re.findall(r"^sigs\.k8s\.io/gateway-api v(\d+\.\d+)\.", pinned, re.MULTILINE))
    assert versions == {promised(repository, "gateway", "Gateway API")}


def test_strimzi_is_as_old_as_promised(repository: Path) -> None:
    """The classes from which its definitions are made."""
    pom = (repository / "scripts" / "kubernetes" / "strimzi" / "pom.xml").read_text(encoding="utf-8")
    (version,) = re.findall(r"<strimzi.version>(\d+\.\d+)\.", pom)
    assert version == promised(repository, "kafka-strimzi", "Strimzi")
