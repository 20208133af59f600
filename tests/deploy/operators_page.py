"""The commands that the operators' page gives."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path


def upgrade_commands(repository: Path) -> str:
    """What to type for an upgrade."""
    page = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page[page.index("## Upgrade without downtime") :]
    (script,) = re.findall(r"```sh\n(.*?)```", section[: section.index("\n## ")], re.DOTALL)
    return str(script)


def type_in(commands: str, kubectl: str, repository: Path, folder: Path, **also: str) -> None:
    """Run commands where the manifests are, with this script as kubectl and `also` in their environment; they must succeed."""
    program = folder / "bin" / "kubectl"
    program.parent.mkdir()
    program.write_text(kubectl, encoding="utf-8")
    program.chmod(0o755)
    place = folder / "place"
    place.mkdir()
    (place / "deploy").symlink_to(repository / "deploy")
    path = f"{program.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-eu", "-c", commands],
        cwd=place,
        env={**os.environ, "PATH": path, **also},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
