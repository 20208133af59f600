"""The examples on the page about HTTP and JSON: each is run as it stands there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.programs import TEST_TOOLS, need
from tests.web.serving import web_serving

pytestmark = pytest.mark.integration
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
API = "http://127.0.0.1:8400"
# Streams have no end of their own.
BEFORE = """set -euo pipefail
curl() { command curl --max-time 2 "$@" || [ $? -eq 28 ]; }
"""
# What the page takes for granted between its first example and the others.
GIVEN = """
found() { python3 -c "import json,sys; print(json.load(sys.stdin)$1)"; }
as() { post $LOBBY/$2 -H "Authorization: Bearer $1" -d "$3"; }
TABLE=$(curl -sS "$LOBBY/ListTables?state=TABLE_STATE_OPEN" | found '["tables"][0]["tableId"]')
for name in Ben Cem; do
  known='"name": "'$name'", "password": "correct horse battery"'
  post $LOBBY/RegisterPlayer -d '{"requestId": "r-'$name'", '"$known}"
  other=$(post $LOBBY/LogIn -d "{$known}" | found '["session"]["token"]')
  as "$other" JoinTable '{"requestId": "join-'$name'", "tableId": "'$TABLE'"}'
done
GAME=$(as "$TOKEN" StartTable '{"requestId": "start", "tableId": "'$TABLE'"}' | found '["table"]["gameId"]')
TOKEN_ID=$(as "$TOKEN" MakeApiToken '{"scopes": ["game:read"], "lifetimeDays": 1}' | found '["tokenId"]')
"""
PROBLEM = re.compile(r'"status":\d+,.*?"reason":"(\w+)"')
# It is the turn of one of three players, who perhaps may not pass.
RULES_SAY = {"not_your_turn", "may_not_pass"}


def test_every_example_of_the_page_works(repository: Path, tmp_path: Path) -> None:
    """Against a host of its own."""
    need(("curl",), TEST_TOOLS)
    blocks = BLOCK.findall((repository / "docs" / "http-api.md").read_text("utf-8"))
    with web_serving(tmp_path) as web:
        first, *others = (each.replace(API, web.address) for each in blocks)
        script = BEFORE + "\n".join((first, GIVEN, *(f"echo; echo ==\n{each}" for each in others)))
        done = subprocess.run(
            ("bash", "-c", script), capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path
        )
    assert done.returncode == 0, done.stderr
    assert set(PROBLEM.findall(done.stdout)) <= RULES_SAY, done.stdout
    assert len(done.stdout.split("==")) == len(blocks), done.stdout
    assert all(each.strip() for each in done.stdout.split("==")), done.stdout
