"""`make kubernetes-node`: the laptop overlay in real containers on a real kubelet. Its walls are tried, `signalbox demo` plays
on it, and it is upgraded by the operators' page while bots play.

Needs root. Everything happens in a network, mounts and processes of its own: see enclosure.py."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.deploy.node.enclosure import enclose, furnish, is_enclosed
from tests.deploy.node.play import play
from tests.deploy.node.programs import node_programs


def main() -> int:
    """Exit 1 where something was not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.node", description=__doc__)
    parser.add_argument("--rules", type=int, default=2, help="replicas of the rules service")
    parser.add_argument("--keep", type=Path, help="a new folder that is kept, with the logs of everything")
    options = parser.parse_args()
    place = node_programs()
    if isinstance(place, str):
        print(f"kubernetes-node: {place}", file=sys.stderr)
        return 1
    if not is_enclosed():
        return enclose("tests.deploy.node", sys.argv[1:])
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {line}", flush=True)

    with ExitStack() as running:
        folder = options.keep or Path(running.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        furnish(folder)
        return _judge(say, play(place, folder, options.rules, say))


def _judge(say: Callable[[str], None], problems: list[str]) -> int:
    for each in problems:
        say(f"NOT AS IT SHOULD BE: {each}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
