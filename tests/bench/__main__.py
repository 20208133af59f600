"""`make bench`: all sections, or those named: `python -m tests.bench routing-load`. `routing` stands for all that measure best
runs."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.bench import (
    archive,
    before,
    browsers,
    cluster,
    direct,
    drawing,
    idle,
    links,
    load,
    peers,
    played,
    ratios,
    recorded,
    recorded_before,
    replicas,
    restoring,
    rules,
    sharing,
    solver,
    stored,
    summaries,
    tables,
    tournaments,
    verify,
    watchers,
)

SECTIONS: dict[str, Callable[[], int]] = {
    "ratios": ratios.main,
    "rules": rules.main,
    "played": played.main,
    "solver": solver.main,
    "direct": direct.main,
    "drawing": drawing.main,
    "links": links.main,
    "peers": peers.main,
    "recorded": recorded.main,
    "recorded-before": recorded_before.main,
    "routing-load": load.main,
    "cluster": cluster.main,
    "sharing": sharing.main,
    "idle": idle.main,
    "replicas": replicas.main,
    "stored": stored.main,
    "before": before.main,
    "archive": archive.main,
    "restoring": restoring.main,
    "summaries": summaries.main,
    "tables": tables.main,
    "tournaments": tournaments.main,
    "verify": verify.main,
    "watchers": watchers.main,
    "browsers": browsers.main,
}
GROUPS = {"routing": ("solver", "peers", "recorded", "routing-load")}


def main(names: list[str]) -> int:
    """Run the sections named, all without a name; the first code that is not 0, or 2 for a name that is no section."""
    named = [each for name in names for each in GROUPS.get(name, (name,))]
    unknown = [name for name in named if name not in SECTIONS]
    if unknown:
        print(
            f"no section {', '.join(unknown)}; there are {', '.join((*SECTIONS, *GROUPS))}", file=sys.stderr
        )
        return 2
    codes = []
    for name in named or SECTIONS:
        print(f"== {name}", flush=True)
        codes.append(SECTIONS[name]())
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
