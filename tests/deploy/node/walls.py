"""What a real kubelet makes of the promises of `components/hardening`, asked in the running containers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.deploy.control_plane import Kubectl, Refused
from tests.deploy.node.overlay import OURS

# Of the first process of a container: no rights, no way to more, system calls filtered.
WANTED = {"CapEff": "0000000000000000", "CapBnd": "0000000000000000", "NoNewPrivs": "1", "Seccomp": "2"}
FORBIDDEN = "/written"


def breaches(kubectl: Kubectl, pod: Any) -> Iterator[str]:
    """What a pod may that it should not, in words."""
    name = pod["metadata"]["name"]
    inside = ("exec", name, OURS, "--")
    lines = kubectl(*inside, "cat", "/proc/1/status").stdout.splitlines()
    status = {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
    for key, wanted in WANTED.items():
        if status[key] != wanted:
            yield f"{name}: {key} is {status[key]}"
    if status["Uid"].split()[0] == "0":
        yield f"{name}: is root"
    try:
        kubectl(*inside, "touch", FORBIDDEN)
    except Refused as refused:
        if "Read-only file system" not in str(refused):
            yield f"{name}: {refused}"
    else:
        yield f"{name}: writes {FORBIDDEN}"
