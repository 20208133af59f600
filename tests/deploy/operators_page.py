"""The commands that the operators' page gives, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

TYPED_SECONDS = 600.0


def upgrade_commands(repository: Path) -> str:
    """What an operator types for a new version."""
    page = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page[page.index("## Upgrade without downtime") :]
    (script,) = re.findall(r"```sh\n(.*?)```", section[: section.index("\n## ")], re.DOTALL)
    return str(script)


def type_in(
    commands: str,
    kubectl: str,
    deploy: Path,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    seconds: float = TYPED_SECONDS,
) -> None:
    """Run commands beside this folder `deploy`, with a script as kubectl; they must succeed in so many seconds.
    `environment`: also."""
    program = folder / "bin" / "kubectl"
    program.parent.mkdir()
    program.write_text(kubectl, encoding="utf-8")
    program.chmod(0o755)
    place = folder / "place"
    place.mkdir()
    (place / "deploy").symlink_to(deploy)
    done = subprocess.run(
        ["/bin/sh", "-eu", "-c", commands],
        cwd=place,
        env={**os.environ, **(environment or {}), "PATH": f"{program.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    assert done.returncode == 0, done.stdout + done.stderr
