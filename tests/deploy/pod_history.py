"""What happened to the pods of a namespace, one event after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "app.kubernetes.io/name"


@dataclass(frozen=True, slots=True)
class PodEvent:
    """A pod as it was after something happened to it."""

    kind: str
    pod: Any

    @property
    def name(self) -> str:
        """Of the pod."""
        return str(self.pod["metadata"]["name"])

    @property
    def service(self) -> str:
        """What the pod belongs to."""
        return service_of(self.pod)

    @property
    def image(self) -> str:
        """Of its only container."""
        return str(self.pod["spec"]["containers"][0]["image"])

    @property
    def serves(self) -> bool:
        """Whether the pod was ready and not about to go."""
        return self.kind != "DELETED" and is_ready(self.pod)


def service_of(pod: Any) -> str:
    """The name that policies, budgets and services know a pod by."""
    return str(pod["metadata"]["labels"].get(NAME, ""))


def is_ready(pod: Any) -> bool:
    """Whether it is ready and not about to go."""
    conditions = pod["status"].get("conditions", [])
    ready = any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)
    return ready and "deletionTimestamp" not in pod["metadata"]


def events_of(log: Path) -> Iterator[PodEvent]:
    """The events that `kubectl get pods --watch --output-watch-events -o json` wrote, without one that it is still writing."""
    text, decoder = log.read_text(encoding="utf-8").lstrip(), json.JSONDecoder()
    while text:
        try:
            found, end = decoder.raw_decode(text)
        except json.JSONDecodeError:
            return
        yield PodEvent(found["type"], found["object"])
        text = text[end:].lstrip()


def fewest_serving(events: list[PodEvent], wanted: dict[str, int]) -> dict[str, int]:
    """How many pods of each of these services served when they were fewest, once there were as many as wanted."""
    serving: dict[str, set[str]] = {service: set() for service in wanted}
    fewest: dict[str, int] = {}
    for event in events:
        if event.service not in wanted:
            continue
        now = serving[event.service]
        now.add(event.name) if event.serves else now.discard(event.name)
        if event.service in fewest or len(now) == wanted[event.service]:
            fewest[event.service] = min(len(now), fewest.get(event.service, len(now)))
    return fewest


def span_of(events: list[PodEvent], service: str, image: str) -> tuple[int, int]:
    """Places in the list: where a service's first pod with an image was made, and where its last such pod became ready."""
    made = [number for number, each in enumerate(events) if each.service == service and each.image == image]
    ready: dict[str, int] = {}
    for number in made:
        if events[number].serves:
            ready.setdefault(events[number].name, number)
    return made[0], max(ready.values())
