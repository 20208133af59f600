"""Where the programs of a control plane are, and what is missing."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from services.common.errors import SignalboxError

PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok")


class KubernetesMissing(SignalboxError):
    """A program or the definitions of custom resources are missing; the message has the remedy."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The programs of a control plane, by name, and the folder with the definitions of custom resources."""

    programs: dict[str, Path]
    definitions: Path


def installed() -> Installed:
    """What `scripts/kubernetes.sh` has built. Raises `KubernetesMissing`."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = Path(os.environ.get("SIGNALBOX_KUBERNETES") or cache / "signalbox" / "kubernetes")
    programs = {name: place / "bin" / name for name in PROGRAMS}
    for name in ("etcd", "kubectl"):
        programs[name] = Path(shutil.which(name) or place / "bin" / name)
    definitions = place / "definitions"
    missing = [name for name, program in programs.items() if not program.is_file()]
    if missing or not any(definitions.glob("*.yaml")):
        what = ", ".join(missing) or "the definitions of custom resources"
        raise KubernetesMissing(f"no Kubernetes in {place} ({what}): scripts/kubernetes.sh builds it")
    return Installed(programs, definitions)
