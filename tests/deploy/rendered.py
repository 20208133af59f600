"""An overlay as it renders, and what its objects are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

OVERLAYS = ("laptop", "production")
WORKLOAD_KINDS = ("Deployment", "StatefulSet", "Job")
SERVICES = ("lobby", "rules", "routing", "ledger")
# What speaks gRPC to the others and HTTP to browsers.
WEB = "web"
# The port of the Alertmanager.
ALERTS_PORT = 9093
Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Workload:
    """Something that runs pods: one container each."""

    kind: str
    name: str
    document: Any

    @property
    def serves(self) -> bool:
        """Whether anybody waits for it: neither a job nor the pod for an operator's commands."""
        return self.kind != "Job" and self.name != "operator"

    @property
    def pod(self) -> Any:
        """Specification of its pods."""
        return self.document["spec"]["template"]["spec"]

    @property
    def labels(self) -> Labels:
        """Labels of its pods."""
        labels: Labels = self.document["spec"]["template"]["metadata"]["labels"]
        return labels

    @property
    def container(self) -> Any:
        """The only container of its pods."""
        (container,) = self.pod["containers"]
        return container

    @property
    def replicas(self) -> int:
        """Pods it wants."""
        return int(self.document["spec"].get("replicas", 1))


@dataclass(frozen=True, slots=True)
class Rendered:
    """All objects of an overlay."""

    name: str
    documents: tuple[Any, ...]

    @classmethod
    def of(cls, name: str, text: str) -> Rendered:
        """Read what was rendered."""
        return cls(name, tuple(yaml.safe_load_all(text)))

    def of_kind(self, *kinds: str) -> Iterator[Any]:
        """The objects of these kinds."""
        return (document for document in self.documents if document["kind"] in kinds)

    def workloads(self) -> list[Workload]:
        """Everything that runs pods."""
        return [
            Workload(each["kind"], each["metadata"]["name"], each) for each in self.of_kind(*WORKLOAD_KINDS)
        ]

    def workload(self, name: str) -> Workload:
        """The workload of this name."""
        (found,) = (each for each in self.workloads() if each.name == name)
        return found

    def config_map(self, name: str) -> Mapping[str, str]:
        """The data of a map made by kustomize, which puts a hash behind the name."""
        (found,) = (
            each["data"]
            for each in self.of_kind("ConfigMap")
            if each["metadata"]["name"].rpartition("-")[0] == name
        )
        data: Mapping[str, str] = found
        return data

    def environment(self, workload: Workload) -> dict[str, str | None]:
        """The variables a container gets; None where the value is known only when it runs."""
        found: dict[str, str | None] = {}
        for source in workload.container.get("envFrom", []):
            found |= self.config_map(source["configMapRef"]["name"].rpartition("-")[0])
        for variable in workload.container.get("env", []):
            found[variable["name"]] = variable.get("value")
        return found


def selects(selector: Any, labels: Labels) -> bool:
    """Whether a label selector holds for these labels; the empty one holds for all."""
    wanted = selector.get("matchLabels", {})
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    for expression in selector.get("matchExpressions", []):
        assert expression["operator"] == "In", expression
        if labels.get(expression["key"]) not in expression["values"]:
            return False
    return True
