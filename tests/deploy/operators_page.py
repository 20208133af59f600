"""The commands that the operators' page gives, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

TYPED_SECONDS = 600.0
HEADING = re.compile(r"^#{2,4} (.+)$", re.MULTILINE)
# A block, a piece of running text, or the way to a section whose commands belong at this place.
STEP = re.compile(
    r"^```sh\n(?P<block>.*?)^```|`(?P<piece>[^`]+)`|\]\(#(?P<section>stop-everything|start-everything|a-claim-from-a-snapshot)\)",
    re.DOTALL | re.MULTILINE,
)
HERE_DOCUMENT = "<<END"


def kubectl_commands(page: str) -> dict[str, list[str]]:
    """What an operator types by kubectl, in the order of the page, by the heading above it. Where a step leads to one of the
    sections of `STEP`, the commands of that one."""
    first, *others = HEADING.split(page)
    texts = {"": first, **dict(zip(others[::2], others[1::2], strict=True))}
    by_anchor = {each.lower().replace(" ", "-"): list(_commands(text, {})) for each, text in texts.items()}
    found = {each: list(_commands(text, by_anchor)) for each, text in texts.items()}
    return {each: commands for each, commands in found.items() if commands}


def _commands(text: str, others: Mapping[str, list[str]]) -> Iterator[str]:
    for step in STEP.finditer(text):
        if step["section"] is not None:
            yield from others.get(step["section"], ())
        elif step["block"] is not None:
            yield from (each for each in _statements(step["block"]) if "kubectl " in each)
        elif step["piece"].startswith("kubectl "):
            yield " ".join(step["piece"].split())


def _statements(block: str) -> Iterator[str]:
    """The lines of a block; one that begins a here document has all of it."""
    lines = iter(block.splitlines())
    for line in lines:
        statement = line
        while HERE_DOCUMENT in statement and not statement.endswith("\nEND"):
            statement += f"\n{next(lines)}"
        yield statement


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
