"""How long a move takes from one browser to another: from the click until the other window shows it.

`python -m tests.bench browsers`: two windows of one Chromium and the host on this machine, so that all of them share its cores;
`SIGNALBOX_TITLE` names one title."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from tests.web.browsers import chromium
from tests.web.playing import Playing
from tests.web.serving import registered, web_serving

TITLES = ("1824", "1862", "1865", "rotw")
NAMES = ("Xia", "Yves", "Zoe")
MOVES = 50
LIMIT_SECONDS = 1.0


def main() -> int:
    """Measure and print the table; 1 where one move of twenty takes longer than the limit."""
    chosen = os.environ.get("SIGNALBOX_TITLE", "all")
    slow = False
    print(
        f"  {MOVES} moves of each title, load {os.getloadavg()[0]:.1f}; seconds from the click to the other window"
    )
    print("  title     p50    p95    max   p95/limit  all took")
    with tempfile.TemporaryDirectory() as name, web_serving(Path(name)) as web, chromium() as browser:
        tokens = [registered(web, each) for each in NAMES]
        for title in TITLES if chosen == "all" else (chosen,):
            began = time.perf_counter()
            playing = Playing(web, browser, tokens, title)
            for _ in range(MOVES):
                game = playing.move()
            playing.check(game)
            steps = statistics.quantiles(playing.seconds, n=20)
            slow = slow or steps[18] > LIMIT_SECONDS
            figures = f"{steps[9]:.3f}  {steps[18]:.3f}  {max(playing.seconds):.3f}"
            took = time.perf_counter() - began
            print(f"  {title:6}  {figures}  {steps[18] / LIMIT_SECONDS:9.2f}  {took:7.0f} s", flush=True)
            for each in browser.contexts:
                each.close()
    return 1 if slow else 0
