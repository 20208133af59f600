"""A real control plane of Kubernetes on the loopback address: etcd, the API server, its controllers and its scheduler.

Nodes are simulated (kwok): a pod that is bound to one becomes ready without its containers, so that whatever Kubernetes
itself decides is real - what it accepts, what it refuses to change, which pods it makes, in which order it replaces them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from devtools.brokers.certificates import make_certificates
from devtools.kubernetes.missing import Installed
from services.common.errors import SignalboxError
from services.host.children import Child, ChildFailed, answers, free_ports

TOKEN = "operator"
START_SECONDS = 120.0
CALL_SECONDS = 300.0
MANAGER = "signalbox"


class CallFailed(SignalboxError):
    """kubectl has ended with an error; the message has its last lines."""


class ControlPlane:
    """Between `start` and `stop`. What it keeps is in `folder`."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        """Starts nothing yet."""
        self._installed = installed
        self._folder = folder
        self._ports = dict(
            zip(("etcd", "peer", "api", "controllers", "scheduler"), free_ports(5), strict=True)
        )
        self._children: list[Child] = []
        self.kubeconfig = folder / "kubeconfig"

    def start(self) -> None:
        """Start everything; objects are taken and acted upon when this is over. Raises `ChildFailed`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write_access()
        try:
            self._run("etcd", self._etcd(), lambda: answers(self._ports["etcd"]))
            self._run("kube-apiserver", self._api_server(), self._is_ready)
            self._run("kube-controller-manager", self._controllers(), self._has_accounts)
            self._run("kube-scheduler", self._scheduler(), lambda: answers(self._ports["scheduler"]))
            kwok = ["--kubeconfig", str(self.kubeconfig), "--manage-all-nodes=true"]
            self._run("kwok", kwok, lambda: True)
        except ChildFailed:
            self.stop()
            raise

    def stop(self) -> None:
        """End everything. May be called again."""
        while self._children:
            self._children.pop().kill()

    def kubectl(self, *words: str, documents: str | None = None) -> str:
        """What kubectl says to these words, `documents` being its input. Raises `CallFailed`."""
        command = [str(self._installed.programs["kubectl"]), "--kubeconfig", str(self.kubeconfig), *words]
        try:
            done = subprocess.run(
                command, input=documents, capture_output=True, text=True, check=False, timeout=CALL_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise CallFailed(f"kubectl {' '.join(words)}: no end after {CALL_SECONDS:g} s") from None
        if done.returncode:
            raise CallFailed(f"kubectl {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def objects(self, kind: str, namespace: str = MANAGER) -> list[Any]:
        """All objects of a kind in a namespace."""
        found = json.loads(self.kubectl("get", kind, "--namespace", namespace, "--output", "json"))
        return list(found["items"])

    def apply(self, documents: str) -> None:
        """Have the API server take these objects, all fields of them ours. Raises `CallFailed`."""
        words = ("--server-side", "--force-conflicts", f"--field-manager={MANAGER}", "--validate=strict")
        self.kubectl("apply", *words, "--filename", "-", documents=documents)

    def define(self) -> None:
        """Have the API server know the custom resources of the operators that Signalbox is deployed with."""
        for path in sorted(self._installed.definitions.glob("*.yaml")):
            self.apply(path.read_text(encoding="utf-8"))
        self.kubectl(
            "wait", "customresourcedefinitions", "--all", "--for=condition=Established", "--timeout=60s"
        )

    def add_nodes(self, zones: Sequence[str]) -> None:
        """Add a simulated node for each of these zones."""
        for number, zone in enumerate(zones):
            self.apply(json.dumps(_node(f"node-{number}", zone)))

    def add_volumes(self, count: int) -> None:
        """Add volumes that any claim may have: nodes that are simulated have no disks."""
        volumes = [_volume(f"volume-{number}") for number in range(count)]
        self.apply(json.dumps({"apiVersion": "v1", "kind": "List", "items": volumes}))

    def _run(self, name: str, words: Sequence[str], is_ready: Any) -> None:
        child = Child(name, [str(self._installed.programs[name]), *words], self._folder / f"{name}.log")
        child.start()
        self._children.append(child)
        child.wait_until(is_ready, START_SECONDS)

    def _is_ready(self) -> bool:
        try:
            return self.kubectl("get", "--raw", "/readyz") == "ok"
        except CallFailed:
            return False

    def _has_accounts(self) -> bool:
        """Whether namespaces get what pods need."""
        return bool(self.objects("serviceaccounts", "default")) and answers(self._ports["controllers"])

    def _write_access(self) -> None:
        made = make_certificates(self._folder / "certificates")
        self._key, self._authority = made.client.key, made.authority
        self._certificate = made.server
        (self._folder / "tokens").write_text(f"{TOKEN},{TOKEN},{TOKEN},system:masters\n", encoding="utf-8")
        cluster = {
            "server": f"https://127.0.0.1:{self._ports['api']}",
            "certificate-authority": str(self._authority),
        }
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": TOKEN, "user": {"token": TOKEN}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": TOKEN}}],
            "current-context": "test",
        }
        self.kubeconfig.write_text(json.dumps(config), encoding="utf-8")

    def _etcd(self) -> list[str]:
        ours, peers = (f"http://127.0.0.1:{self._ports[name]}" for name in ("etcd", "peer"))
        return [
            f"--data-dir={self._folder / 'etcd'}",
            f"--listen-client-urls={ours}",
            f"--advertise-client-urls={ours}",
            f"--listen-peer-urls={peers}",
            f"--initial-advertise-peer-urls={peers}",
            f"--initial-cluster=default={peers}",
        ]

    def _api_server(self) -> list[str]:
        return [
            f"--etcd-servers=http://127.0.0.1:{self._ports['etcd']}",
            f"--secure-port={self._ports['api']}",
            "--bind-address=127.0.0.1",
            f"--tls-cert-file={self._certificate.certificate}",
            f"--tls-private-key-file={self._certificate.key}",
            f"--token-auth-file={self._folder / 'tokens'}",
            f"--service-account-key-file={self._key}",
            f"--service-account-signing-key-file={self._key}",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--authorization-mode=RBAC",
            f"--cert-dir={self._folder}",
        ]

    def _controllers(self) -> list[str]:
        return [
            f"--kubeconfig={self.kubeconfig}",
            f"--service-account-private-key-file={self._key}",
            f"--root-ca-file={self._authority}",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            f"--secure-port={self._ports['controllers']}",
            f"--cert-dir={self._folder}",
        ]

    def _scheduler(self) -> list[str]:
        return [
            f"--kubeconfig={self.kubeconfig}",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            f"--secure-port={self._ports['scheduler']}",
            f"--cert-dir={self._folder}",
        ]


def _node(name: str, zone: str) -> dict[str, Any]:
    room = {"cpu": "64", "memory": "256Gi", "pods": "200", "ephemeral-storage": "1Ti"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {"topology.kubernetes.io/zone": zone, "kubernetes.io/hostname": name},
        },
        "status": {"allocatable": room, "capacity": room},
    }


def _volume(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "10Ti"},
            "accessModes": ["ReadWriteOnce"],
            "hostPath": {"path": f"/nowhere/{name}"},
        },
    }
