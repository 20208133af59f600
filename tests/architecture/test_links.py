"""Relative links in the pages of the repository lead to files that are there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
ELSEWHERE = ("http://", "https://", "mailto:", "/")


def dead_links(page: Path) -> list[str]:
    """The targets of a page's links that do not exist."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = [target for target in LINK.findall(text) if not target.startswith(ELSEWHERE)]
    return [target for target in targets if not (page.parent / target).exists()]


def test_no_link_is_dead(repository: Path) -> None:
    """In any page that is kept in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=repository, capture_output=True, text=True, check=True
    )
    pages = [repository / name for name in listed.stdout.splitlines()]
    assert len(pages) > 50
    found = {str(page.relative_to(repository)): dead for page in pages if (dead := dead_links(page))}
    assert found == {}


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    """One that leads nowhere; not one to a heading, to the web, or in code."""
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#b) [c](https://example.org) `[d](e.md)` [f](gone.md#g) [h](#i)")
    assert dead_links(page) == ["gone.md"]
