"""First decodes by several threads at once: msgspec 0.22 crashes in them unless types were analysed before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.architecture.decoders import service_modules
from tests.common import first_decodes
from tests.common.first_decodes import Analyses


def test_threads_may_decode_all_types_at_once_in_a_fresh_process(repository: Path) -> None:
    """Every decoder, converter and title is first used by six threads together: nobody crashes, for nothing is left to
    analyse."""
    done = subprocess.run(
        [sys.executable, "-m", first_decodes.__name__],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["errors"], found["analysed"]) == ([], 0)
    # A comprehension in the source makes one for each part of the rules.
    assert found["decoders"] >= sum(module.decoders_made() for module in service_modules(repository).values())
    assert found["uses"] >= found["decoders"]


def test_a_type_analysed_late_is_noticed() -> None:
    """The first decode of a struct counts, the second does not, and neither does one of a type that has a decoder."""

    class Early(msgspec.Struct):
        at: int

    class Late(msgspec.Struct):
        at: int

    msgspec.json.Decoder(Early)
    counts = []
    for kind in (Early, Late, Late):
        with Analyses() as analyses:
            msgspec.json.decode(b'{"at": 1}', type=kind)
        counts.append(analyses.count)
    assert counts == [0, 1, 0]
