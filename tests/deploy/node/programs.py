"""What a node needs of this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.deploy.control_plane import programs_folder
from tests.deploy.node.configuration import PLUGINS

BUILT = ("kubelet", "kube-proxy", "coredns")
IMAGES = ("signalbox", "kafka", "redis", "pause")
OF_DEBIAN = ("containerd", "ctr", "ip", "nft", "runc", "unshare")


def node_programs() -> Path | str:
    """The folder that `make kubernetes-node` filled, or why no node can be played here."""
    place = programs_folder()
    if place is None:
        return "no control plane of Kubernetes: `make kubernetes` builds it"
    missing = [each for each in BUILT if not (place / "bin" / each).exists()]
    missing += [f"{each}.tar" for each in IMAGES if not (place / "images" / f"{each}.tar").exists()]
    if missing:
        return f"no {', '.join(missing)}: `make kubernetes-node` makes them"
    if absent := [each for each in OF_DEBIAN if shutil.which(each) is None]:
        return f"no {', '.join(absent)} on the path"
    if not (PLUGINS / "bridge").exists():
        return f"no network plugins in {PLUGINS}"
    return place if os.geteuid() == 0 else "only root may start containers"
