"""The manifests that an upgrade begins with."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

SIGNALBOX_IMAGE = re.compile(r"(name: signalbox\n\s*newTag: )\S+")
OLD_TAG = "before"
MANIFESTS = ":(glob)deploy/k8s/**/*.yaml"


def earlier_manifests(repository: Path, folder: Path) -> Path:
    """The folder `deploy`, copied into `folder`, as it was in the last release or, without any, before the manifests last
    changed; as it is where there is no history. The image of the platform has the tag `OLD_TAG` in any case."""
    commit = _git(repository, "describe", "--tags", "--abbrev=0") or _parent_of_last_change(repository)
    if commit:
        archive = folder / "deploy.tar"
        _git(repository, "archive", f"--output={archive}", commit, "deploy")
        subprocess.run(["tar", "-x", "-f", archive, "-C", folder], check=True)
    else:
        shutil.copytree(repository / "deploy", folder / "deploy")
    images = folder / "deploy" / "k8s" / "components" / "images" / "kustomization.yaml"
    text, changed = SIGNALBOX_IMAGE.subn(rf"\g<1>{OLD_TAG}", images.read_text(encoding="utf-8"))
    assert changed == 1
    images.write_text(text, encoding="utf-8")
    return folder / "deploy"


def _parent_of_last_change(repository: Path) -> str:
    parents = _git(repository, "log", "-1", "--first-parent", "--format=%P", "--", MANIFESTS)
    return parents.partition(" ")[0]


def _git(repository: Path, *arguments: str) -> str:
    """What git says; nothing where there is none, or no history."""
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
