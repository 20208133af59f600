"""Settings of the programs of a node."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.deploy.node.enclosure import BRIDGE, CGROUP, NODE_ADDRESS, PODS

DOMAIN = "cluster.local"
NAMES_TTL_SECONDS = 5
"""As CoreDNS has it where nothing is said."""
PLUGINS = Path("/usr/lib/cni")
PAUSE_IMAGE = "docker.io/library/pause:own"


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a node keeps what."""

    scratch: Path

    @property
    def socket(self) -> Path:
        """At which containerd is asked."""
        return self.scratch / "containerd" / "socket"

    @property
    def network(self) -> Path:
        """The configuration of the pods' network."""
        return self.scratch / "network"

    @property
    def volumes(self) -> Path:
        """Where claims are kept."""
        return self.scratch / "volumes"


def containerd(folders: Folders, root: Path) -> str:
    """Of containerd 1.6 and newer, as TOML. `root`: for images, which are unpacked once."""
    return f"""version = 2
root = "{root}"
state = "{folders.scratch / "containerd"}"
disabled_plugins = ["io.containerd.internal.v1.opt"]
[grpc]
address = "{folders.socket}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{PAUSE_IMAGE}"
# Not everybody who is root may let a process survive others when memory runs out.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{PLUGINS}"
conf_dir = "{folders.network}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
"""


def network(folders: Folders) -> str:
    """All pods on one bridge, each with an address of its own."""
    bridge = {
        "type": "bridge",
        "bridge": BRIDGE,
        "isGateway": True,
        "hairpinMode": True,
        "ipam": {
            "type": "host-local",
            "dataDir": str(folders.scratch / "addresses"),
            "ranges": [[{"subnet": PODS, "gateway": NODE_ADDRESS}]],
            "routes": [{"dst": "0.0.0.0/0"}],
        },
    }
    return json.dumps({"cniVersion": "1.0.0", "name": "pods", "plugins": [bridge]})


def kubelet(folders: Folders, authority: Path, resolver: Path) -> Any:
    """A kubelet of a node without swap and with cgroups of either version."""
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "address": NODE_ADDRESS,
        "authentication": {
            "anonymous": {"enabled": False},
            "webhook": {"enabled": False},
            "x509": {"clientCAFile": str(authority)},
        },
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": f"/{CGROUP}",
        "failCgroupV1": False,
        "clusterDNS": [NODE_ADDRESS],
        "clusterDomain": DOMAIN,
        "containerRuntimeEndpoint": f"unix://{folders.socket}",
        "podLogsDir": str(folders.scratch / "pod-logs"),
        "resolvConf": str(resolver),
        # The machine's own disk may be as full as it likes.
        "imageGCHighThresholdPercent": 100,
        "evictionHard": {"memory.available": "100Mi"},
        "localStorageCapacityIsolation": True,
        "oomScoreAdj": 0,
    }


def proxy(access: Path) -> Any:
    """A kube-proxy that leaves the kernel's tables of connections as large as they are."""
    return {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "clientConnection": {"kubeconfig": str(access)},
        "mode": "nftables",
        "clusterCIDR": PODS,
        "oomScoreAdj": 0,
        "healthzBindAddress": "127.0.0.1:10256",
        "metricsBindAddress": "127.0.0.1:10249",
        "conntrack": {"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s", "tcpCloseWaitTimeout": "0s"},
    }


def names(access: Path) -> str:
    """The names of services and pods, and no others."""
    return f"""{DOMAIN}:53 {{
    bind {NODE_ADDRESS}
    errors
    kubernetes {DOMAIN} {{
        kubeconfig {access}
        pods disabled
        ttl {NAMES_TTL_SECONDS}
    }}
}}
.:53 {{
    bind {NODE_ADDRESS}
    template ANY ANY {{
        rcode NXDOMAIN
    }}
}}
"""


def resolver(namespace: str) -> str:
    """For a process beside the pods: names as a pod of this namespace uses them."""
    return (
        f"nameserver {NODE_ADDRESS}\nsearch {namespace}.svc.{DOMAIN} svc.{DOMAIN} {DOMAIN}\noptions ndots:5\n"
    )
