"""One real node of Kubernetes: containerd, kubelet, kube-proxy and CoreDNS, beside a control plane."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from services.host.children import Child, answers
from tests.deploy.control_plane import ControlPlane
from tests.deploy.node import configuration
from tests.deploy.node.configuration import Folders
from tests.deploy.node.enclosure import NODE_ADDRESS, control_groups

NODE = "node-a"
KUBELET, PROXY = f"system:node:{NODE}", "system:kube-proxy"
USERS = {KUBELET: "system:nodes", PROXY: ""}
START_SECONDS = 60.0
COMMAND_SECONDS = 900.0
IMPORT_SECONDS = 300.0
VOLUMES = 8
NAMES_PORT = 53
# By default all pods together would get as much of a busy machine as one process beside them.
SHARES = {"cpu.shares": "4096", "cpu.weight": "400"}


class Node:
    """The node and the control plane that it belongs to; in an enclosure."""

    def __init__(self, place: Path, scratch: Path) -> None:
        """Starts nothing. `place`: what was built; everything that is written goes to `scratch`."""
        self._place, self._scratch = place, scratch
        self._folders = Folders(scratch)
        self._unpacked = place / "unpacked"
        self._unpacked.mkdir(exist_ok=True)
        for each in ("containerd", "network", "volumes", "pod-logs", "plane", "volume-plugins"):
            (scratch / each).mkdir()
        self.plane = ControlPlane(place, scratch / "plane", USERS)
        self.kubectl = replace(self.plane.kubectl, seconds=COMMAND_SECONDS)

    def start(self, running: ExitStack) -> None:
        """Start it with images and volumes; `running` ends it. Raises `ChildFailed`."""
        self.plane.start_servers(running)
        runtime = self._containerd()
        self._run(running, runtime, self._folders.socket.exists)
        self._bring_images()
        self._run(running, self._names(), partial(answers, NAMES_PORT, NODE_ADDRESS))
        self._run(running, self._kubelet())
        self._run(running, self._proxy())
        self.kubectl("apply", "-f", "-", given=yaml.safe_dump_all(self._volumes()))
        self.kubectl("wait", "--for=create", f"node/{NODE}")
        self.kubectl("wait", "--for=condition=Ready", f"node/{NODE}")

    def images(self, *arguments: str) -> str:
        """What containerd answers to this about its images, as the kubelet sees them."""
        command = ["ctr", f"--address={self._folders.socket}", "--namespace=k8s.io", "images", *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=IMPORT_SECONDS)
        return done.stdout

    def _bring_images(self) -> None:
        """Those that are not here already, as the files with them were made."""
        for image in sorted((self._place / "images").glob("*.tar")):
            brought = self._unpacked / f"{image.name}.{image.stat().st_mtime_ns}"
            if not brought.exists():
                self.images("import", str(image))
                brought.touch()

    def _run(self, running: ExitStack, child: Child, is_ready: Callable[[], bool] | None = None) -> None:
        running.callback(child.stop)
        child.start()
        if is_ready is not None:
            child.wait_until(is_ready, START_SECONDS)

    def _file(self, name: str, content: str) -> Path:
        path = self._scratch / name
        path.write_text(content, encoding="utf-8")
        return path

    def _containerd(self) -> Child:
        settings = self._file("containerd.toml", configuration.containerd(self._folders, self._unpacked))
        self._file("network/pods.conflist", configuration.network(self._folders))
        return Child(
            "containerd", ["containerd", "--config", str(settings)], self._scratch / "containerd.log"
        )

    def _names(self) -> Child:
        settings = self._file("Corefile", configuration.names(self.plane.access("admin")))
        return self.plane.child("coredns", f"-conf={settings}")

    def _kubelet(self) -> Child:
        empty = self._file("resolv.conf", "")
        wanted = configuration.kubelet(self._folders, self.plane.certificates.authority, empty)
        settings = self._file("kubelet.yaml", yaml.safe_dump(wanted))
        for group in control_groups():
            group.mkdir(exist_ok=True)
            for name, share in SHARES.items():
                if (group / name).exists():
                    (group / name).write_text(share, encoding="ascii")
        return self.plane.child(
            "kubelet",
            f"--config={settings}",
            f"--kubeconfig={self.plane.access(KUBELET)}",
            f"--hostname-override={NODE}",
            f"--node-ip={NODE_ADDRESS}",
            f"--root-dir={self._scratch / 'kubelet'}",
            f"--cert-dir={self._scratch / 'kubelet-certificates'}",
        )

    def _proxy(self) -> Child:
        wanted = configuration.proxy(self.plane.access(PROXY))
        settings = self._file("kube-proxy.yaml", yaml.safe_dump(wanted))
        return self.plane.child("kube-proxy", f"--config={settings}", f"--hostname-override={NODE}")

    def _volumes(self) -> list[Any]:
        """Folders of this node as volumes, which give a pod's group its rights as a provider's disks do."""
        storage_class = {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {
                "name": "folders",
                "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
            },
            "provisioner": "kubernetes.io/no-provisioner",
            "volumeBindingMode": "WaitForFirstConsumer",
        }
        return [storage_class, *(self._volume(number) for number in range(VOLUMES))]

    def _volume(self, number: int) -> Any:
        path = self._folders.volumes / str(number)
        path.mkdir()
        here = {"key": "kubernetes.io/hostname", "operator": "In", "values": [NODE]}
        return {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"volume-{number}"},
            "spec": {
                "storageClassName": "folders",
                "capacity": {"storage": "100Gi"},
                "accessModes": ["ReadWriteOnce"],
                "local": {"path": str(path)},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}},
            },
        }
