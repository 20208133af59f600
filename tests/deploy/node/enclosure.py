"""A network, mounts and processes of a run's own: whatever a node of Kubernetes does to its machine is done in here, and
the kernel takes it back when the run ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

DEAD_SECONDS = 30.0
LOOK_EVERY_SECONDS = 0.1
GROUPS = Path("/sys/fs/cgroup")
CGROUP = "signalbox-node"
VARIABLE = "NODE_ENCLOSED"
BRIDGE = "pods"
NODE_ADDRESS = "10.88.0.1"
PODS = "10.88.0.0/16"
WRITTEN_TO = ("/etc", "/usr/libexec", "/var/lib", "/var/log")
"""What programs of a node write to by names that no option changes, beside /run."""
# What a kubelet wants of the kernel, which the whole machine has in common: it finds these values and sets nothing.
WANTED_OF_KERNEL = {
    "kernel/keys/root_maxbytes": "25000000",
    "kernel/keys/root_maxkeys": "1000000",
    "kernel/panic": "10",
    "kernel/panic_on_oops": "1",
    "vm/overcommit_memory": "1",
    "vm/panic_on_oom": "0",
}
# The first process takes in those whose parents are gone, which a shell does and Python does not.
ENTRANCE = (
    "unshare",
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "--propagation=private",
)


def is_enclosed() -> bool:
    """Whether this process has been started again by `enclose`."""
    return VARIABLE in os.environ


def enclose(module: str, arguments: Sequence[str]) -> int:
    """Run this module again, enclosed, and return its exit code once everything in it is gone. Needs root."""
    command = [*ENTRANCE, "sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-m", module, *arguments]
    try:
        return subprocess.run(command, env={**os.environ, VARIABLE: "yes"}, check=False).returncode
    finally:
        for group in filter(Path.exists, control_groups()):
            folders = [each for each in group.rglob("*") if each.is_dir()]
            for each in (*sorted(folders, reverse=True), group):
                _remove(each)


def _remove(group: Path) -> None:
    """As soon as the last process in it is dead."""
    end = time.monotonic() + DEAD_SECONDS
    while True:
        try:
            return group.rmdir()
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(LOOK_EVERY_SECONDS)


def control_groups() -> list[Path]:
    """Under which the pods' groups are: one where there is one hierarchy, else one in each. They outlive an enclosure."""
    roots = [GROUPS] if is_hierarchy(GROUPS) else [each for each in GROUPS.iterdir() if is_hierarchy(each)]
    return [each / CGROUP for each in roots]


def is_hierarchy(folder: Path) -> bool:
    """Whether control groups begin here."""
    return (folder / "cgroup.procs").exists()


def furnish(scratch: Path) -> None:
    """Lay mounts over what a node writes to, and make the bridge that its pods are on; only once `is_enclosed`."""
    assert is_enclosed()
    for place in WRITTEN_TO:
        own = scratch / "over" / place.strip("/").replace("/", "-")
        for name in ("upper", "work"):
            (own / name).mkdir(parents=True)
        layers = f"lowerdir={place},upperdir={own / 'upper'},workdir={own / 'work'}"
        run("mount", "-t", "overlay", "-o", layers, "overlay", place)
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    for name, value in WANTED_OF_KERNEL.items():
        file = scratch / "kernel" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n", encoding="ascii")
        run("mount", "--bind", str(file), f"/proc/sys/{name}")
    # Volumes that a kubelet mounts have to be seen in the containers that are there already.
    run("mount", "--make-rshared", "/")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    run("ip", "address", "add", f"{NODE_ADDRESS}/16", "dev", BRIDGE)
    run("ip", "link", "set", BRIDGE, "up")
    for name in ("ipv4/ip_forward", "bridge/bridge-nf-call-iptables"):
        Path("/proc/sys/net", name).write_text("1", encoding="ascii")


def run(*command: str) -> None:
    """Run a program that must succeed."""
    subprocess.run(command, check=True)
