"""A real control plane of Kubernetes: etcd, API server, controllers, scheduler, and nodes on which kwok plays pods.

`make kubernetes` builds the programs. What is played and what is real: deploy/k8s/README.md."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import yaml

from devtools.brokers.certificates import Certificates, make_certificates
from services.host.children import Child, answers, free_ports
from services.host.sites import LOOPBACK

PLACE_VARIABLE = "SIGNALBOX_KUBERNETES"
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok")
# The user of each part of the control plane, as Kubernetes' own roles expect them, and its groups.
USERS = {
    "admin": "system:masters",
    "system:kube-controller-manager": "",
    "system:kube-scheduler": "",
}
NOBODY: Mapping[str, str] = {}
START_SECONDS = 120.0
COMMAND_SECONDS = 320.0
ZONES = ("a", "b", "c")
VOLUMES = 40
"""More than all claims of all tests together: a volume serves once."""


def programs_folder() -> Path | None:
    """The folder that `make kubernetes` filled; None where it did not, or not to the end."""
    named = os.environ.get(PLACE_VARIABLE)
    place = Path(named) if named else Path.home() / ".cache" / "signalbox" / "kubernetes"
    needed = [place / "bin" / name for name in PROGRAMS] + [place / "stages.yaml", place / "definitions"]
    return place if all(each.exists() for each in needed) else None


class Refused(Exception):
    """The cluster refuses what it was asked for; the message is what kubectl said."""


@dataclass(frozen=True, slots=True)
class Kubectl:
    """The operators' program, as administrator of the cluster."""

    program: Path
    environment: Mapping[str, str]
    seconds: float = COMMAND_SECONDS
    """For a command, at most."""

    def __call__(self, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run it; `given` is what it reads as `-f -`. Raises `Refused` with what it said."""
        done = subprocess.run(
            [str(self.program), *arguments],
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=self.seconds,
            check=False,
        )
        if done.returncode != 0:
            raise Refused(f"kubectl {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done

    def read(self, *arguments: str) -> Any:
        """What `get` finds."""
        return json.loads(self("get", *arguments, "-o", "json").stdout)

    def items(self, *arguments: str) -> list[Any]:
        """The objects that `get` finds."""
        found: list[Any] = self.read(*arguments)["items"]
        return found


class ControlPlane:
    """Everything but a kubelet, on free ports of the loopback address; all dies with this process."""

    def __init__(self, place: Path, folder: Path, others: Mapping[str, str] = NOBODY) -> None:
        """Starts nothing. Data, keys and logs go to `folder`. `others`: users beside `USERS`, with their groups."""
        self._place, self._folder = place, folder
        self.certificates: Certificates = make_certificates(folder / "certificates")
        self._store, self._peers, self._port = free_ports(3)
        tokens = folder / "tokens.csv"
        tokens.write_text(
            "".join(
                f'{_token(user)},{user},{user},"{groups}"\n' for user, groups in {**USERS, **others}.items()
            )
        )
        self.kubectl = Kubectl(
            place / "bin" / "kubectl",
            {
                "PATH": os.environ["PATH"],
                "HOME": str(folder),
                "KUBECONFIG": str(self.access("admin")),
            },
        )
        self.kwok = self.child("kwok", f"--kubeconfig={self.access('admin')}", *self._kwok())

    def start(self, running: ExitStack) -> None:
        """Start it with its nodes, volumes and definitions; `running` ends it. Raises `ChildFailed`."""
        self.start_servers(running)
        running.callback(self.kwok.stop)
        self.kwok.start()
        definitions = str(self._place / "definitions")
        self.kubectl("apply", "--server-side", "-f", definitions)
        self.kubectl("apply", "-f", "-", given=yaml.safe_dump_all([*_nodes(), *_volumes()]))
        self.kubectl("wait", "--for=condition=Established", "-f", definitions)
        self.kubectl("wait", "--for=condition=Ready", "nodes", "--all")

    def start_servers(self, running: ExitStack) -> None:
        """Start what knows no node yet; `running` ends it. Raises `ChildFailed`."""
        store = self.child("etcd", *self._etcd())
        server = self.child("kube-apiserver", *self._api_server())
        for child, is_ready in ((store, lambda: answers(self._store)), (server, self._is_ready)):
            running.callback(child.stop)
            child.start()
            child.wait_until(is_ready, START_SECONDS)
        others = (
            self.child("kube-controller-manager", *self._controllers()),
            self.child("kube-scheduler", *self._scheduler()),
        )
        for child in others:
            running.callback(child.stop)
            child.start()

    def child(self, program: str, *arguments: str) -> Child:
        """A program of those that were built, with its log in the folder; not started."""
        command = [str(self._place / "bin" / program), *arguments]
        return Child(program, command, self._folder / f"{program}.log")

    def _is_ready(self) -> bool:
        trusted = ssl.create_default_context(cafile=str(self.certificates.authority))
        request = Request(f"{self._address}/readyz", headers={"Authorization": f"Bearer {_token('admin')}"})
        try:
            with urlopen(request, timeout=5, context=trusted) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    @property
    def _address(self) -> str:
        return f"https://{LOOPBACK}:{self._port}"

    def access(self, user: str) -> Path:
        """The file with which this user reaches the API server."""
        path = self._folder / f"{user.rpartition(':')[2]}.kubeconfig"
        cluster = {"server": self._address, "certificate-authority": str(self.certificates.authority)}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": user, "user": {"token": _token(user)}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": user}}],
            "current-context": "test",
        }
        path.write_text(yaml.safe_dump(content))
        return path

    def _etcd(self) -> Sequence[str]:
        own, peers = f"http://{LOOPBACK}:{self._store}", f"http://{LOOPBACK}:{self._peers}"
        return (
            f"--data-dir={self._folder / 'etcd'}",
            f"--listen-client-urls={own}",
            f"--advertise-client-urls={own}",
            f"--listen-peer-urls={peers}",
            f"--initial-advertise-peer-urls={peers}",
            f"--initial-cluster=default={peers}",
            "--unsafe-no-fsync",
            "--log-level=warn",
        )

    def _api_server(self) -> Sequence[str]:
        server, client = self.certificates.server, self.certificates.client
        return (
            f"--etcd-servers=http://{LOOPBACK}:{self._store}",
            f"--bind-address={LOOPBACK}",
            # Of no machine: nobody here calls the Service `kubernetes`, whose endpoints may not be of the loopback.
            "--advertise-address=192.0.2.1",
            "--endpoint-reconciler-type=none",
            f"--secure-port={self._port}",
            f"--tls-cert-file={server.certificate}",
            f"--tls-private-key-file={server.key}",
            f"--token-auth-file={self._folder / 'tokens.csv'}",
            f"--kubelet-client-certificate={client.certificate}",
            f"--kubelet-client-key={client.key}",
            "--kubelet-preferred-address-types=InternalIP",
            "--authorization-mode=Node,RBAC",
            "--service-cluster-ip-range=10.96.0.0/16",
            f"--service-account-issuer={self._address}",
            f"--service-account-signing-key-file={server.key}",
            f"--service-account-key-file={server.key}",
        )

    def _controllers(self) -> Sequence[str]:
        return (
            f"--kubeconfig={self.access('system:kube-controller-manager')}",
            f"--service-account-private-key-file={self.certificates.server.key}",
            f"--root-ca-file={self.certificates.authority}",
            "--use-service-account-credentials",
            "--leader-elect=false",
            "--secure-port=0",
            # A node that says nothing for 50 s would lose its pods' readiness, which kwok never gives back; on a busy machine
            # it may say nothing for longer.
            "--node-monitor-grace-period=1h",
        )

    def _scheduler(self) -> Sequence[str]:
        access = self.access("system:kube-scheduler")
        return (f"--kubeconfig={access}", "--leader-elect=false", "--secure-port=0")

    def _kwok(self) -> Sequence[str]:
        return ("--manage-all-nodes=true", f"--config={self._place / 'stages.yaml'}")


def _token(user: str) -> str:
    return f"token-of-{user.rpartition(':')[2]}"


def _nodes() -> list[Any]:
    """One node in each zone, which kwok says are ready and have room for everything."""
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": f"node-{zone}",
                "labels": {
                    "kubernetes.io/hostname": f"node-{zone}",
                    "topology.kubernetes.io/zone": zone,
                },
            },
        }
        for zone in ZONES
    ]


def _volumes() -> list[Any]:
    """The class of volumes of those who name none, and volumes for all claims: nobody makes them here when they are asked for."""
    storage_class = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {
            "name": "ready-made",
            "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
        },
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer",
        "allowVolumeExpansion": True,
    }
    volumes = [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"volume-{number}"},
            "spec": {
                "storageClassName": "ready-made",
                "capacity": {"storage": "1Ti"},
                "accessModes": ["ReadWriteOnce"],
                "hostPath": {"path": f"/volumes/{number}"},
            },
        }
        for number in range(VOLUMES)
    ]
    return [storage_class, *volumes]
