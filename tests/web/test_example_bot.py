"""The bot of docs/examples plays as its page says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.programs import TEST_TOOLS, need
from tests.web.serving import SECONDS, web_serving

pytestmark = pytest.mark.integration


def test_the_bot_finishes_a_game(tmp_path: Path, repository: Path) -> None:
    """Over HTTP alone, with tokens that can play and nothing else."""
    node = need(("node",), TEST_TOOLS)
    bot = repository / "docs" / "examples" / "bot" / "bot.mjs"
    with web_serving(tmp_path) as web:
        done = subprocess.run(
            [node, str(bot), web.address, "fair", "2"],
            capture_output=True,
            text=True,
            timeout=5 * SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "over after" in done.stdout and "refused" not in done.stderr
